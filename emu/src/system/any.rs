//! A machine, and a whole computer, of any kind: each call is one match over the kinds.

use alloc::string::String;
use alloc::vec::Vec;

use super::{AnyComputer, AnyMachine, System};
use crate::c64::C64;
use crate::computer::{Computer, Ended, Picture, StartError, Timing};
use crate::keyboard::{Joystick, Keyboard};
use crate::machine::{Machine, Visit, place, renew};
use crate::{Hooks, Phase, Registers, Rom, RomError, Stop, Until};
impl AnyMachine {
    /// The machine as bytes, for [`System::restore`].
    pub fn save(&self) -> Vec<u8> {
        on!(self, machine => System::save(&**machine))
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        on!(self, machine => &machine.cpu().registers)
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        on!(self, machine => machine.cpu().cycles)
    }

    /// Sets registers and cycles. If they are others than before, what the last instruction decided is forgotten.
    pub fn place(&mut self, registers: Registers, cycles: u64) {
        on!(self, machine => place(machine.parts().0, registers, cycles));
    }

    /// The same with a CPU that knows nothing of the run before, even if they are not others.
    pub fn renew(&mut self, registers: Registers, cycles: u64) {
        on!(self, machine => renew(machine.parts().0, registers, cycles));
    }

    /// Does something with the machine that is written for all of them.
    pub fn visit<V: Visit>(&mut self, visit: V) -> V::Output {
        on!(self, machine => visit.visit(&mut **machine))
    }

    /// Runs with hooks until one of the ends.
    #[inline(always)]
    pub fn run<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Stop {
        on!(self, machine => machine.run(hooks, until))
    }

    /// Runs one instruction.
    pub fn step(&mut self) -> Stop {
        self.run(&mut crate::NoHooks, Until::cycles(1))
    }

    /// Returns the byte that the CPU would read, without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        on!(self, machine => machine.peek(addr))
    }

    /// A store from outside.
    pub fn poke(&mut self, addr: u16, value: u8) {
        on!(self, machine => machine.poke(addr, value));
    }

    /// Puts bytes straight into RAM. They must fit.
    pub fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        on!(self, machine => machine.load_at(addr, bytes));
    }

    /// Puts an image in a ROM socket. A machine without sockets ignores it.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        on!(self, machine => machine.insert(rom, image))
    }

    /// About how many bytes a clone takes.
    pub fn size(&self) -> usize {
        on!(self, machine => machine.size())
    }
}

impl AnyComputer {
    /// Its line in the registry.
    pub fn system(&self) -> System {
        System::of(self.how_made())
    }

    /// The C64, if it is one.
    pub fn c64(&self) -> Option<&C64> {
        match self {
            AnyComputer::C64(machine) => Some(machine),
            #[allow(unreachable_patterns, reason = "there may be one kind only")]
            _ => None,
        }
    }

    /// The C64 to change, if it is one.
    pub fn c64_mut(&mut self) -> Option<&mut C64> {
        match self {
            AnyComputer::C64(machine) => Some(machine),
            #[allow(unreachable_patterns, reason = "there may be one kind only")]
            _ => None,
        }
    }

    /// The clock and the frames.
    pub fn timing(&self) -> Timing {
        self.how_made().timing().expect("it is a whole computer")
    }

    /// The colours of its picture by number.
    pub fn palette(&self) -> &'static [[u8; 3]] {
        self.how_made().palette().expect("it is a whole computer")
    }

    /// The keyboard.
    pub fn keyboard(&self) -> &'static Keyboard {
        self.how_made().keyboard().expect("it is a whole computer")
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        at!(self, machine => &machine.cpu().registers)
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        at!(self, machine => machine.cpu().cycles)
    }

    /// Sets registers and cycles. What the last instruction decided stays.
    pub fn set_cpu(&mut self, registers: Registers, cycles: u64) {
        at!(self, machine => {
            let cpu = machine.parts().0;
            (cpu.registers, cpu.cycles) = (registers, cycles);
        });
    }

    /// The phase of the CPU.
    pub fn phase(&self) -> Phase {
        at!(self, machine => machine.cpu().phase)
    }

    /// Sets the phase of the CPU.
    pub fn set_phase(&mut self, phase: Phase) {
        at!(self, machine => machine.parts().0.phase = phase);
    }

    /// Does something with the machine that is written for all of them.
    pub fn visit<V: Visit>(&mut self, visit: V) -> V::Output {
        at!(self, machine => visit.visit(&mut **machine))
    }

    /// Runs with hooks until one of the ends.
    #[inline(always)]
    pub fn run<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Stop {
        at!(self, machine => machine.run(hooks, until))
    }

    /// Runs for this many cycles with hooks, and to the end of the instruction in progress.
    #[inline(always)]
    pub fn run_for<H: Hooks>(&mut self, hooks: &mut H, cycles: u64) -> Ended {
        at!(self, machine => machine.run_for(hooks, cycles))
    }

    /// Runs one instruction.
    pub fn step(&mut self) {
        at!(self, machine => {
            let (cpu, board) = machine.parts();
            cpu.step(board);
        });
    }

    /// The number of a call to the host, if that is what stopped the CPU: then it can go on after it.
    pub fn host_call(&mut self) -> Option<u8> {
        at!(self, machine => machine.host_call())
    }

    /// A run around the board has ended: brings the chips to the CPU's cycle.
    pub fn settle(&mut self) {
        at!(self, machine => machine.settle());
    }

    /// The bank of the cartridge that is switched in, if there is a cartridge.
    pub fn cartridge_bank(&self) -> Option<u16> {
        self.c64().and_then(|machine| crate::Bus::cartridge_bank(&machine.board))
    }

    /// Returns the byte that the CPU would read, without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        at!(self, machine => machine.peek(addr))
    }

    /// The register of a chip at an address, whatever the CPU sees there, without effects.
    pub fn peek_register(&self, addr: u16) -> u8 {
        at!(self, machine => machine.peek_register(addr))
    }

    /// The RAM, whatever is shown over it.
    pub fn ram(&self) -> &[u8; 0x10000] {
        at!(self, machine => machine.ram())
    }

    /// A store from outside.
    pub fn poke(&mut self, addr: u16, value: u8) {
        at!(self, machine => machine.poke(addr, value));
    }

    /// Puts bytes straight into RAM. They must fit.
    pub fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        at!(self, machine => machine.load_at(addr, bytes));
    }

    /// Puts an image in a ROM socket. A machine without sockets ignores it.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        at!(self, machine => machine.insert(rom, image))
    }

    /// Pulls RESET: RAM stays as it is.
    pub fn reset(&mut self) {
        at!(self, machine => machine.reset());
    }

    /// Loads a program file and makes it the next thing that happens.
    pub fn start(&mut self, prg: &[u8]) -> Result<(), StartError> {
        at!(self, machine => machine.start(prg))
    }

    /// Makes the program in memory, loaded from this address on, the next thing that happens.
    pub fn enter(&mut self, first: u16) -> Result<(), StartError> {
        at!(self, machine => machine.enter(first))
    }

    /// The registers with which the machine waits for a program.
    pub fn at_rest(&self) -> Registers {
        at!(self, machine => machine.at_rest())
    }

    /// The beam's line, and its cycle there, from 1.
    pub fn beam(&self) -> (u16, u8) {
        at!(self, machine => machine.beam())
    }

    /// The last complete picture.
    pub fn picture(&self) -> Picture<'_> {
        at!(self, machine => machine.picture())
    }

    /// How many pictures are complete.
    pub fn pictures(&self) -> u64 {
        at!(self, machine => machine.pictures())
    }

    /// The rows of the screen as text; none if it shows no text.
    pub fn text(&self) -> Vec<String> {
        at!(self, machine => machine.text())
    }

    /// From now on the machine makes this many samples a second; with `None`, as at first, none.
    pub fn set_sample_rate(&mut self, rate: Option<u32>) {
        at!(self, machine => machine.set_sample_rate(rate));
    }

    /// The samples since the last call, one channel.
    pub fn take_samples(&mut self) -> Vec<i16> {
        at!(self, machine => machine.take_samples())
    }

    /// Presses or releases the key with this name; whether there is one.
    pub fn set_key(&mut self, name: &str, is_down: bool) -> bool {
        at!(self, machine => machine.set_key(name, is_down))
    }

    /// Moves the joystick in a port, from 1; ports that are not there are ignored.
    pub fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        at!(self, machine => machine.set_joystick(port, joystick));
    }

    /// The machine as bytes, for [`System::restore_computer`].
    pub fn save(&self) -> Vec<u8> {
        at!(self, machine => System::save(&**machine))
    }

    /// About how many bytes a clone takes.
    pub fn size(&self) -> usize {
        at!(self, machine => machine.size())
    }
}

impl core::fmt::Debug for AnyComputer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("AnyComputer").field(&self.system()).finish()
    }
}
