//! `tempo test --on`: the calls of tests on a real C64. The harness knows what to send; this sends it.

use std::time::Duration;

use tempo_harness::run::{Remote, Wire};
use tempo_host::{Exit, output};
use tempo_machine_commands::send::{self, Device, Problem};
use tempo_source_commands::pack::parse_address;

use super::Args;

/// The tape buffer.
const DRIVER: u16 = 0x0334;

/// The device of `--on`.
pub struct Hardware {
    device: Device,
    pub remote: Remote,
}

struct Ultimate(Device);

fn text(problem: Problem) -> String {
    let (Problem::Unreachable(text) | Problem::Refused(text)) = problem;
    text
}

impl Wire for Ultimate {
    fn start(&mut self, prg: &[u8]) -> Result<(), String> {
        let Ultimate(device) = self;
        device.reset().map_err(text)?;
        send::wait_for(device, send::BOOT, 1).map_err(text)?;
        device.run_prg(prg).map_err(text)
    }

    fn read(&mut self, address: u16, length: usize) -> Result<Vec<u8>, String> {
        self.0.read(address, length).map_err(text)
    }

    fn write(&mut self, address: u16, bytes: &[u8]) -> Result<(), String> {
        self.0.write(address, bytes).map_err(text)
    }

    fn wait(&mut self, milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }
}

/// The device that the command line names, after it has said who it is. Without `--on`, nothing.
pub fn open(args: &Args) -> Result<Option<Hardware>, Exit> {
    let Some(address) = &args.on else { return Ok(None) };
    let driver = args.driver_at.as_deref().map(parse_address).transpose();
    let driver =
        driver.map_err(|err| output::complain(format_args!("--driver-at: {err}")))?.unwrap_or(DRIVER);
    let device = send::device(Some(address), args.password_file.as_deref())?;
    let name = device.greet().map_err(send::failed)?;
    output::warn(&output::visible(&format!("on {name}, {}\n", device.shown())));
    Ok(Some(Hardware { remote: Remote::new(Box::new(Ultimate(device.clone())), driver), device }))
}

impl Hardware {
    /// Leaves the computer as it was found: at its prompt. What went wrong on the way is said once.
    pub fn close(self) -> Result<(), Exit> {
        match self.remote.lost() {
            Some(lost) => Err(output::complain(lost)),
            None => self.device.reset().map_err(send::failed),
        }
    }
}
