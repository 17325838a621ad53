//! The machine catches up with its chips late and draws lines whole; that must not show. Random programs that write to
//! the chips at random cycles run twice, once in long runs and once an instruction at a time with all chips caught up
//! after every one, and the whole machines must be equal: state, memory and picture.

use proptest::prelude::*;
use tempo_emu::c64::{C64, Model};

/// One thing a random program does.
#[derive(Debug, Clone)]
enum Deed {
    /// Waits a number of two-cycle instructions.
    Wait(u8),
    /// Waits longer, a loop of five cycles a round.
    Loop(u8),
    /// Writes to an address.
    Write(u16, u8),
    /// Reads an address and keeps what it read.
    Read(u16),
    /// Changes an address with a read-modify-write instruction.
    Change(u16),
}

/// Addresses of the chips, those that matter most more often.
fn chip() -> impl Strategy<Value = u16> {
    prop_oneof![
        6 => 0xd000u16..0xd02f,
        4 => prop::sample::select(vec![0xd011, 0xd012, 0xd015, 0xd016, 0xd017, 0xd018, 0xd019, 0xd01a, 0xd01e, 0xd01f]),
        2 => 0xd400u16..0xd41d,
        2 => 0xd800u16..0xdbe8,
        2 => prop_oneof![0xdc00u16..0xdc10, 0xdd00u16..0xdd10],
        1 => 0xde00u16..0xe000,
    ]
}

/// Memory that the VIC may read.
fn memory() -> impl Strategy<Value = u16> {
    prop_oneof![0x0400u16..0x0800, 0x2000u16..0x4000, 0x0002u16..0x0100, Just(1u16)]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (0u8..40).prop_map(Deed::Wait),
        3 => any::<u8>().prop_map(Deed::Loop),
        6 => (chip(), any::<u8>()).prop_map(|(addr, value)| Deed::Write(addr, value)),
        2 => (memory(), any::<u8>()).prop_map(|(addr, value)| {
            // The I/O must stay visible, or nothing happens any more.
            Deed::Write(addr, if addr == 1 { value | 0x05 } else { value })
        }),
        2 => chip().prop_map(Deed::Read),
        1 => chip().prop_map(Deed::Change),
    ]
}

/// The program at $C000, an endless loop; interrupts only count and are acknowledged.
fn machine(model: Model, deeds: &[Deed], seed: u64) -> C64 {
    let mut machine = C64::new(model);
    let mut random = tempo_random::Random::new(seed);
    let ram = machine.board.ram_mut();
    for byte in &mut ram[0x0400..0x4000] {
        *byte = random.below(256) as u8;
    }
    let mut code = Vec::new();
    for deed in deeds {
        match *deed {
            Deed::Wait(count) => code.extend(core::iter::repeat_n(0xea, usize::from(count))),
            Deed::Loop(count) => code.extend([0xa2, count.max(1), 0xca, 0xd0, 0xfd]),
            Deed::Write(addr, value) => {
                let [low, high] = addr.to_le_bytes();
                code.extend([0xa9, value, 0x8d, low, high]);
            }
            Deed::Read(addr) => {
                let [low, high] = addr.to_le_bytes();
                code.extend([0xad, low, high, 0x48]);
            }
            Deed::Change(addr) => {
                let [low, high] = addr.to_le_bytes();
                code.extend([0xee, low, high]);
            }
        }
    }
    code.extend([0x4c, 0x00, 0xc0]);
    ram[0xc000..0xc000 + code.len()].copy_from_slice(&code);
    // inc $cfff; lda #$0f; sta $d019; lda $dc0d; lda $dd0d; rti
    let handler = [0xee, 0xff, 0xcf, 0xa9, 0x0f, 0x8d, 0x19, 0xd0, 0xad, 0x0d, 0xdc, 0xad, 0x0d, 0xdd, 0x40];
    ram[0xcf00..0xcf00 + handler.len()].copy_from_slice(&handler);
    ram[0xfffe..].copy_from_slice(&[0x00, 0xcf]);
    ram[0xfffa..0xfffc].copy_from_slice(&[0x00, 0xcf]);
    ram[0x0318..0x031a].copy_from_slice(&[0x00, 0xcf]);
    machine.cpu.registers.pc = 0xc000;
    machine.cpu.registers.s = 0xff;
    machine
}

fn differences(lazy: &C64, exact: &C64) -> Option<String> {
    if lazy == exact {
        return None;
    }
    let mut text = format!("after {} cycles, beam {:?}\n", lazy.cpu.cycles, exact.board.beam());
    let (a, b) = (lazy.save(), exact.save());
    let differing: Vec<usize> = (0..a.len().min(b.len())).filter(|&at| a[at] != b[at]).collect();
    for at in differing.iter().take(40) {
        text += &format!("{at:#x}: lazy {:02x}, exact {:02x}\n", a[*at], b[*at]);
    }
    Some(format!("{text}{} of {} bytes differ", differing.len(), a.len()))
}

fn compare(model: Model, deeds: &[Deed], seed: u64) -> Result<(), TestCaseError> {
    let mut lazy = machine(model, deeds, seed);
    let mut exact = lazy.clone();
    for _ in 0..3 {
        lazy.run_frames(1);
        while exact.cpu.cycles < lazy.cpu.cycles {
            let before = exact.cpu.cycles;
            exact.run_cycles(1);
            prop_assert!(exact.cpu.cycles > before, "{:?}", exact.cpu);
        }
        if let Some(text) = differences(&lazy, &exact) {
            return Err(TestCaseError::fail(text));
        }
    }
    Ok(())
}

/// An access that catches up with the VIC in the very cycle of its interrupt.
#[test]
fn an_interrupt_in_the_cycle_of_an_access_comes_in_time() {
    for deed in [Deed::Write(1, 0x35), Deed::Read(0xd013), Deed::Read(0xd019), Deed::Read(0xd01e)] {
        for wait in 0..16 {
            // The handler in RAM, no other interrupt, and this one near the end of a frame.
            let mut deeds = vec![Deed::Write(1, 0x35), Deed::Write(0xdc0d, 0x7f), Deed::Write(0xd01a, 1)];
            deeds.extend([Deed::Write(0xd011, 0x9b), Deed::Write(0xd012, 0x2c), Deed::Wait(wait)]);
            for _ in 0..40 {
                // The stack keeps times.
                deeds.extend([deed.clone(), Deed::Read(0xdc04)]);
            }
            compare(Model::Pal, &deeds, 0).unwrap_or_else(|error| panic!("{deed:?}, {wait}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn late_is_as_exact_as_in_time_on_pal(deeds in prop::collection::vec(deed(), 1..60), seed: u64) {
        compare(Model::Pal, &deeds, seed)?;
    }

    #[test]
    fn late_is_as_exact_as_in_time_on_ntsc(deeds in prop::collection::vec(deed(), 1..60), seed: u64) {
        compare(Model::Ntsc, &deeds, seed)?;
    }

    #[test]
    fn late_is_as_exact_as_in_time_on_the_c64c(deeds in prop::collection::vec(deed(), 1..60), seed: u64) {
        compare(Model::C64c, &deeds, seed)?;
    }

    #[test]
    fn late_is_as_exact_as_in_time_on_old_ntsc(deeds in prop::collection::vec(deed(), 1..60), seed: u64) {
        compare(Model::NtscOld, &deeds, seed)?;
    }
}
