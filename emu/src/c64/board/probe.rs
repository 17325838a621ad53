//! A device that uses every line of the expansion port, and tests of the board with it in place.

use alloc::vec::Vec;

use super::Board;
use crate::c64::port::{BANK, Banks, Dma, Half, Port};
use crate::c64::{C64, Model, StateError, state_checksum};
use crate::state::state;

/// $DE00: bit 0 EXROM low, bit 1 GAME low, bit 2 IRQ, bit 3 NMI, bit 4 the high half answers each read by itself, bits 5-7
/// the bank. $DE01: pulls DMA and copies this many bytes from $C000 to $C100. $DE02: pulls IRQ after 16 times this many cycles.
/// $DF00 is a byte of RAM; the other addresses of I/O 2 are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Eight banks of both halves.
    rom: Vec<u8>,
    control: u8,
    byte: u8,
    dma: u8,
    timer: u64,
    is_over: bool,
}

state!(Probe { rom, control, byte, dma, timer, is_over });

impl Probe {
    /// Every byte of a bank is 16 times its number, and 8 more in the high half.
    fn new() -> Probe {
        let banks = (0..16u8).map(|number| (number & 7) << 4 | number & 8);
        let rom = banks.flat_map(|mark| core::iter::repeat_n(mark, BANK)).collect();
        Probe { rom, control: 0, byte: 0, dma: 0, timer: 0, is_over: false }
    }

    fn bank(&self, half: Half) -> usize {
        usize::from(self.control >> 5) + if half == Half::High { 8 } else { 0 }
    }
}

impl Port for Probe {
    fn banks(&self) -> Banks {
        let number = u16::from(self.control >> 4);
        Banks { exrom: self.control & 1 != 0, game: self.control & 2 != 0, shown: [number; 2] }
    }

    fn rom(&self, half: Half) -> Option<&[u8; BANK]> {
        if half == Half::High && self.control & 0x10 != 0 {
            return None;
        }
        self.rom[self.bank(half) * BANK..].first_chunk()
    }

    fn peek_rom(&self, half: Half, offset: u16) -> Option<u8> {
        (half == Half::High && self.control & 0x10 != 0).then_some(offset as u8 ^ 0x5a)
    }

    fn write_rom(&mut self, half: Half, offset: u16, value: u8) {
        let at = self.bank(half) * BANK + usize::from(offset);
        self.rom[at] = value;
    }

    fn peek_io(&self, addr: u16) -> Option<u8> {
        (addr == 0xdf00).then_some(self.byte)
    }

    fn write_io(&mut self, addr: u16, value: u8) {
        match addr {
            0xde00 => self.control = value,
            0xde01 => self.dma = value,
            0xde02 => self.timer = u64::from(value) * 16,
            0xdf00 => self.byte = value,
            _ => {}
        }
        self.is_over = false;
    }

    fn is_irq_low(&self) -> bool {
        self.control & 4 != 0 || self.is_over
    }

    fn is_nmi_low(&self) -> bool {
        self.control & 8 != 0
    }

    fn is_dma_low(&self) -> bool {
        self.dma != 0
    }

    fn use_bus(&mut self, bus: &mut dyn Dma) {
        for at in 0..u16::from(core::mem::take(&mut self.dma)) {
            let value = bus.read(0xc000 + at);
            bus.write(0xc100 + at, value);
        }
    }

    fn tick(&mut self, cycles: u64) {
        self.is_over |= self.timer > 0 && cycles >= self.timer;
        self.timer = self.timer.saturating_sub(cycles);
    }

    fn quiet_for(&self) -> u64 {
        if self.timer == 0 { u64::MAX } else { self.timer - 1 }
    }

    fn reset(&mut self) {
        self.control = 0;
    }
}

/// A machine with the probe in its port, and marks in RAM and ROM.
fn machine() -> C64 {
    let mut machine = C64::new(Model::Pal);
    machine.board.ram_mut()[0x0800..].fill(0x11);
    machine.board.insert(crate::Rom::Basic, &[0xba; 0x2000]).expect("the size");
    machine.board.insert(crate::Rom::Kernal, &[0xfe; 0x2000]).expect("the size");
    machine.board.plug(Probe::new());
    machine
}

/// R RAM, B BASIC, K KERNAL, L and H the device, - nothing.
fn seen(board: &Board, addr: u16) -> char {
    match board.peek(addr) {
        0x11 => 'R',
        0xba => 'B',
        0xfe => 'K',
        0x20 => 'L',
        0x28 => 'H',
        _ => '-',
    }
}

#[test]
fn exrom_and_game_choose_the_map() {
    let maps = [
        (0x40, ["RRR", "RRR", "RRK", "RBK"]),
        (0x41, ["RRR", "RRR", "RRK", "LBK"]),
        (0x43, ["RRR", "RRR", "RHK", "LHK"]),
        (0x42, ["L-H", "L-H", "L-H", "L-H"]),
    ];
    let mut machine = machine();
    let board = &mut machine.board;
    for (control, rows) in maps {
        for (port, row) in (0x34..).zip(rows) {
            board.poke(1, 0x37, 0);
            board.poke(0xde00, control, 0);
            board.poke(1, port, 0);
            let found: alloc::string::String =
                [0x8000, 0xa000, 0xe000].into_iter().map(|addr| seen(board, addr)).collect();
            assert_eq!(found, row, "control ${control:02x}, port ${port:02x}");
        }
    }
}

#[test]
fn stores_reach_the_ram_below_or_in_ultimax_mode_the_device() {
    let mut machine = machine();
    let board = &mut machine.board;
    board.poke(0xde00, 0x43, 0);
    board.poke(0x8000, 0x77, 0);
    assert_eq!((board.ram()[0x8000], board.peek(0x8000)), (0x77, 0x20));
    board.poke(0xde00, 0x42, 0);
    board.poke(0x8000, 0x55, 0);
    board.poke(0xe123, 0x66, 0);
    board.poke(0x4000, 0x44, 0);
    assert_eq!((board.ram()[0x8000], board.ram()[0xe123], board.ram()[0x4000]), (0x77, 0x11, 0x11));
    assert_eq!((board.peek(0x8000), board.peek(0xe123)), (0x55, 0x66));
    // Another half of the device answers by itself; the VIC sees the upper half of ROMH at $3000.
    board.poke(0xde00, 0x52, 0);
    assert_eq!((board.peek(0xe003), board.peek(0xa003) == 0x59), (0x59, false));
    board.poke(0xde00, 0x42, 0);
    assert_eq!([0x2fff, 0x3000, 0x3fff].map(|addr| board.view().read(addr)), [0x11, 0x28, 0x28]);
    assert_eq!(board.view().read(0x1000), 0x11);
}

#[test]
fn a_saved_machine_has_the_banks_of_its_device() {
    let mut machine = machine();
    machine.board.poke(0xde00, 0x43, 0);
    machine.board.poke(0xdf00, 0x99, 0);
    let mut again = C64::load(&machine.save()).expect("a machine");
    assert!(again == machine);
    assert_eq!((again.board.peek(0x8000), again.board.peek(0xdf00)), (0x20, 0x99));
    again.reset();
    assert_eq!((again.board.peek(0xdf00), seen(&again.board, 0x8000)), (0x99, 'R'));
    machine.board.unplug(|_| true);
    assert_eq!(seen(&machine.board, 0x8000), 'R');
}

#[test]
fn a_cartridge_and_a_ram_expansion_fit_together() {
    let mut machine = machine();
    assert!(machine.board.expand(128));
    machine.board.poke(0xde00, 0x43, 0);
    // Two bytes of ROML to the expansion and from there to $C100.
    for (register, value) in
        [(2, 0x00), (3, 0x80), (7, 2), (8, 0), (1, 0x90), (2, 0), (3, 0xc1), (4, 0), (7, 2)]
    {
        machine.board.poke(0xdf00 | register, value, machine.cpu.cycles);
        machine.board.ram_mut()[0xc200..0xc203].copy_from_slice(&[0x4c, 0x00, 0xc2]);
        machine.cpu.registers.pc = 0xc200;
        machine.run_cycles(100);
    }
    machine.board.poke(0xdf01, 0x91, machine.cpu.cycles);
    machine.run_cycles(100);
    assert_eq!(machine.board.ram()[0xc100..0xc103], [0x20, 0x20, 0x11]);
    assert_eq!((seen(&machine.board, 0x8000), seen(&machine.board, 0xa000)), ('L', 'H'));
    let bytes = machine.save();
    let mut again = C64::load(&bytes).expect("a machine");
    assert!(again == machine);
    assert_eq!(again.board.devices().len(), 2);
    // A second one of a kind takes the place of the first; without it the cartridge stays.
    assert!(again.board.expand(256));
    assert_eq!(again.board.devices().len(), 2);
    assert!(again.board.expand(0) && !again.board.expand(100));
    assert_eq!((again.board.devices().len(), seen(&again.board, 0x8000)), (1, 'L'));
}

#[test]
fn a_state_with_two_devices_of_a_kind_is_refused() {
    let one = machine().save();
    // The devices are a count and one after the other; the probe begins with its number.
    let probe = {
        let mut bytes = Vec::new();
        crate::state::State::save(&machine().board.devices()[0], &mut bytes);
        bytes
    };
    let at = one.windows(probe.len()).position(|bytes| bytes == probe).expect("the device");
    let mut two = one[..at - 1].to_vec();
    two.push(2);
    two.extend([&probe[..], &probe, &one[at + probe.len()..one.len() - 8]].concat());
    let sum = state_checksum(&two);
    two.extend(sum.to_le_bytes());
    assert!(matches!(C64::load(&two), Err(StateError::Impossible(text)) if text.contains("two devices")));
}

/// Runs code at $C200 in one run and an instruction at a time; the machines must be equal.
fn run(code: &[u8], cycles: u64) -> C64 {
    let mut lazy = machine();
    let ram = lazy.board.ram_mut();
    ram[0xc200..0xc200 + code.len()].copy_from_slice(code);
    // inc $02; lda #0; sta $de00; sta $de02; rti
    let handler = [0xe6, 2, 0xa9, 0, 0x8d, 0, 0xde, 0x8d, 2, 0xde, 0x40];
    ram[0xc300..0xc300 + handler.len()].copy_from_slice(&handler);
    ram[0xfffa..].copy_from_slice(&[0, 0xc3, 0, 0xc2, 0, 0xc3]);
    ram[2] = 0;
    ram[0xc000..0xc006].copy_from_slice(b"tempo!");
    lazy.board.poke(1, 0x35, 0);
    // No interrupt but the device's.
    lazy.board.poke(0xdc0d, 0x7f, 0);
    lazy.cpu.registers.pc = 0xc200;
    let mut exact = lazy.clone();
    lazy.run_cycles(cycles);
    while exact.cpu.cycles < lazy.cpu.cycles {
        exact.run_cycles(1);
    }
    assert!(lazy == exact);
    lazy
}

#[test]
fn it_interrupts_at_once_and_by_its_clock() {
    // cli; lda #.., sta $de0x; jmp *
    let code = |value: u8, at: u8| [0x58, 0xa9, value, 0x8d, at, 0xde, 0x4c, 6, 0xc2];
    for (value, at) in [(4, 0), (8, 0), (100, 2)] {
        assert_eq!(run(&code(value, at), 3000).board.ram()[2], 1, "{value} to $DE{at:02X}");
    }
    assert_eq!(run(&code(100, 2), 1500).board.ram()[2], 0);
}

#[test]
fn it_takes_the_bus_from_the_cpu() {
    let machine = run(&[0xa9, 5, 0x8d, 1, 0xde, 0x4c, 5, 0xc2], 17);
    assert_eq!(&machine.board.ram()[0xc100..0xc106], b"tempo\x11");
    // Two instructions, ten cycles of the bus, one jump.
    assert!(machine.cpu.cycles >= 6 + 10 + 3, "{}", machine.cpu.cycles);
}
