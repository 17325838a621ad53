//! The cycles that hovers and sums show are those that the emulator counts.

use std::sync::Arc;

use assembler::{DiskFiles, MemoryFiles, Options};
use diagnostics::Span;
use emu::{Cpu, Nmos, Ram, Status};
use isa::{Class, Instruction, Mode};
use random::Random;
use tempo_editor::{FileSpan, Place, Snapshot};

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

/// Cycles of some instructions in a row, run with several registers, flags and pointers.
fn executed(bytes: &[u8], address: u16, instructions: usize) -> Vec<u64> {
    let mut counts = Vec::new();
    for (index, flags, pointer) in [(0, 0x04, 0x00), (3, 0x37, 0x10), (255, 0x04, 0x80), (200, 0xf7, 0xf0)] {
        let mut ram = Ram::new();
        ram.bytes_mut().fill(0x40);
        ram.bytes_mut()[..0x100].fill(pointer);
        let at = usize::from(address);
        ram.bytes_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        let mut cpu = Cpu::<Nmos>::new();
        cpu.registers.pc = address;
        (cpu.registers.x, cpu.registers.y, cpu.registers.s) = (index, index, 0xf0);
        cpu.registers.p = Status::from_byte(flags & !0x08);
        let before = cpu.cycles;
        for _ in 0..instructions {
            cpu.step(&mut ram);
        }
        // Stores through pointers of a test may hit the code itself.
        if ram.bytes_mut()[at..at + bytes.len()] == *bytes {
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
    let mut random = Random::new(testing::seed());
    let table: Vec<&Instruction> = isa::Cpu::Mos6502
        .table()
        .iter()
        .filter(|row| {
            row.is_nameable() && row.class != Class::Flow
                || matches!(row.mnemonic.name(), "jmp" | "jsr" | "rts" | "rti")
        })
        .filter(|row| row.is_nameable())
        .collect();
    for _ in 0..testing::rounds(1000) {
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

#[test]
fn sums_over_the_chess_program_are_those_of_the_emulator() {
    let root = testing::root().join("asm/main.asm");
    let root = root.to_str().unwrap();
    let files = DiskFiles::new(testing::root());
    let snapshot = Snapshot::new(Arc::new(files), Options::default()).with_roots([root]);
    let facts = snapshot.roots()[0].evaluated();
    assert!(facts.is_good());
    let analysis = facts.analysis();
    let (mut runs, mut instructions, mut exact) = (0, 0, 0);
    let mut at = 0;
    while at < analysis.emissions.len() {
        // A run: code that lies one behind the other, in memory and in one file, outside of macros and loops.
        let first = &analysis.emissions[at];
        let is_plain = |index: usize| {
            let emission = &analysis.emissions[index];
            emission.expansion.is_none() && emission.cycles.is_some()
        };
        if !is_plain(at) {
            at += 1;
            continue;
        }
        let (mut end, mut expected) = (at, first.run_address);
        let (mut least, mut most) = (0, 0);
        while end < analysis.emissions.len()
            && is_plain(end)
            && analysis.emissions[end].run_address == expected
        {
            let emission = &analysis.emissions[end];
            if end > at && emission.span.start < analysis.emissions[end - 1].span.start {
                break;
            }
            let bytes = analysis.bytes(emission);
            let row = isa::Cpu::Mos6502.decode(bytes[0]);
            // A call is as long as the routine, and a branch back closes a loop: each is a run of its own.
            if (row.mnemonic == isa::Mnemonic::Jsr || row.class == Class::Branch) && end > at {
                break;
            }
            let (min, max) = measured(bytes, emission.run_address as u16);
            (least, most) = (least + min, most + max);
            expected += bytes.len() as i64;
            end += 1;
            if matches!(row.class, Class::Flow | Class::Branch) {
                break;
            }
        }
        let last = &analysis.emissions[end - 1];
        let is_call = analysis.bytes(last)[0] == 0x20;
        let place = facts.file_span(Span { start: first.span.start, end: last.span.end });
        let is_whole = |place: &FileSpan| place.span.len() == last.span.end - first.span.start;
        if let Some(place) = place.filter(is_whole).filter(|_| !is_call) {
            let sum = tempo_editor::cycles_of(&snapshot, &place.file, place.span).unwrap();
            let source = snapshot.source(&place.file).unwrap();
            if sum.instructions == (end - at) as u64 {
                let text = source.slice(place.span);
                let (min, max) = (sum.cycles.min, sum.cycles.max);
                // What is known of registers may rule out a page crossing, and never more.
                assert!(least <= min && max <= most && min <= max, "{min}-{max}, {least}-{most}: {text}");
                let bytes: Vec<u8> = analysis.emissions[at..end]
                    .iter()
                    .flat_map(|other| analysis.bytes(other))
                    .copied()
                    .collect();
                for count in executed(&bytes, first.run_address as u16, end - at) {
                    assert!((min..=max).contains(&count), "{count} is not in {min}-{max}: {text}");
                }
                exact += usize::from(min == max);
                (runs, instructions) = (runs + 1, instructions + end - at);
            }
        }
        at = end;
    }
    println!("{runs} runs of {instructions} instructions agree, {exact} of them to the cycle");
    assert!(
        runs > 600 && instructions > 3000 && exact > 300,
        "{runs} runs, {instructions} instructions, {exact} exact"
    );
}
