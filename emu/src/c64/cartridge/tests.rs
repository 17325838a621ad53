use super::*;
use crate::c64::{BASIC, C64, Device, Model};

/// A cartridge whose banks begin with their number, and with $80 more in the high half.
fn numbered(kind: CartridgeKind, banks: usize) -> Cartridge {
    let mut cartridge = Cartridge::new(kind);
    for bank in 0..banks {
        cartridge.fill(bank, 0x8000, &[bank as u8]);
        if kind.has_high() {
            cartridge.fill(bank, 0xa000, &[bank as u8 | 0x80]);
        }
    }
    cartridge
}

fn machine(cartridge: Cartridge) -> C64 {
    let mut machine = C64::new(Model::Pal);
    machine.board.plug(cartridge);
    machine.reset();
    machine.board.poke(0, 0x2f, 0);
    machine.board.poke(1, 0x37, 0);
    machine
}

#[test]
fn banks_are_cut_to_the_size_of_the_kind() {
    let mut device = machine(numbered(CartridgeKind::MagicDesk, 3));
    let mut shows = |value: u8| {
        device.board.poke(0xde00, value, 0);
        device.board.peek(0x8000)
    };
    // Bank 3 was never filled.
    assert_eq!([0, 1, 2, 3, 4, 6].map(&mut shows), [0, 1, 2, 0xff, 0, 2]);
    let mut device = machine(numbered(CartridgeKind::Ocean, 64));
    device.board.poke(0xdeff, 0x85, 0);
    assert_eq!(device.board.peek(0x8000), 5);
    assert_eq!(device.board.peek(0xa000), BASIC[0], "512 KB are shown at $8000 alone; this is BASIC");
}

/// Writes a sequence in Ultimax mode, as EasyFlash programs do.
fn write(machine: &mut C64, writes: &[(u16, u8)]) {
    for &(addr, value) in writes {
        machine.board.poke(addr, value, machine.cpu.cycles);
    }
}

const UNLOCK: [(u16, u8); 2] = [(0x8555, 0xaa), (0x82aa, 0x55)];

#[test]
fn flash_is_programmed_and_erased_by_its_commands() {
    let mut device = machine(numbered(CartridgeKind::EasyFlash, 2));
    write(&mut device, &[(0xde00, 1), (0xde02, 5)]);
    assert_eq!((device.board.peek(0x8000), device.board.peek(0x8123)), (1, 0xff));
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8555, 0xa0), (0x8123, 0x5a)]);
    assert_eq!(device.board.peek(0x8123), 0x5a);
    // Bits are cleared only, and a write without the command changes nothing.
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8555, 0xa0), (0x8123, 0xf0), (0x8124, 0x00)]);
    assert_eq!((device.board.peek(0x8123), device.board.peek(0x8124)), (0x50, 0xff));
    // A bank that the file does not have.
    write(&mut device, &[(0xde00, 40)]);
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8555, 0xa0), (0x9fff, 0x77)]);
    assert_eq!((device.board.peek(0x9fff), device.board.peek(0x8000)), (0x77, 0xff));
    // Saved and loaded with what was written.
    device.cpu.registers.pc = 0x0400;
    let again = C64::load(&device.save()).expect("a machine");
    assert_eq!(again.board.peek(0x9fff), 0x77);
    assert!(again == device);
    // The sector of bank 40 is erased, that of bank 1 stays.
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8555, 0x80)]);
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8000, 0x30)]);
    assert_eq!(device.board.peek(0x9fff), 0xff);
    write(&mut device, &[(0xde00, 1)]);
    assert_eq!(device.board.peek(0x8123), 0x50);
    // In 16K mode writes go to RAM.
    write(&mut device, &[(0xde02, 7)]);
    write(&mut device, &UNLOCK);
    write(&mut device, &[(0x8555, 0xa0), (0x8200, 0x00)]);
    assert_eq!((device.board.peek(0x8200), device.board.ram()[0x8200]), (0xff, 0));
}

#[test]
fn flash_says_what_it_is() {
    let mut device = machine(numbered(CartridgeKind::EasyFlash, 1));
    write(&mut device, &[(0xde02, 5)]);
    write(&mut device, &[(0xe555, 0xaa), (0xe2aa, 0x55), (0xe555, 0x90)]);
    assert_eq!([0xe000, 0xe001, 0x8000].map(|addr| device.board.peek(addr)), [0x01, 0xa4, 0]);
    write(&mut device, &[(0xe000, 0xf0)]);
    assert_eq!(device.board.peek(0xe000), 0x80);
}

#[test]
fn the_eeprom_keeps_words() {
    let mut device = machine(numbered(CartridgeKind::Gmod2, 1));
    let send = |machine: &mut C64, bits: u32, count: u32| {
        for at in (0..count).rev() {
            let data = if bits >> at & 1 != 0 { DATA } else { 0 };
            write(machine, &[(0xde00, SELECT | data), (0xde00, SELECT | CLOCK | data)]);
        }
    };
    let command = |machine: &mut C64, bits: u32, count: u32| {
        write(machine, &[(0xde00, 0), (0xde00, SELECT)]);
        send(machine, bits, count);
    };
    let read = |machine: &mut C64, at: u32| {
        command(machine, 0b110 << 10 | at, 13);
        assert_eq!(machine.board.peek(0xde00) & 0x80, 0, "a zero comes first");
        (0..16).fold(0u16, |word, _| {
            send(machine, 0, 1);
            word << 1 | u16::from(machine.board.peek(0xde00) >> 7)
        })
    };
    assert_eq!(read(&mut device, 5), 0xffff);
    // Without the permission nothing is written.
    command(&mut device, (0b101 << 10 | 5) << 16 | 0x1234, 29);
    assert_eq!(read(&mut device, 5), 0xffff);
    command(&mut device, 0b1_0011 << 8, 13);
    command(&mut device, (0b101 << 10 | 5) << 16 | 0x1234, 29);
    assert_eq!((read(&mut device, 5), read(&mut device, 6)), (0x1234, 0xffff));
    // The ROM is off while the EEPROM is selected.
    assert_eq!(device.board.peek(0x8000), device.board.ram()[0x8000]);
    write(&mut device, &[(0xde00, 0)]);
    assert_eq!(device.board.peek(0x8000), 0);
}

#[test]
fn a_machine_without_the_cartridge_of_a_state_gets_it_from_the_state() {
    let saved = machine(numbered(CartridgeKind::Ocean, 16)).save();
    let loaded = C64::load(&saved).expect("a machine");
    assert!(matches!(loaded.board.devices(), [Device::Cartridge(_)]));
    assert_eq!(loaded.board.peek(0xa000), 0);
}

#[test]
fn more_memory_than_the_kind_has_is_refused() {
    let mut cartridge = numbered(CartridgeKind::Rom8K, 1);
    cartridge.low = Arc::from(alloc::vec![0; 3 * BANK]);
    let saved = machine(cartridge).save();
    assert!(C64::load(&saved).is_err());
}
