//! The transposition table in a RAM expansion: whether the program finds the expansion, what the table costs there, and the
//! search with it against the reference search, node for node.

use tempo_bridge::{ChessMachine, Expansion, Program, Reply, diff, epd, search_bench};
use tempo_chess::Board;
use tempo_emu::NoHooks;

fn program() -> Program {
    Program::assemble().expect("the program assembles")
}

fn machine(program: &Program, kilobytes: usize) -> ChessMachine<'_> {
    ChessMachine::with(program, Expansion::Reu(kilobytes)).expect("it starts")
}

fn call(machine: &mut ChessMachine<'_>, name: &'static str, a: u8) -> Reply {
    let entry = machine.program.entry(name).unwrap_or_else(|| panic!("the program has no {name}"));
    machine.enter(entry, a, 0, 20_000_000, &mut NoHooks).expect("it returns")
}

fn place(machine: &ChessMachine<'_>, name: &'static str) -> u16 {
    machine.program.entry(name).unwrap_or_else(|| panic!("the program has no {name}")).address
}

fn set(machine: &mut ChessMachine<'_>, name: &'static str, value: u8) {
    let place = place(machine, name);
    machine.ram[place] = value;
}

fn get(machine: &ChessMachine<'_>, name: &'static str) -> u8 {
    machine.ram[place(machine, name)]
}

/// The routines of the table, as bytes.
fn routines(machine: &ChessMachine<'_>) -> Vec<u8> {
    let (from, to) = (place(machine, "ClearTable"), place(machine, "TableCodeEnd"));
    machine.ram.bytes()[usize::from(from)..usize::from(to)].to_vec()
}

#[test]
fn every_size_is_found_and_its_banks_are_counted() {
    let program = program();
    for (kilobytes, banks) in [(128, 2), (256, 4), (512, 8), (1024, 8), (16384, 8)] {
        let mut machine = machine(&program, kilobytes);
        // Every bank is 65,536 cycles, and some more go with it.
        let cycles = call(&mut machine, "ClearTable", 0).cycles;
        assert_eq!(cycles / 0x1_0000, banks, "{kilobytes} KB: {cycles} cycles");
        assert!(cycles % 0x1_0000 < 200, "{kilobytes} KB: {cycles} cycles");
    }
}

#[test]
fn memory_in_the_place_of_the_registers_is_no_expansion() {
    let program = program();
    // This machine has RAM at $DF00, as some cartridges have: what is written can be read, and nothing moves.
    let mut machine = ChessMachine::new(&program).expect("it starts");
    let before = routines(&machine);
    assert!(!call(&mut machine, "FindExpansion", 0).carry);
    assert_eq!(before, routines(&machine));
}

#[test]
fn without_an_expansion_the_image_is_as_it_was_loaded() {
    let program = program();
    let (with, without) = (machine(&program, 512), ChessMachine::new(&program).expect("it starts"));
    let loaded = usize::from(place(&without, "ClearTable"))..usize::from(place(&without, "TableCodeEnd"));
    assert_eq!(routines(&without), program.image.bytes()[loaded]);
    assert_ne!(routines(&with), routines(&without));
}

/// Puts a position of the table together: key, score, depth.
fn aim(machine: &mut ChessMachine<'_>, key: [u8; 3], score: u8, depth: u8) {
    set(machine, "zpHashLo", key[0]);
    set(machine, "zpHashHi", key[1]);
    set(machine, "zpHashEx", key[2]);
    set(machine, "zpScoreLo", score);
    set(machine, "zpPly", 0);
    set(machine, "NodeDepth", depth);
}

fn store(machine: &mut ChessMachine<'_>, value: u8, bound: u8) -> u64 {
    set(machine, "zpValueLo", value);
    set(machine, "zpValueHi", 0);
    set(machine, "NodeBestFrom", value);
    set(machine, "NodeBestTo", value + 1);
    call(machine, "StoreTable", bound).cycles
}

/// The value and the move's first square, if the position is known.
fn probe(machine: &mut ChessMachine<'_>) -> Option<(u8, u8)> {
    let reply = call(machine, "ProbeTable", 0);
    reply.carry.then(|| (get(machine, "zpValueLo"), get(machine, "NodeTableFrom")))
}

const LOWER: u8 = 2;
const UPPER: u8 = 1;

#[test]
fn entries_are_found_by_key_and_score() {
    let program = program();
    let machine = &mut machine(&program, 512);
    aim(machine, [0x12, 0x34, 0xff], 7, 3);
    assert_eq!(probe(machine), None);
    store(machine, 0x40, LOWER);
    assert_eq!(probe(machine), Some((0x40, 0x40)));
    // The same set and another low byte, third byte, score; another set in the same bank, another bank.
    for (key, score) in [
        ([0x13, 0x34, 0xff], 7),
        ([0x12, 0x34, 0x7f], 7),
        ([0x12, 0x34, 0xff], 8),
        ([0x22, 0x34, 0xff], 7),
        ([0x12, 0x35, 0xff], 7),
        ([0x12, 0x34, 0xfb], 7),
    ] {
        aim(machine, key, score, 3);
        assert_eq!(probe(machine), None, "{key:?} {score}");
    }
    // An upper bound has no move of its own.
    aim(machine, [0x12, 0x34, 0xff], 7, 4);
    store(machine, 0x50, UPPER);
    assert_eq!(probe(machine), Some((0x50, 0x40)));
    call(machine, "ClearTable", 0);
    assert_eq!(probe(machine), None);
}

#[test]
fn the_shallower_entry_goes_and_old_ones_before_it() {
    let program = program();
    let machine = &mut machine(&program, 128);
    let known = |machine: &mut ChessMachine<'_>, low: u8| {
        aim(machine, [low, 0, 0], 0, 0);
        probe(machine).is_some()
    };
    let keep = |machine: &mut ChessMachine<'_>, low: u8, depth: u8| {
        aim(machine, [low, 0, 0], 0, depth);
        store(machine, low, LOWER);
    };
    for _ in 0..2 {
        call(machine, "ClearTable", 0);
        // In every other search bit 7 means the contrary.
        call(machine, "AgeTable", 0);
        keep(machine, 1, 4);
        keep(machine, 2, 2);
        keep(machine, 3, 1);
        assert_eq!([1, 2, 3].map(|low| known(machine, low)), [true, false, true]);
        keep(machine, 4, 4);
        assert_eq!([1, 3, 4].map(|low| known(machine, low)), [true, false, true], "the shallower one");
        keep(machine, 5, 9);
        assert_eq!([1, 4, 5].map(|low| known(machine, low)), [false, true, true], "the first of two");
        call(machine, "AgeTable", 0);
        keep(machine, 6, 1);
        assert_eq!([4, 5, 6].map(|low| known(machine, low)), [false, true, true], "both are old");
        keep(machine, 7, 1);
        assert_eq!([5, 6, 7].map(|low| known(machine, low)), [false, true, true], "the deeper one is old");
        call(machine, "AgeTable", 0);
    }
    // An empty place is taken before an old entry.
    for _ in 0..2 {
        call(machine, "ClearTable", 0);
        call(machine, "AgeTable", 0);
        keep(machine, 1, 3);
        call(machine, "AgeTable", 0);
        keep(machine, 2, 1);
        assert_eq!([1, 2].map(|low| known(machine, low)), [true, true]);
        call(machine, "AgeTable", 0);
    }
}

#[test]
fn cycles_are_those_of_the_source() {
    let source = include_str!("../../../../asm/ai/reu.asm");
    let program = program();
    let machine = &mut machine(&program, 512);
    aim(machine, [0x12, 0x34, 0x56], 7, 3);
    let nothing = call(machine, "ProbeTable", 0).cycles;
    let stored = store(machine, 0x40, LOWER);
    let found = call(machine, "ProbeTable", 0).cycles;
    let aged = call(machine, "AgeTable", 0).cycles;
    for (routine, cycles) in [
        ("ReuProbe", format!("{nothing} nothing there, {found} found")),
        ("ReuStore", format!("{stored} a new entry")),
        ("ReuAge", format!("{aged}")),
    ] {
        let line = source.lines().skip_while(|line| !line.starts_with(&format!("// {routine} - "))).nth(1);
        assert_eq!(line, Some(format!("// Cycles:   {cycles}").as_str()), "{routine}");
    }
}

#[test]
fn positions_are_searched_as_the_reference_does() {
    let program = program();
    let (entries, faults) = epd::parse(search_bench::POSITIONS);
    assert_eq!(faults, []);
    for (number, entry) in entries.iter().enumerate() {
        let kilobytes = [128, 256, 512][number % 3];
        let machine = &mut machine(&program, kilobytes);
        let outcome = diff::check_search(machine, &entry.board, 600_000, number as u64);
        let found: Vec<String> = outcome.differences.iter().map(diff::text).collect();
        assert!(found.is_empty(), "{kilobytes} KB, {}: {}", entry.id, found.join("\n"));
        assert!(outcome.searches >= 3, "{}: {} searches", entry.id, outcome.searches);
    }
}

#[test]
fn games_are_searched_as_the_reference_does() {
    let program = program();
    for (seed, kilobytes) in [(1, 128), (2, 512), (3, 16384)] {
        let machine = &mut machine(&program, kilobytes);
        let outcome = diff::search_game(machine, &Board::default(), 150, seed);
        let found: Vec<String> = outcome.differences.iter().map(diff::text).collect();
        assert!(found.is_empty(), "{kilobytes} KB: {}", found.join("\n"));
        assert!(outcome.searches > 20, "seed {seed}: {} searches", outcome.searches);
    }
}

#[test]
fn sizes_that_no_expansion_has_are_refused() {
    let program = program();
    let fault = ChessMachine::with(&program, Expansion::Reu(77)).err().expect("no such size");
    assert_eq!(
        fault.to_string(),
        "a RAM expansion has 128, 256, 512, 1024, 2048, 4096, 8192 or 16384 KB, not 77 KB"
    );
    assert_eq!(Expansion::from_kilobytes(77), None);
    assert_eq!(Expansion::from_kilobytes(512), Some(Expansion::Reu(512)));
}
