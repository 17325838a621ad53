use super::*;
use crate::{Ended, Phase, Registers, Until, Visit};

/// `10 SYS 2061`, then `jmp *`.
const PROGRAM: [u8; 17] =
    [0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, 0x4c, 0x0d, 0x08];

#[test]
fn every_word_means_one_machine() {
    let mut seen = alloc::collections::BTreeSet::new();
    for system in System::ALL {
        for word in system.words() {
            assert!(seen.insert(word), "{word} is the name of two machines");
            assert_eq!(System::find(word), Some(system));
            assert_eq!(System::find(&word.replace('-', "_").to_uppercase()), Some(system));
        }
        assert_eq!(System::find_in_suite(system.suite_name()), Some(system));
    }
    assert_eq!(System::find("amiga"), None);
    assert_eq!(
        (System::find("c64"), System::find_in_suite("c64")),
        (Some(System::C64Pal), Some(System::C64Memory))
    );
    assert_eq!(System::find("c64-pal"), Some(System::C64Pal));
    for &model in Model::ALL {
        assert!(System::ALL.into_iter().any(|system| system.c64() == Some(model)));
    }
}

#[test]
fn every_machine_runs_looks_and_stores() {
    for system in System::ALL {
        let mut machine = system.build();
        // inc $1100; jmp $1000
        machine.load_at(0x1000, &[0xee, 0x00, 0x11, 0x4c, 0x00, 0x10]);
        machine.poke(0x1100, 7);
        let registers = Registers { pc: 0x1000, ..*machine.registers() };
        machine.place(registers, machine.cycles());
        let before = machine.clone();
        machine.step();
        assert_eq!((machine.peek(0x1100), machine.registers().pc), (8, 0x1003), "{system}");
        assert!(machine.cycles() >= before.cycles() + 6 && !machine.is_same(&before), "{system}");
        assert_eq!(system.computer().is_some(), system.is_whole(), "{system}");
        let again = &mut before.clone();
        again.step();
        assert_eq!(again.peek(0x1100), 8);
    }
}

#[test]
fn every_computer_has_frames_a_picture_and_keys() {
    for (system, mut machine) in System::ALL.into_iter().filter_map(|one| Some((one, one.computer()?))) {
        assert_eq!(machine.system(), system);
        let timing = machine.timing();
        assert_eq!(system.timing(), Some(timing));
        // An endless loop: nothing but frames.
        machine.start(&PROGRAM).expect("a program");
        assert_eq!(timing.cycles_to(timing.beam_at(12_345)), 12_345);
        assert_eq!(machine.run_for(&mut crate::NoHooks, 2 * timing.cycles_per_frame()), Ended::Time);
        // The beam is where the last cycle was.
        assert_eq!(machine.beam(), timing.beam_at(machine.cycles() - 1));
        let picture = machine.picture();
        assert!(machine.pictures() > 0 && picture.height() > 0, "{system}");
        let colours = system.palette().expect("a palette").len();
        assert!(picture.pixels.iter().all(|&pixel| usize::from(pixel) < colours), "{system}");
        let keyboard = machine.keyboard();
        let chords = keyboard.chords.iter().map(|row| row.1).chain(keyboard.typed.iter().map(|row| row.1));
        for name in chords {
            let is_one = keyboard.find(name).is_some();
            assert!(is_one || name.split('+').all(|key| keyboard.find(key).is_some()), "{system}: {name}");
        }
        for key in keyboard.keys {
            assert!(machine.set_key(key, true) && machine.set_key(key, false), "{system}: {key}");
        }
        assert!(!machine.set_key("no such key", true));
        let again = system.restore_computer(&machine.save()).expect("a computer").expect("what was saved");
        assert!(again.is_same(&machine), "{system}");
    }
}

#[test]
fn every_machine_is_saved_and_goes_on_as_the_original() {
    let states = System::ALL.map(|system| {
        let mut machine = system.build();
        // ldx #$35; stx $01; loop: inc $d020; php; inx; stx $e000; plp; jmp loop
        let code =
            [0xa2, 0x35, 0x86, 0x01, 0xee, 0x20, 0xd0, 0x08, 0xe8, 0x8e, 0x00, 0xe0, 0x28, 0x4c, 0x04, 0x10];
        machine.load_at(0x1000, &code);
        machine.insert(Rom::Kernal, &[0x77; 0x2000]).expect("the size of the socket");
        let registers = Registers { pc: 0x1000, ..*machine.registers() };
        machine.place(registers, machine.cycles());
        machine.run(&mut crate::NoHooks, Until::cycles(12_345));
        let mut again = system.restore(&machine.save()).expect("what was saved");
        for _ in 0..2 {
            assert!(again.is_same(&machine), "{system}");
            let seen = |one: &AnyMachine| (0..=0xffff).map(|addr| one.peek(addr)).collect::<Vec<u8>>();
            assert_eq!(seen(&again), seen(&machine), "{system}");
            assert_eq!(
                (again.cycles(), again.registers()),
                (machine.cycles(), machine.registers()),
                "{system}"
            );
            assert_eq!(again.save(), machine.save(), "{system}");
            for one in [&mut machine, &mut again] {
                // All of memory is RAM now.
                one.poke(0x01, 0x30);
                one.run(&mut crate::NoHooks, Until::cycles(6_789));
            }
        }
        machine.save()
    });
    for (system, state) in System::ALL.into_iter().zip(&states) {
        assert_eq!(System::of_state(state), Ok(system));
        for expected in System::ALL.into_iter().filter(|&other| other != system) {
            let refused = expected.restore(state).err();
            assert_eq!(refused, Some(StateError::Other { found: system, expected }));
        }
    }
}

#[test]
fn a_state_that_no_cpu_can_be_in_is_refused() {
    let forged = |system: System, phase: Phase| {
        let mut machine = system.build();
        struct Set(Phase);
        impl Visit for Set {
            type Output = ();
            fn visit<M: Machine>(self, machine: &mut M) {
                machine.parts().0.phase = self.0;
            }
        }
        machine.visit(Set(phase));
        system.restore(&machine.save()).err()
    };
    for system in System::ALL {
        let is_cmos = system.isa().family() == tempo_isa::Family::Cmos;
        assert_eq!(forged(system, Phase::Stopped).is_none(), is_cmos, "{system}");
        assert_eq!(forged(system, Phase::Jammed), None, "{system}");
        assert!(matches!(forged(system, Phase::Held), Some(StateError::Impossible(_))), "{system}");
    }
}

#[test]
fn the_bank_switch_of_a_6510_is_that_of_its_machine() {
    let seen = |system: System| {
        let mut machine = system.build();
        machine.load_at(0xd000, &[0x11]);
        machine.load_at(0xe000, &[0x12]);
        [machine.peek(0xd000), machine.peek(0xe000)]
    };
    assert_eq!(seen(System::Mos6502), [0x11, 0x12]);
    assert_eq!(seen(System::Mos6510), [0xff, 0x12]);
    assert_eq!(seen(System::C64Memory), [0x00, 0x00]);
}
