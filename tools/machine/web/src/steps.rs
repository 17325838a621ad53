//! Stopping inside a frame: breakpoints, steps in both directions, and a note of every access for the memory view.
//! A step back is a run from the copy before it.

use core::ops::ControlFlow;

use tempo_c64::End;
use tempo_emu::{Access, Hooks, Registers};

use crate::past::Past;

/// A place where a program has been: bits of a byte of the heat.
const EXECUTED: u8 = 1;
const READ: u8 = 2;
const WRITTEN: u8 = 4;

/// Frames after which a step over or out gives up: the routine does not return.
const LONGEST: u64 = 500;

/// A step of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One instruction.
    In,
    /// One instruction, with what it calls.
    Over,
    /// To the end of the routine.
    Out,
    /// To the instruction before.
    Back,
}

/// Addresses at which a run stops.
#[derive(Default)]
pub struct Breakpoints {
    addresses: Vec<u16>,
}

impl Breakpoints {
    /// These and no others.
    pub fn set(&mut self, addresses: Vec<u16>) {
        self.addresses = addresses;
        self.addresses.sort_unstable();
        self.addresses.dedup();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }
}

/// Looks at every instruction before it runs. One type for all questions: each hook type is another CPU in the page.
pub struct Looks<'a>(pub &'a mut dyn FnMut(&Registers, u64) -> ControlFlow<()>);

impl Hooks for Looks<'_> {
    const ACCESSES: bool = false;

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        (self.0)(registers, cycles)
    }
}

fn break_if(is_there: bool) -> ControlFlow<()> {
    if is_there { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Stops before an instruction at a breakpoint, unless the run began there.
pub struct Stops<'a> {
    breakpoints: &'a Breakpoints,
    since: u64,
}

impl<'a> Stops<'a> {
    /// For a run that begins now.
    pub fn new(breakpoints: &'a Breakpoints, past: &Past) -> Stops<'a> {
        Stops { breakpoints, since: past.cycles() }
    }

    fn look(&self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        break_if(cycles > self.since && self.breakpoints.addresses.binary_search(&registers.pc).is_ok())
    }

    /// Runs to the end of the frame, or to a breakpoint.
    pub fn run_frame(&self, past: &mut Past) -> Option<End> {
        past.run_frame_with(&mut Looks(&mut |registers, cycles| self.look(registers, cycles)))
    }
}

/// Notes what a frame reads, writes and executes, and stops at breakpoints, too.
pub struct Heat<'a> {
    /// A byte of bits for each address.
    pub touched: &'a mut [u8],
    /// The breakpoints.
    pub stops: Stops<'a>,
}

impl Heat<'_> {
    fn touch(&mut self, addr: u16, bit: u8) {
        if let Some(byte) = self.touched.get_mut(usize::from(addr)) {
            *byte |= bit;
        }
    }
}

impl Hooks for Heat<'_> {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.stops.look(registers, cycles)
    }

    fn read(&mut self, addr: u16, _value: u8, access: Access, _cycles: u64) {
        match access {
            Access::Opcode | Access::Operand => self.touch(addr, EXECUTED),
            Access::Dummy => {}
            _ => self.touch(addr, READ),
        }
    }

    fn write(&mut self, addr: u16, _value: u8, access: Access, _cycles: u64) {
        if access != Access::Dummy {
            self.touch(addr, WRITTEN);
        }
    }
}

/// Takes a step. An end is told as [`Past::run_frame`] tells it.
pub fn step(past: &mut Past, step: Step) -> Option<End> {
    let registers = *past.session.machine.registers();
    let since = past.cycles();
    let is_call = past.session.machine.peek(registers.pc) == 0x20;
    let least = match step {
        Step::Back => {
            back(past);
            return None;
        }
        Step::Over if is_call => registers.s,
        Step::Over | Step::In => 0,
        // `rts` leaves the pointer two above the return address, `rti` three.
        Step::Out => registers.s.saturating_add(1),
    };
    let mut look = |registers: &Registers, cycles: u64| break_if(cycles > since && registers.s >= least);
    let first = past.frame_number();
    while past.frame_number() < first + LONGEST {
        match past.run_frame_with(&mut Looks(&mut look)) {
            Some(End::Hook) => return None,
            None => {}
            end => return end,
        }
    }
    None
}

fn back(past: &mut Past) {
    let now = past.cycles();
    let mut last = None;
    let mut look = |_: &Registers, cycles: u64| {
        if cycles < now {
            last = Some(cycles);
        }
        ControlFlow::Continue(())
    };
    past.before(now).run_to(now, &mut Looks(&mut look));
    if let Some(cycle) = last {
        past.seek_cycle(cycle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_c64::Session;
    use tempo_emu::System;

    /// `10 SYS 2061`: loop: jsr sub; inc $d020; jmp loop; sub: nop; rts
    const PROGRAM: [u8; 25] = [
        0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, 0x20, 0x16, 0x08,
        0xee, 0x20, 0xd0, 0x4c, 0x0d, 0x08, 0xea, 0x60,
    ];

    fn past() -> Past {
        let mut machine = System::C64Pal.computer().expect("a computer");
        machine.start(&PROGRAM).expect("a program");
        let mut past = Past::new(Session::new(machine));
        (0..60).for_each(|_| assert_eq!(past.run_frame(), None));
        past
    }

    fn stop_at(past: &mut Past, address: u16) {
        let mut breakpoints = Breakpoints::default();
        breakpoints.set(vec![address]);
        assert_eq!(Stops::new(&breakpoints, past).run_frame(past), Some(End::Hook));
        assert_eq!(past.session.machine.registers().pc, address);
    }

    #[test]
    fn steps_go_in_over_and_out_and_each_can_be_taken_back() {
        let mut past = past();
        stop_at(&mut past, 0x080d);
        let pc = |past: &Past| past.session.machine.registers().pc;
        let mut states = vec![past.session.machine.save()];
        for (kind, expected) in [
            (Step::Over, 0x0810),
            (Step::In, 0x0813),
            (Step::In, 0x080d),
            (Step::In, 0x0816),
            (Step::Out, 0x0810),
        ] {
            assert_eq!(step(&mut past, kind), None);
            assert_eq!(pc(&past), expected, "{kind:?}");
            if kind == Step::In {
                states.push(past.session.machine.save());
            }
        }
        // Back: rts, nop, jsr.
        for expected in [0x0817, 0x0816, 0x080d] {
            step(&mut past, Step::Back);
            assert_eq!(pc(&past), expected);
        }
        assert!(past.session.machine.save() == states[2]);
    }

    #[test]
    fn a_breakpoint_stops_again_in_the_next_round_and_the_frame_goes_on() {
        let mut past = past();
        let frame = past.frame_number();
        stop_at(&mut past, 0x0810);
        let first = past.cycles();
        stop_at(&mut past, 0x0810);
        assert!(past.cycles() > first && past.frame_number() == frame);
        // The end of the frame is where it would have been.
        past.run_frame();
        let mut other = past.at(frame);
        other.run_frame();
        assert!(other.session.machine.save() == past.session.machine.save());
    }

    #[test]
    fn heat_tells_reads_writes_and_code_apart() {
        let mut past = past();
        let (mut touched, none) = (vec![0; 0x10000], Breakpoints::default());
        let stops = Stops::new(&none, &past);
        past.run_frame_with(&mut Heat { touched: &mut touched, stops });
        assert_eq!((touched[0x0816], touched[0xd020], touched[0x0400]), (EXECUTED, READ | WRITTEN, 0));
    }
}
