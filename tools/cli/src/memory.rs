//! Memory for large sources. A program of some hundred kilobytes fills tables of several megabytes, and the system
//! hands those out in pages of 4 KB, each of which costs more at its first use than filling it does. Where the system
//! has pages of 2 MB, [`reserve`] takes some of them as an arena, and the large blocks of the run come from there.
//!
//! Everything else comes from the system's allocator, which is all there is where large pages are not known.
//!
//! # Why this is sound
//!
//! The bounds of the arena never change: `OnceLock` publishes them with release and reads them with acquire, so a
//! thread sees either no arena or the whole of it. What changes is [`Arena::next`], the first free byte.
//!
//! 1. *No two live blocks overlap.* A block is handed out by the exchange that moves `next` from at most its first
//!    byte to the byte after its last, and `next` moves back in one way only: an owner gives up the end of a block
//!    that ends at `next`. While a block is live, `next` is therefore never below its end.
//! 2. *A new owner comes after the old one.* A thread that gives up bytes has finished with them before its exchange,
//!    which has release ordering. A thread that gets the same bytes does so by a later exchange of `next`, which has
//!    acquire ordering. All writes to `next` after the arena opens are exchanges, so those between the two continue the
//!    release sequence of the first, and the last synchronises with it. Each exchange both takes and gives up,
//!    depending on the direction of the move, so each has both orderings.
//! 3. *A value that comes back does no harm.* If `next` left a value and returned to it between a thread's look and its
//!    exchange, the bytes above it are free again, and that is all the exchange relies on.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The allocator of the program.
pub struct Memory;

/// Smaller blocks come and go, which the system's allocator is good at.
const SMALLEST: usize = 4 << 10;
const LARGE_PAGE: usize = 2 << 20;
/// An arena has at least this: tables that grow leave their old places behind, and a script makes many values of few
/// bytes of source. Pages that nothing is put into cost nothing.
const LEAST: usize = 64 << 20;
/// Enough for the largest programs written by hand; beyond it, page faults no longer dominate.
const MOST: usize = 256 << 20;

/// Empty if the system had no memory for it.
static ARENA: OnceLock<Arena> = OnceLock::new();

/// Blocks are cut off one after the other. Bytes that are given back are used again only if they were the last ones,
/// so the arena is for what a run keeps or lets grow; once it is full it stays full.
struct Arena {
    start: usize,
    end: usize,
    /// The first free byte: `start <= next <= end`.
    next: AtomicUsize,
}

/// Prepares for blocks of about `bytes` in all. Does nothing the second time, or where it would not help.
pub fn reserve(bytes: u64) {
    if cfg!(target_os = "linux") && bytes >= LARGE_PAGE as u64 / 4 {
        ARENA.get_or_init(|| Arena::open(bytes).unwrap_or(Arena::new(0, 0)));
    }
}

impl Arena {
    const fn new(start: usize, end: usize) -> Arena {
        Arena { start, end, next: AtomicUsize::new(start) }
    }

    fn open(bytes: u64) -> Option<Arena> {
        let bytes = bytes.clamp(LEAST as u64, MOST as u64) as usize;
        let layout = Layout::from_size_align(bytes.next_multiple_of(LARGE_PAGE), LARGE_PAGE).ok()?;
        // SAFETY: the size is not zero.
        let start = unsafe { System.alloc(layout) };
        if start.is_null() {
            return None;
        }
        #[cfg(all(target_os = "linux", not(miri)))]
        // SAFETY: the range is ours and nothing is in it yet; the call changes only which pages will back it. If it
        // fails there are no large pages, and the memory is as good as any.
        unsafe {
            libc::madvise(start.cast(), layout.size(), libc::MADV_HUGEPAGE);
        }
        let start = start.expose_provenance();
        Some(Arena::new(start, start + layout.size()))
    }

    /// Cuts off a block; `None` if there is not enough left.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        // Only a guess: the exchange decides.
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let start = next.checked_next_multiple_of(layout.align())?;
            let after = start.checked_add(layout.size()).filter(|&after| after <= self.end)?;
            match self.next.compare_exchange_weak(next, after, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return Some(std::ptr::with_exposed_provenance_mut(start)),
                Err(now) => next = now,
            }
        }
    }

    /// Moves the end of a block that the caller owns, if nothing was cut off behind it. Size 0 gives it back.
    fn resize(&self, block: usize, old: usize, new: usize) -> bool {
        let fits = block.checked_add(new).is_some_and(|after| after <= self.end);
        fits && self
            .next
            .compare_exchange(block + old, block + new, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    fn has(&self, block: *mut u8) -> bool {
        (self.start..self.end).contains(&block.addr())
    }
}

/// A block from the arena, if it is open and the block large enough.
fn take(layout: Layout) -> Option<*mut u8> {
    if layout.size() < SMALLEST { None } else { ARENA.get()?.take(layout) }
}

/// The arena, if this block is in it.
fn home(block: *mut u8) -> Option<&'static Arena> {
    ARENA.get().filter(|arena| arena.has(block))
}

// SAFETY: a block is either the system's, and then goes back to the system, or lies in the arena, in a range that no
// other block has (see above). Both kinds have at least the size and alignment asked for, and none of the methods
// panics or allocates through itself.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those the system asks for.
        take(layout).unwrap_or_else(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match take(layout) {
            Some(block) => {
                // SAFETY: the block has that size and belongs to the caller alone.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            // SAFETY: as above.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match home(block) {
            Some(arena) => {
                arena.resize(block.addr(), layout.size(), 0);
            }
            // SAFETY: it is not in the arena, so the system made it.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match home(block) {
            Some(arena) if arena.resize(block.addr(), layout.size(), size) || size <= layout.size() => {
                return block;
            }
            // SAFETY: the system made it, and the block that it makes of it is the system's too.
            None if layout.size() >= SMALLEST || size < SMALLEST => unsafe {
                return System.realloc(block, layout, size);
            },
            _ => {}
        }
        // SAFETY: the caller promises a size that is not zero and, rounded up to the alignment, no overflow. Both
        // blocks have the smaller of the two sizes, and a new block overlaps no other.
        unsafe {
            let other = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !other.is_null() {
                other.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An arena of the test's own: the program's is opened by large sources only.
    fn arena(size: usize) -> Arena {
        let start = Vec::leak(vec![0u64; size / 8]).as_mut_ptr().expose_provenance();
        Arena::new(start, start + size)
    }

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_are_aligned_and_do_not_overlap() {
        let arena = arena(1000);
        let mut last = 0;
        for (size, align) in [(1, 1), (8, 8), (3, 1), (64, 64), (100, 16)] {
            let block = arena.take(layout(size, align)).unwrap();
            assert!(block.addr() >= last && block.addr().is_multiple_of(align) && arena.has(block));
            last = block.addr() + size;
        }
        assert_eq!(arena.take(layout(1000, 1)), None);
        assert!(arena.take(layout(500, 1)).is_some());
    }

    #[test]
    fn only_the_last_block_moves_its_end() {
        let arena = arena(1000);
        let first = arena.take(layout(100, 8)).unwrap().addr();
        assert!(arena.resize(first, 100, 300));
        let second = arena.take(layout(100, 1)).unwrap().addr();
        assert_eq!(second, first + 300);
        assert!(!arena.resize(first, 300, 400));
        assert!(!arena.resize(second, 100, 701));
        assert!(!arena.resize(second, 100, usize::MAX));
        assert!(arena.resize(second, 100, 0));
        assert_eq!(arena.take(layout(700, 1)).unwrap().addr(), second);
    }

    #[test]
    fn an_arena_without_memory_has_nothing() {
        let arena = Arena::new(0, 0);
        assert_eq!(arena.take(layout(1, 1)), None);
        assert!(!arena.has(std::ptr::null_mut()) && !arena.resize(0, 0, 1));
    }

    /// Threads that take, fill, grow, shrink and give back blocks of one arena, so that the same bytes pass from
    /// thread to thread all the time. Under Miri a hand-over that is not ordered is a data race and fails; it needs
    /// `MIRIFLAGS="-Zmiri-permissive-provenance -Zmiri-ignore-leaks"`, because arenas are found by address and kept.
    #[test]
    fn bytes_pass_from_thread_to_thread_whole() {
        const THREADS: usize = 4;
        let rounds = if cfg!(miri) { 60 } else { 20_000 };
        let arena = &arena(if cfg!(miri) { 256 } else { 4096 });
        let passed_on = &AtomicUsize::new(0);
        let work = |thread: usize| {
            let mark = thread as u8 + 1;
            for round in 0..rounds {
                let (small, large) = (16 + (round * 7 + thread) % 24, 48 + (round * 5) % 32);
                let Some(block) = arena.take(layout(small, 1)) else { continue };
                // SAFETY: the block has `small` bytes and is this thread's until it is given back.
                let bytes = unsafe { std::slice::from_raw_parts_mut(block, small) };
                // What an earlier owner wrote, or the zeros of the beginning.
                assert!(bytes.iter().all(|&byte| usize::from(byte) <= THREADS));
                let is_used = bytes[0] != 0 && bytes[0] != mark;
                passed_on.fetch_add(usize::from(is_used), Ordering::Relaxed);
                bytes.fill(mark);
                let mut size = small;
                if arena.resize(block.addr(), small, large) {
                    size = large;
                    // SAFETY: the block has `large` bytes now.
                    let bytes = unsafe { std::slice::from_raw_parts_mut(block, large) };
                    bytes[small..].fill(mark);
                }
                // SAFETY: as above.
                let bytes = unsafe { std::slice::from_raw_parts(block, size) };
                assert!(bytes.iter().all(|&byte| byte == mark), "another thread wrote into a live block");
                // If it is no longer the last block, it is lost to the arena, as in the program; the test would run
                // dry, so such a thread waits for its turn.
                while !arena.resize(block.addr(), size, 0) {
                    std::thread::yield_now();
                }
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || work(thread));
            }
        });
        assert_eq!(arena.next.load(Ordering::Relaxed), arena.start, "every block was given back");
        assert!(
            cfg!(miri) || passed_on.load(Ordering::Relaxed) > 0,
            "no byte changed hands: the test shows nothing"
        );
    }

    #[test]
    fn threads_that_open_the_arena_at_once_share_it() {
        // Miri steps through what the others do, so few will do there.
        let count = if cfg!(miri) { 3 } else { 8 };
        let blocks: Vec<Vec<u8>> = std::thread::scope(|scope| {
            let work = |thread: u8| {
                reserve(8 << 20);
                let mut block = vec![thread; SMALLEST];
                block.extend(vec![thread; 3 * SMALLEST]);
                block
            };
            let threads: Vec<_> = (0..count).map(|thread| scope.spawn(move || work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (thread, block) in blocks.iter().enumerate() {
            assert!(*block == vec![thread as u8; 4 * SMALLEST], "block {thread}");
        }
    }

    #[test]
    fn what_was_written_stays_while_blocks_grow_and_go() {
        reserve(8 << 20);
        let mut kept: Vec<Vec<u32>> = Vec::new();
        // From the eleventh on, blocks come from the arena. Miri looks at every number of them for a long time.
        let rounds = if cfg!(miri) { 24 } else { 200u32 };
        for round in 0..rounds {
            let mut numbers = vec![0; 1];
            numbers.extend((0..round * 100).map(|number| number ^ round));
            kept.push(numbers);
            if round % 3 == 0 {
                kept.swap_remove(round as usize % kept.len());
            }
            let zeros = vec![0u8; round as usize * 100];
            assert!(zeros.iter().all(|&byte| byte == 0));
        }
        for numbers in kept {
            let round = numbers.len() as u32 / 100;
            assert!(numbers[1..].iter().enumerate().all(|(at, &number)| number == at as u32 ^ round));
        }
    }
}
