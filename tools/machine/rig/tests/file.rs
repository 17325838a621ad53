//! Recordings as files: what is written is read back, damage is named, and no bytes bring the reader down.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use tempo_c64::Keys;
use tempo_diagnostics::Span;
use tempo_emu::{Joystick, System, checksum};
use tempo_rig::file::{About, Ask, Course, FileError, SourceSet, read, write};
use tempo_rig::record::{Action, first_failure};
use tempo_rig::{Feed, IoWrites, Line, MOST_AT_ONCE, MOST_CYCLES, TestMachine, Wire};

fn course(system: System) -> Course {
    let mut machine = TestMachine::new(system, IoWrites::IoOnly);
    machine.load(0x1000, &[0xe8, 0x4c, 0x00, 0x10]);
    machine.registers.pc = 0x1000;
    let mut later = machine.clone();
    later.poke(0x2000, 7);
    let registers = machine.registers;
    let mut actions = vec![
        Action::Statement(Span { start: 10, end: 14 }),
        Action::Poke(0x2000, 5),
        Action::Feeds(vec![Feed { address: 0xd012, values: vec![1, 2], next: 1 }]),
        Action::Wires(vec![Wire { line: Line::Nmi, at: 9, is_served: true }]),
        Action::Enter(registers, 3),
        Action::Run(1000),
        Action::Machine(Arc::new(later.clone())),
        Action::Machine(Arc::new(later)),
        Action::Main(registers, 12),
        Action::Frame(20_000),
        Action::Joystick(2, Joystick::from_bits(17)),
        Action::Failure { span: Span { start: 20, end: 21 }, message: "a is 4 – not 5".to_string() },
    ];
    if let Some(whole) = machine.whole() {
        let keys = Keys::parse("a{F1}{SHIFT+B 5}", whole.keyboard()).expect("keys");
        actions.extend([
            Action::Keys(keys),
            Action::Start,
            Action::Prompt,
            Action::Key(7, true),
            Action::Reset,
        ]);
    }
    Course { machine, actions, loaded: vec![(0x1000, 4)] }
}

fn sources() -> SourceSet {
    SourceSet {
        files: vec![("a/b.6502".to_string(), b"suites {}".to_vec()), ("c.bin".to_string(), vec![0, 255])],
        asks: vec![
            Ask { name: "../c.bin".to_string(), from: Some("a/b.6502".to_string()), file: Some(1) },
            Ask { name: "gone".to_string(), from: None, file: None },
        ],
    }
}

fn file(system: System) -> Vec<u8> {
    let about = About { tempo: "0.1.0".to_string(), program: "a/b.6502".to_string(), ..About::default() };
    write(&about, Some(&course(system)), &sources(), Some(&[1, 2, 3]))
}

#[test]
fn a_file_is_read_back_as_it_was_written() {
    for system in [System::Mos6502, System::C64Memory, System::C64Pal] {
        let bytes = file(system);
        let found = read(&bytes).expect("a recording");
        assert_eq!((found.about.program.as_str(), found.sources), ("a/b.6502", sources()));
        assert_eq!(found.picture.as_deref(), Some(&[1, 2, 3][..]));
        let (was, is) = (course(system), found.course.expect("of this version"));
        assert!(was.machine.is_same(&is.machine) && was.machine.save() == is.machine.save());
        assert_eq!(is.loaded, [(0x1000, 4)]);
        assert_eq!(
            first_failure(&is.actions).map(|(cycle, _, text)| (cycle, text)),
            Some((20_000, "a is 4 – not 5"))
        );
        // Written again it is the same file: nothing got lost.
        assert!(write(&found.about, Some(&is), &sources(), Some(&[1, 2, 3])) == bytes, "{system}");
        let most = if system.is_whole() { 20_000 } else { 2_000 };
        assert!(bytes.len() < most, "{system}: {}", bytes.len());
    }
}

#[test]
fn another_version_of_the_machine_leaves_the_rest() {
    let about = About::default();
    let bytes = write(&about, Some(&course(System::Mos6502)), &sources(), None);
    let start = bytes.windows(4).position(|name| name == b"STAT").expect("a chunk");
    let length = u32::from_le_bytes(bytes[start + 4..start + 8].try_into().expect("four")) as usize;
    // A state of format 6, as long as its chunk says.
    let mut state = course(System::Mos6502).machine.save();
    state[1 + 4 + 8] = 6;
    let mut chunk = vec![];
    let mut count = state.len();
    while count >= 0x80 {
        chunk.push(count as u8 | 0x80);
        count >>= 7;
    }
    chunk.push(count as u8);
    chunk.extend(state);
    chunk.push(0);
    let mut old = bytes[..start + 4].to_vec();
    old.extend((chunk.len() as u32).to_le_bytes());
    old.push(0);
    old.extend(chunk);
    old.extend(&bytes[start + 9 + length..]);
    let sum = checksum(&old[20..]).to_le_bytes();
    old[12..20].copy_from_slice(&sum);
    let found = read(&old).expect("a recording");
    assert_eq!(found.sources, sources());
    let reason = found.course.err().expect("another version").to_string();
    assert!(reason.contains("format 6"), "{reason}");
}

#[test]
fn damage_is_named() {
    let bytes = file(System::Mos6502);
    assert_eq!(read(b"TEMPO").err(), Some(FileError::Foreign));
    let mut later = bytes.clone();
    later[8] = 9;
    assert_eq!(read(&later).err(), Some(FileError::Format { found: 9 }));
    let mut flipped = bytes.clone();
    *flipped.last_mut().expect("bytes") ^= 1;
    assert_eq!(read(&flipped).err(), Some(FileError::Checksum(bytes.len())));
    let escape = SourceSet { files: vec![("../up".to_string(), vec![])], asks: vec![] };
    let reason = read(&write(&About::default(), None, &escape, None)).err().expect("refused").to_string();
    assert!(reason.contains("chunk SRCS") && reason.contains("leads out"), "{reason}");
}

/// Damaged files, with the checksum set right so that the damage reaches the chunks.
#[test]
fn damaged_files_are_refused_or_read() {
    let mut random = tempo_random::Random::new(33);
    let whole: Vec<Vec<u8>> = [System::Mos6502, System::C64Pal].map(file).into();
    let (mut refused, mut read_on) = (0, 0);
    for round in 0..3000 {
        let mut bytes = whole[usize::from(round % 10 == 0)].clone();
        for _ in 0..=random.below(3) {
            let at = 20 + random.below(bytes.len() as u64 - 20) as usize;
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.below(256) as u8,
                2 => bytes.truncate(at.max(21)),
                _ => {
                    let other = 20 + random.below(bytes.len() as u64 - 20) as usize;
                    bytes.swap(at, other);
                }
            }
        }
        if round % 3 > 0 {
            let sum = checksum(&bytes[20..]).to_le_bytes();
            bytes[12..20].copy_from_slice(&sum);
        }
        match read(&bytes) {
            Ok(_) => read_on += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000 && read_on > 0, "{refused} refused, {read_on} read");
}

/// A recording takes as much time and memory as it says, whatever its origin.
#[test]
fn a_recording_has_an_end() {
    let start = course(System::Mos6502);
    let refusal = |actions: Vec<Action>| {
        let course = Course { actions, ..start.clone() };
        let bytes = write(&About::default(), Some(&course), &SourceSet::default(), None);
        read(&bytes).err().map(|err| err.to_string())
    };
    let registers = start.machine.registers;
    let half = MOST_CYCLES / 2 + 1;
    let wire = Wire { line: Line::Irq, at: 9, is_served: false };
    let feed = Feed { address: 0xd012, values: vec![1], next: 0 };
    let machine = Arc::new(start.machine.clone());
    for (actions, wanted) in [
        (vec![Action::Run(1 << 60)], Some("it runs longer than")),
        // Opened at the failure, it may go on for ever.
        (vec![Action::Failure { span: Span::default(), message: String::new() }, Action::Run(1 << 60)], None),
        (
            vec![Action::Run(half), Action::Enter(registers, 0), Action::Run(half)],
            Some("it runs longer than"),
        ),
        (
            vec![Action::Run(half), Action::Machine(machine.clone()), Action::Frame(half)],
            Some("it runs longer"),
        ),
        (vec![Action::Run(half), Action::Run(half + 1)], None),
        (vec![Action::Wires(vec![wire; MOST_AT_ONCE + 1])], Some("interrupts of a run are more than")),
        (vec![Action::Wires(vec![wire; MOST_AT_ONCE])], None),
        (
            vec![Action::Feeds(vec![feed; MOST_AT_ONCE + 1])],
            Some("addresses that answer reads are more than"),
        ),
    ] {
        let said = refusal(actions);
        match wanted {
            Some(wanted) => {
                assert!(said.as_deref().is_some_and(|said| said.contains(wanted)), "{wanted}: {said:?}")
            }
            None => assert_eq!(said, None),
        }
    }
    // A hundred ways back to one machine are one machine in memory.
    let course = Course { actions: vec![Action::Machine(machine); 100], ..start };
    let bytes = write(&About::default(), Some(&course), &SourceSet::default(), None);
    let found = read(&bytes).expect("a recording").course.expect("of this version");
    let machine = |action: &Action| match action {
        Action::Machine(machine) => Arc::as_ptr(machine),
        _ => panic!("another action"),
    };
    let machines: Vec<_> = found.actions.iter().map(machine).collect();
    assert!(machines.len() == 100 && machines.windows(2).all(|two| two[0] == two[1]));
}
