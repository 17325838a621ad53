//! Questions about the past of a session: who drew a pixel, who wrote a byte, where the time of a frame went. Each is
//! answered by running a part of the past again, watched.

use core::ops::ControlFlow;

use serde::Serialize;
use tempo_emu::{Access, Hooks, Registers};
use tempo_raster::{Report, Watcher, colour};

use crate::past::Past;
use crate::pixel;

/// A question of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Who drew this pixel of the picture that is shown?
    Pixel { x: u32, y: u32 },
    /// Who wrote to this address last, before this frame was over?
    Writer { addr: u16, frame: u64 },
    /// Where did the time of the last frame go?
    Raster,
}

/// A write of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Write {
    /// The instruction.
    pub pc: u16,
    /// The byte.
    pub value: u8,
    /// The cycle since the start.
    pub cycle: u64,
    /// The frame.
    pub frame: u64,
    /// The raster line.
    pub line: u16,
    /// The cycle at which the instruction began.
    pub begin: u64,
}

/// Frames that are watched before the one that is shown, so that its calls are known.
const BEFORE: u64 = 60;

/// Answers as JSON, and, for the raster, with a part for each cycle.
pub fn ask(past: &Past, question: Question) -> Option<(String, Vec<u8>)> {
    // The picture that is shown was drawn by the frame before the next one.
    let shown = past.frame_number().checked_sub(1)?;
    match question {
        Question::Pixel { x, y } => {
            let mut before = past.at(shown);
            before.apply_inputs();
            let drawn = pixel::explain(&before.session, x as usize, y as usize)?;
            let mut value = serde_json::to_value(&drawn).ok()?;
            value["frame"] = shown.into();
            Some((value.to_string(), Vec::new()))
        }
        Question::Writer { addr, frame } => {
            let found = last_write(past, addr, frame.min(shown) + 1);
            Some((serde_json::to_string(&found).ok()?, Vec::new()))
        }
        Question::Raster => raster(past, shown),
    }
}

/// The last write to an address in the frames before this one.
fn last_write(past: &Past, addr: u16, frame: u64) -> Option<Write> {
    for (first, end) in past.stretches(frame) {
        let mut run = past.at(first);
        let mut hook = LastWrite { addr, pc: 0, begin: 0, found: None };
        while run.frame_number() < end && run.run_frame_with(&mut hook).is_none() {}
        if let Some((pc, value, cycle, begin)) = hook.found {
            let timing = run.session.machine.timing();
            let frame = cycle / timing.cycles_per_frame();
            return Some(Write { pc, value, cycle, frame, line: timing.beam_at(cycle).0, begin });
        }
    }
    None
}

struct LastWrite {
    addr: u16,
    pc: u16,
    begin: u64,
    found: Option<(u16, u8, u64, u64)>,
}

impl Hooks for LastWrite {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        (self.pc, self.begin) = (registers.pc, cycles);
        ControlFlow::Continue(())
    }

    fn write(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        if addr == self.addr && access != Access::Dummy {
            self.found = Some((self.pc, value, cycles - 1, self.begin));
        }
    }
}

fn raster(past: &Past, shown: u64) -> Option<(String, Vec<u8>)> {
    let mut run = past.at(shown.saturating_sub(BEFORE));
    let machine = &run.session.machine;
    let (timing, isa) = (machine.timing(), machine.system().isa());
    let frames = shown - run.frame_number() + 1;
    let first = Watcher::frame_of(timing, machine.cycles()).max(run.frame_number());
    let frames = frames.min(50);
    let mut watcher = Watcher::new(
        timing,
        isa,
        machine.cycles(),
        machine.registers().pc,
        first.max(shown + 1 - frames),
        frames,
    )
    .with_control(machine.peek_register(0xd011));
    while !watcher.is_done() {
        if run.run_frame_with(&mut watcher).is_some() {
            return None;
        }
    }
    let measured = watcher.finish();
    let report = Report::new(&measured, &|addr| format!("${addr:04X}"));
    let mut part_of = vec![0_u8; measured.owners.len()];
    for (part, row) in report.parts.iter().enumerate() {
        row.owners.iter().for_each(|&owner| part_of[usize::from(owner)] = part.min(255) as u8);
    }
    let cells = measured.cells.iter().map(|&cell| part_of[usize::from(cell)]).collect();
    let mut value = serde_json::to_value(&report).ok()?;
    for part in 0..report.parts.len() {
        value["parts"][part]["colour"] = colour(&report, part).into();
    }
    Some((value.to_string(), cells))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_c64::Session;
    use tempo_emu::System;

    /// `10 SYS 2061`: lda #7; sta $0400; loop: inc $0401; jmp loop
    const PROGRAM: [u8; 25] = [
        0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, 0xa9, 7, 0x8d, 0,
        4, 0xee, 1, 4, 0x4c, 0x12, 0x08,
    ];

    fn past(frames: u64) -> Past {
        let mut machine = System::C64Pal.computer().expect("a computer");
        machine.start(&PROGRAM).expect("a program");
        let mut past = Past::new(Session::new(machine));
        (0..frames).for_each(|_| assert_eq!(past.run_frame(), None));
        past
    }

    #[test]
    fn the_last_write_is_found_however_long_ago_it_was() {
        let past = past(170);
        let once = last_write(&past, 0x0400, 170).expect("a write");
        assert_eq!((once.pc, once.value, once.frame, once.cycle), (0x080f, 7, 0, 5));
        let often = last_write(&past, 0x0401, 170).expect("a write");
        assert_eq!((often.pc, often.frame), (0x0812, 169));
        assert_eq!(last_write(&past, 0x0500, 170), None);
    }

    #[test]
    fn the_parts_of_the_last_frame_add_up() {
        let past = past(90);
        let (json, cells) = ask(&past, Question::Raster).expect("a report");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let sum: u64 =
            value["parts"].as_array().expect("parts").iter().filter_map(|part| part["cycles"].as_u64()).sum();
        assert_eq!((sum, cells.len()), (63 * 312, 63 * 312));
    }
}
