//! Whatever a program does, the machine goes on or says why it does not: random bytes run as programs, in every bank setting
//! they reach, and damaged saved machines are refused.

use proptest::prelude::*;
use tempo_emu::c64::{C64, Ended, Model};

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_a_program(seed: u64, is_pal: bool) {
        let mut machine = C64::new(if is_pal { Model::Pal } else { Model::Ntsc });
        machine.board.set_sample_rate(if seed % 4 == 0 { Some(44_100) } else { None });
        let mut random = tempo_random::Random::new(seed);
        for byte in machine.board.ram_mut().iter_mut().skip(2) {
            *byte = random.below(256) as u8;
        }
        machine.cpu.registers.pc = random.below(0x10000) as u16;
        for _ in 0..40 {
            let before = machine.cpu.cycles;
            match machine.run_cycles(3000) {
                Ended::Time => prop_assert!(machine.cpu.cycles >= before + 3000),
                Ended::Exit(_) => break,
                // On with something else.
                _ => {
                    machine.cpu.phase = tempo_emu::Phase::Running;
                    machine.cpu.registers.pc = random.below(0x10000) as u16;
                }
            }
        }
        prop_assert!(machine.board.picture().iter().all(|&colour| colour < 16));
        let again = C64::load(&machine.save());
        prop_assert!(again.is_ok_and(|again| again == machine));
    }

    /// Bytes of a saved machine, some changed and the checksum made to fit, are refused or run.
    #[test]
    fn a_forged_machine_is_refused_or_runs(places in prop::collection::vec((0usize..4000, any::<u8>()), 1..6), from_end: bool) {
        let mut machine = C64::new(Model::Pal);
        machine.run_cycles(40_000);
        let mut bytes = machine.save();
        let (chips, end) = (0x15000 + 0x400, bytes.len() - 8);
        for (place, value) in places {
            let at = if from_end { end - 1 - place % 400 } else { chips + place };
            bytes[at] = value;
        }
        let sum = tempo_emu::c64::state_checksum(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        if let Ok(mut forged) = C64::load(&bytes) {
            forged.run_cycles(40_000);
        }
    }
}
