//! The disassembler's output assembles to the bytes it was given: every program of the fixtures, and random ones.

use tempo_assembler::{MemoryFiles, Options, assemble};
use tempo_random::Random;

/// The file that the source of a program makes.
fn again(addr: u16, bytes: &[u8], options: &tempo_disasm::Options) -> Result<Vec<u8>, String> {
    let source = tempo_disasm::source(addr, bytes, options);
    let files: MemoryFiles = [("again.asm", source.as_str())].into_iter().collect();
    let output = assemble(&files, "again.asm", &Options::default());
    match output.diagnostics.first().filter(|_| output.has_errors()) {
        Some(fault) => Err(format!("{:#}\n{source}", fault.display(&output.sources))),
        None => output.prg().ok_or_else(|| "no program".to_owned()),
    }
}

fn check(name: &str, addr: u16, bytes: &[u8], options: &tempo_disasm::Options) {
    let made = again(addr, bytes, options).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let wanted = tempo_formats::prg::write(i64::from(addr), bytes);
    if let Some(at) = (0..wanted.len().max(made.len())).find(|&at| made.get(at) != wanted.get(at)) {
        panic!(
            "{name}: byte {at} of {} differs\n{}",
            wanted.len(),
            tempo_disasm::source(addr, bytes, options)
        );
    }
}

fn programs(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of fixtures").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => programs(&path, found),
            false if path.extension().is_some_and(|extension| extension == "prg") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn every_program_of_the_fixtures() {
    let mut found = Vec::new();
    programs(&tempo_testing::fixtures(), &mut found);
    assert!(found.len() > 100, "only {} programs", found.len());
    for path in found {
        let file = tempo_testing::bytes(&path);
        let Ok((addr, bytes)) = tempo_formats::prg::read(&file) else { continue };
        if bytes.is_empty() || usize::from(addr) + bytes.len() > 0x10000 {
            continue;
        }
        for listing in [false, true] {
            let options = tempo_disasm::Options { listing, ..tempo_disasm::Options::default() };
            check(&path.display().to_string(), addr, bytes, &options);
        }
    }
}

#[test]
fn random_bytes_with_random_entries_and_names() {
    let mut random = Random::new(tempo_testing::seed());
    for round in tempo_testing::tries(300) {
        let len = 1 + random.below(400) as usize;
        let most = 0x10000 - len as u64;
        let addr = match round % 4 {
            0 => random.below(0x100).min(most),
            1 => most,
            _ => random.below(most + 1),
        } as u16;
        let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
        let near = |random: &mut Random| addr.wrapping_add(random.below(len as u64 + 20) as u16);
        let entries = (0..random.below(4)).map(|_| near(&mut random)).collect();
        let names = ["lda", "x", "start", "my.scope.name", "9lives", "start", "BORDER", "für", ""];
        let symbols = names
            .iter()
            .take(random.below(10) as usize)
            .map(|name| (near(&mut random), (*name).to_owned()))
            .collect();
        let cpu = tempo_isa::Cpu::ALL[random.below(tempo_isa::Cpu::ALL.len() as u64) as usize];
        let options = tempo_disasm::Options { cpu, entries, symbols, ..tempo_disasm::Options::default() };
        check(&format!("round {round} with seed {}", tempo_testing::seed()), addr, &bytes, &options);
    }
}

/// `sax $ff` before an instruction at $FF, whose third byte another one reads.
#[test]
fn an_instruction_across_the_end_of_the_zero_page_gets_no_label() {
    let bytes = [0x87, 0xff, 0xdd, 0x6e, 0x6c, 0xad, 0x01, 0x01, 0x60];
    let options = tempo_disasm::Options { entries: vec![0xfd], ..tempo_disasm::Options::default() };
    check("across", 0xfd, &bytes, &options);
}

/// The cassette buffer begins in the program, under its own name, and goes on after it.
#[test]
fn a_place_that_begins_in_the_program_is_named_once() {
    let symbols = vec![(0x33c, "mine".to_owned())];
    let options = tempo_disasm::Options { entries: vec![0x33a], symbols, ..tempo_disasm::Options::default() };
    check("named once", 0x33a, &[0xea, 0xea, 0xad, 0x60, 0x03, 0x60], &options);
}

#[test]
fn a_handler_is_found_through_its_vector() {
    let files: MemoryFiles = [(
        "main.asm",
        "BasicUpstart2(start)\n start: sei\n lda #<irq\n sta $0314\n lda #>irq\n sta $0315\n lda #'!'\n jsr $ffd2\n \
         cli\n rts\n text: .text \"HELLO WORLD\"\n irq: inc $d020\n dec $0402\n jmp $ea31\n",
    )]
    .into_iter()
    .collect();
    let program = assemble(&files, "main.asm", &Options::default()).prg().expect("a program");
    let (addr, bytes) = tempo_formats::prg::read(&program).expect("a program");
    let source = tempo_disasm::source(addr, bytes, &tempo_disasm::Options::default());
    for line in [
        "    lda #<handler_082b\n",
        "    sta CINV+1\n",
        "    jsr CHROUT\n",
        "handler_082b:\n    inc BORDER\n    dec SCREEN+2\n    jmp KERNAL_IRQ\n",
    ] {
        assert!(source.contains(line), "{line} is not in\n{source}");
    }
}

#[test]
fn the_names_of_registers_and_vectors_are_those_of_the_machine() {
    use tempo_emu::System;
    // lda #$0b; sta $0314; lda #$10; sta $0315; rts; inc $d020; rts
    let bytes = [0xa9, 0x0b, 0x8d, 0x14, 0x03, 0xa9, 0x10, 0x8d, 0x15, 0x03, 0x60, 0xee, 0x20, 0xd0, 0x60];
    for system in System::ALL {
        let options = tempo_disasm::Options { system, cpu: system.isa(), ..tempo_disasm::Options::default() };
        check(system.name(), 0x1000, &bytes, &options);
        let text = tempo_disasm::source(0x1000, &bytes, &options);
        let name = system.hardware().named(0xd020).map(|place| place.name);
        // Only a machine with a vector there tells that the end is a handler, and has a name for the register it changes.
        assert_eq!(text.contains("handler_100b"), name.is_some(), "{system}:\n{text}");
        assert_eq!(
            name.is_some_and(|name| text.contains(&format!("inc {name}"))),
            name.is_some(),
            "{system}:\n{text}"
        );
    }
}
