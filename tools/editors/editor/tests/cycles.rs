//! The cycles that hovers and sums show are those that the emulator counts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tempo_assembler::analysis::{Analysis, Emission, SymbolKind};
use tempo_assembler::{DiskFiles, MemoryFiles, Options};
use tempo_diagnostics::Span;
use tempo_editor::{Place, Snapshot};
use tempo_emu::{Cpu, Nmos, Ram, Status};
use tempo_isa::{Class, Instruction, Mode};
use tempo_random::Random;

/// Cycles of one instruction, run with both indices at a value and all flags set or clear.
fn measure(bytes: &[u8], address: u16, index: u8, flags: u8, pointer_low: u8) -> u64 {
    let mut ram = Ram::new();
    ram.bytes_mut().fill(0x40);
    for zero_page in 0..0x100 {
        // Both bytes of every pointer.
        ram.bytes_mut()[zero_page] = pointer_low;
    }
    for (offset, &byte) in bytes.iter().enumerate() {
        ram.bytes_mut()[usize::from(address.wrapping_add(offset as u16))] = byte;
    }
    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = address;
    (cpu.registers.x, cpu.registers.y) = (index, index);
    cpu.registers.p = Status::from_byte(flags);
    let before = cpu.cycles;
    cpu.step(&mut ram);
    cpu.cycles - before
}

/// The least and the most an instruction takes.
fn measured(bytes: &[u8], address: u16) -> (u64, u64) {
    let decimal = 0x08;
    let runs = [(0, 0x04, 0x00), (0, 0xf7, 0x00), (255, 0x04, 0x80), (255, 0xf7, 0x80)];
    let counts =
        runs.map(|(index, flags, pointer)| measure(bytes, address, index, flags & !decimal, pointer));
    (counts.into_iter().min().unwrap(), counts.into_iter().max().unwrap())
}

/// The contents of memory and registers before some code runs.
struct State {
    ram: Vec<u8>,
    registers: [u8; 3],
    flags: u8,
}

/// States that decide between crossing a page and staying in it: indices, memory and pointers all low or all high, each
/// combination of them; then chance.
fn states(random: &mut Random) -> Vec<State> {
    let mut states = Vec::new();
    // An index of 254 crosses after an increment and after a decrement, one of 255 from the first byte of a table on.
    for high in [0xfe, 0xff] {
        for bits in 0..32 {
            let pick = |bit: u32| if bits >> bit & 1 == 0 { 0x00 } else { high };
            let mut ram = vec![pick(0); 0x1_0000];
            ram[..0x100].fill(pick(1));
            states.push(State { ram, registers: [pick(2), pick(3), pick(3)], flags: pick(4) });
        }
    }
    for _ in 0..32 {
        let ram = (0..0x1_0000).map(|_| random.index(256) as u8).collect();
        let mut byte = || random.index(256) as u8;
        states.push(State { ram, registers: [byte(), byte(), byte()], flags: byte() });
    }
    states
}

/// For each byte of some instructions whether their cycles depend on it: opcodes, distances of branches, and bases of
/// what is indexed do.
fn counts_for_time(instructions: &[&[u8]]) -> Vec<bool> {
    let of = |bytes: &[u8]| {
        let row = tempo_isa::Cpu::Mos6502.decode(bytes[0]);
        let is_plain = matches!(row.mode, Mode::Immediate | Mode::ZeroPage | Mode::Absolute)
            && row.class != Class::Branch;
        (0..bytes.len()).map(|index| index == 0 || !is_plain).collect::<Vec<bool>>()
    };
    instructions.iter().flat_map(|bytes| of(bytes)).collect()
}

/// Cycles of some instructions in a row from each state.
fn executed(states: &[State], instructions: &[&[u8]], address: u16) -> Vec<u64> {
    let mut counts = Vec::new();
    let mut ram = Ram::new();
    let (bytes, matters) = (instructions.concat(), counts_for_time(instructions));
    for state in states {
        ram.bytes_mut().copy_from_slice(&state.ram);
        let at = usize::from(address);
        ram.bytes_mut()[at..at + bytes.len()].copy_from_slice(&bytes);
        let mut cpu = Cpu::<Nmos>::new();
        cpu.registers.pc = address;
        [cpu.registers.a, cpu.registers.x, cpu.registers.y] = state.registers;
        cpu.registers.s = 0xf0;
        cpu.registers.p = Status::from_byte(state.flags & !0x08);
        let before = cpu.cycles;
        for _ in instructions {
            cpu.step(&mut ram);
        }
        // Stores through pointers of a state may hit the code itself.
        let after = &ram.bytes_mut()[at..at + bytes.len()];
        if (0..bytes.len()).all(|index| !matters[index] || after[index] == bytes[index]) {
            counts.push(cpu.cycles - before);
        }
    }
    counts
}

/// An instruction as it is written.
fn written(row: &Instruction, value: u16, address: u16) -> String {
    let name = row.mnemonic.name();
    let low = value & 0xff;
    match row.mode {
        Mode::Implied => name.to_owned(),
        Mode::Immediate => format!("{name} #{low}"),
        Mode::ZeroPage => format!("{name} {low}"),
        Mode::ZeroPageX => format!("{name} {low},x"),
        Mode::ZeroPageY => format!("{name} {low},y"),
        Mode::IndirectX => format!("{name} ({low},x)"),
        Mode::IndirectY => format!("{name} ({low}),y"),
        Mode::Absolute => format!("{name} {value}"),
        Mode::AbsoluteX => format!("{name} {value},x"),
        Mode::AbsoluteY => format!("{name} {value},y"),
        Mode::Indirect => format!("{name} ({value})"),
        _ => format!("{name} {}", i32::from(address) + 2 + i32::from(low as u8 as i8)),
    }
}

/// The two numbers of `4`, `4, 5 if …` and `2, 3 if taken`.
fn shown(text: &str) -> (u64, u64) {
    let cycles = text.lines().find_map(|line| line.split(" · cycles: ").nth(1)).unwrap();
    let mut numbers = cycles.split(", ").filter_map(|part| part.split(' ').next()?.parse().ok());
    let min = numbers.next().unwrap();
    (min, numbers.next().unwrap_or(min))
}

#[test]
fn hovers_show_what_the_emulator_counts() {
    let mut random = Random::new(tempo_testing::seed());
    let table: Vec<&Instruction> = tempo_isa::Cpu::Mos6502
        .table()
        .iter()
        .filter(|row| {
            row.is_nameable() && row.class != Class::Flow
                || matches!(row.mnemonic.name(), "jmp" | "jsr" | "rts" | "rti")
        })
        .filter(|row| row.is_nameable())
        .collect();
    for _ in 0..tempo_testing::rounds(1000) {
        let row = table[random.index(table.len())];
        let address = 0x1000 + random.index(0x8000) as u16;
        let value = 0x100 + random.index(0xfe00) as u16;
        let source = format!("*={address}\n {}\n", written(row, value, address));
        let files: MemoryFiles = [("main.asm", &source)].into_iter().collect();
        let snapshot = Snapshot::new(Arc::new(files), Options::default()).with_roots(["main.asm"]);
        let offset = source.find('\n').unwrap() as u32 + 2;
        let hover = tempo_editor::hover(&snapshot, Place { file: "main.asm", offset });
        let text = hover.unwrap_or_else(|| panic!("no hover on {source}")).text;
        let facts = snapshot.roots()[0].evaluated();
        assert!(facts.is_good(), "{source}{:?}", facts.output().diagnostics);
        let bytes = facts.analysis().bytes(&facts.analysis().emissions[0]);
        assert_eq!(shown(&text), measured(bytes, address), "{source}{text}");
    }
}

/// Runs of instructions that are one after the other, in memory and in one file, outside of macros and loops. They end
/// with what leaves them, and before what `is_start` names.
fn straight_runs(analysis: &Analysis, is_start: impl Fn(&Emission) -> bool) -> Vec<&[Emission]> {
    let row = |emission: &Emission| tempo_isa::Cpu::Mos6502.decode(analysis.bytes(emission)[0]);
    // A call is as long as the routine, and a branch back closes a loop: each is a separate run.
    let stands_alone = |emission: &Emission| {
        let row = row(emission);
        row.mnemonic == tempo_isa::Mnemonic::Jsr || row.class == Class::Branch
    };
    let goes_on = |one: &Emission, next: &Emission| {
        one.run_address + analysis.bytes(one).len() as i64 == next.run_address
            && one.span.start <= next.span.start
            && !matches!(row(one).class, Class::Flow | Class::Branch)
            && !stands_alone(next)
            && !is_start(next)
    };
    let is_plain = |emission: &Emission| emission.expansion.is_none() && emission.cycles.is_some();
    let plain = analysis.emissions.chunk_by(|one, next| is_plain(one) == is_plain(next));
    plain.filter(|run| is_plain(&run[0])).flat_map(|run| run.chunk_by(goes_on)).collect()
}

#[test]
fn sums_over_the_chess_program_are_those_of_the_emulator() {
    let root = tempo_testing::root().join("asm/main.asm");
    let root = root.to_str().unwrap();
    let files = DiskFiles::new(tempo_testing::root());
    let snapshot = Snapshot::new(Arc::new(files), Options::default()).with_roots([root]);
    let facts = snapshot.roots()[0].evaluated();
    assert!(facts.is_good());
    let analysis = facts.analysis();
    let states = states(&mut Random::new(tempo_testing::seed()));
    let labels: HashSet<i64> = (analysis.symbols.iter())
        .filter(|symbol| matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel))
        .flat_map(|symbol| symbol.values.iter().filter_map(|value| value.number))
        .map(|number| number as i64)
        .collect();
    // Parts that share their memory: which of them is there is not known, so a sum allows for all.
    let mut shared: HashMap<i64, usize> = HashMap::new();
    for emission in &analysis.emissions {
        *shared.entry(emission.run_address).or_default() += 1;
    }
    let is_shared = |run: &[Emission]| run.iter().any(|emission| shared[&emission.run_address] > 1);
    // Up to the next label nothing but the lines themselves decides, so that both ends of a range must happen. Beyond it
    // the sum allows for other ways to the label, and what happens must be in the range.
    for is_exact in [true, false] {
        let is_start = |emission: &Emission| is_exact && labels.contains(&emission.run_address);
        let (mut runs, mut instructions, mut loose) = (0, 0, Vec::new());
        for run in straight_runs(analysis, is_start) {
            let (first, last) = (&run[0], &run[run.len() - 1]);
            let span = Span { start: first.span.start, end: last.span.end };
            let place = facts.file_span(span).filter(|place| place.span.len() == span.len());
            let Some(place) = place.filter(|_| analysis.bytes(last)[0] != 0x20) else { continue };
            let sum = tempo_editor::cycles_of(&snapshot, &place.file, place.span).unwrap();
            // Data or a macro call between the lines, or a line that is assembled twice.
            if sum.instructions != run.len() as u64 {
                continue;
            }
            let source = snapshot.source(&place.file).unwrap();
            let text = source.slice(place.span);
            let (min, max) = (sum.cycles.min, sum.cycles.max);
            let bytes: Vec<&[u8]> = run.iter().map(|emission| analysis.bytes(emission)).collect();
            // What is known of registers may rule out a page crossing, and never more.
            let alone =
                run.iter().map(|emission| measured(analysis.bytes(emission), emission.run_address as u16));
            let (least, most) = alone.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            assert!(least <= min && max <= most && min <= max, "{min}-{max}, {least}-{most}: {text}");
            let counts = executed(&states, &bytes, first.run_address as u16);
            assert!(!counts.is_empty(), "nothing is known of {text}");
            for &count in &counts {
                assert!((min..=max).contains(&count), "{count} is not in {min}-{max}: {text}");
            }
            let ends = (counts.iter().min().copied(), counts.iter().max().copied());
            if is_exact && ends != (Some(min), Some(max)) && !is_shared(run) {
                loose.push(format!("{min}-{max}, seen {ends:?}: {text}"));
            }
            (runs, instructions) = (runs + 1, instructions + run.len());
        }
        println!("{runs} runs of {instructions} instructions, too wide are {}", loose.len());
        assert!(loose.is_empty(), "wider than what happens:\n{}", loose.join("\n"));
        assert!(runs > 600 && instructions > 3000, "{runs} runs, {instructions} instructions");
    }
}
