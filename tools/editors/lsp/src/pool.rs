//! Threads that take work off the loop. A job that panics is an internal error of that job, never the end of the server.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Sender, unbounded};

type Job = Box<dyn FnOnce() + Send>;

/// The workers. They end when the pool is dropped and their work is done.
pub struct Pool {
    jobs: Sender<Job>,
}

impl Pool {
    pub fn new(threads: usize) -> Pool {
        let (jobs, queue) = unbounded::<Job>();
        for number in 0..threads {
            let queue = queue.clone();
            let work = move || {
                for job in queue {
                    job();
                }
            };
            // Most sources nest little; the assembler starts a thread for those that do not.
            let thread = std::thread::Builder::new().name(format!("worker {number}")).stack_size(8 << 20);
            if thread.spawn(work).is_err() && number == 0 {
                // Without any thread nothing would ever be answered.
                panic!("the system has no thread for the language server");
            }
        }
        Pool { jobs }
    }

    /// Runs a job when a thread is free.
    pub fn run(&self, job: impl FnOnce() + Send + 'static) {
        // Threads hold the other end as long as the pool is there.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// The result of work, or the message of its panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
    })
}
