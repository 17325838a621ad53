//! Other 6502 crates on the same workload.

use mos6502::cpu::CPU;
use mos6502::instruction::Nmos6502;
use w65c02s::{System, W65C02S};

use crate::machines::START;

/// A call of the workload, and where it returns to.
const CALL: u16 = 0x0200;
const RETURN: u16 = CALL + 3;

/// Flat RAM as the crates want it.
struct Memory([u8; 0x10000]);

impl Memory {
    fn new(bytes: &[u8; 0x10000]) -> Memory {
        let mut memory = Memory(*bytes);
        let [lo, hi] = START.to_le_bytes();
        memory.0[usize::from(CALL)..usize::from(RETURN)].copy_from_slice(&[0x20, lo, hi]);
        memory
    }

    fn result(&self) -> [u8; 8] {
        core::array::from_fn(|index| self.0[0x0300 + index])
    }
}

impl mos6502::memory::Bus for Memory {
    #[inline(always)]
    fn get_byte(&mut self, addr: u16) -> u8 {
        self.0[usize::from(addr)]
    }

    #[inline(always)]
    fn set_byte(&mut self, addr: u16, value: u8) {
        self.0[usize::from(addr)] = value;
    }
}

impl System for Memory {
    #[inline(always)]
    fn read(&mut self, _cpu: &mut W65C02S, addr: u16) -> u8 {
        self.0[usize::from(addr)]
    }

    #[inline(always)]
    fn write(&mut self, _cpu: &mut W65C02S, addr: u16, value: u8) {
        self.0[usize::from(addr)] = value;
    }
}

pub struct Mos6502(CPU<Memory, Nmos6502>);

impl Mos6502 {
    pub fn new(bytes: &[u8; 0x10000]) -> Mos6502 {
        Mos6502(CPU::new(Memory::new(bytes), Nmos6502))
    }

    pub fn run(&mut self) {
        self.0.registers.program_counter = CALL;
        while self.0.registers.program_counter != RETURN {
            self.0.single_step();
        }
    }

    pub fn result(&self) -> [u8; 8] {
        self.0.memory.result()
    }
}

pub struct Wdc65c02 {
    cpu: W65C02S,
    memory: Memory,
}

impl Wdc65c02 {
    pub fn new(bytes: &[u8; 0x10000]) -> Wdc65c02 {
        let mut cpu = W65C02S::new();
        let mut memory = Memory::new(bytes);
        // Its first step is the reset sequence.
        cpu.step(&mut memory);
        Wdc65c02 { cpu, memory }
    }

    pub fn run(&mut self) {
        self.cpu.set_pc(CALL);
        while self.cpu.get_pc() != RETURN {
            self.cpu.step(&mut self.memory);
        }
    }

    pub fn result(&self) -> [u8; 8] {
        self.memory.result()
    }
}
