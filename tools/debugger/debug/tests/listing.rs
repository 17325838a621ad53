//! Disassembly of the chess program: rows before an address lead to it, so a view that counts rows finds its place.

use tempo_assembler::{DiskFiles, Options, assemble};
use tempo_debug::{Debugger, Granularity, Names, Setup, SourceMap, StepKind, Target};

#[test]
fn rows_before_an_address_lead_exactly_there() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../asm");
    let options = Options { analysis: true, ..Options::default() };
    let output = assemble(&DiskFiles::new(&folder), "main.asm", &options);
    assert!(!output.has_errors(), "{:?}", output.diagnostics.first());
    let debugger = Debugger::new(Target::from_output(&output, &Setup::default()).expect("a program"));
    const COUNT: i64 = 4;
    // Every address: rows, the middle of rows, and memory that the program does not fill.
    for address in 0..=0xffff_u16 {
        if debugger.map.around(address, &|at| debugger.machine().peek(at)).is_none() && address % 23 != 0 {
            continue;
        }
        let before = debugger.listing(address, -COUNT, COUNT as usize);
        assert_eq!(before.len(), COUNT as usize);
        let known: Vec<_> = before.iter().filter(|row| !row.bytes.is_empty()).cloned().collect();
        let Some(first) = known.first() else { continue };
        let start = u16::try_from(first.address).expect("inside memory");
        assert_eq!(debugger.listing(start, 0, known.len()), known, "${address:04x}");
        let last = known.last().expect("a row");
        let end = last.address + last.bytes.len() as i64;
        assert!(last.address < i64::from(address) && i64::from(address) <= end, "${address:04x}");
        // Where a row of the source begins, the rows before it end.
        let begins = |own: &tempo_debug::Statement| {
            let offset = address.wrapping_sub(own.address);
            if own.is_code { offset == 0 } else { offset % 8 == 0 }
        };
        if debugger.map.around(address, &|at| debugger.machine().peek(at)).is_some_and(begins) {
            assert_eq!(end, i64::from(address), "${address:04x}");
        }
    }
}

/// A program without a source whose code can be read in more than one way: what has run decides.
#[test]
fn instructions_that_have_run_are_rows() {
    // $1000 jmp $1005; two bytes of data that look like the start of an instruction; $1005 lda #1, sta $20, jmp $1009
    let prg = [0x00, 0x10, 0x4c, 0x05, 0x10, 0xad, 0xad, 0xa9, 0x01, 0x85, 0x20, 0x4c, 0x09, 0x10];
    let setup = Setup { entry: Some("$1000".to_string()), ..Setup::default() };
    let target = Target::from_prg(&prg, SourceMap::default(), Names::default(), &setup).expect("a program");
    let mut debugger = Debugger::new(target);
    let starts = |debugger: &Debugger, offset: i64, count: usize| -> Vec<i64> {
        debugger.listing(0x1009, offset, count).iter().map(|row| row.address).collect()
    };
    assert_ne!(starts(&debugger, -2, 3), [0x1005, 0x1007, 0x1009]);
    for _ in 0..3 {
        debugger.step(StepKind::In, Granularity::Instruction);
        debugger.run(100).expect("a stop");
    }
    assert_eq!(debugger.machine().registers().pc, 0x1009);
    assert_eq!(starts(&debugger, -2, 4), [0x1005, 0x1007, 0x1009, 0x100c]);
    let rows = debugger.listing(0x1000, 0, 3);
    assert_eq!(rows.iter().map(|row| row.address).collect::<Vec<_>>(), [0x1000, 0x1003, 0x1005]);
}
