//! Disassembly of the chess program: rows before an address lead to it, so a view that counts rows finds its place.

use assembler::{DiskFiles, Options, assemble};
use debug::{Debugger, Setup, Target};

#[test]
fn rows_before_an_address_lead_exactly_there() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../asm");
    let options = Options { analysis: true, ..Options::default() };
    let output = assemble(&DiskFiles::new(&folder), "main.asm", &options);
    assert!(!output.has_errors(), "{:?}", output.diagnostics.first());
    let debugger = Debugger::new(Target::from_output(&output, &Setup::default()).expect("a program"));
    const COUNT: i64 = 6;
    let mut looked = 0;
    for address in (0..=0xffff_u16).step_by(3) {
        // Where a row of the source begins: no row leads into the middle of another.
        let begins = |own: &debug::Statement| {
            let offset = address.wrapping_sub(own.address);
            if own.is_code { offset == 0 } else { offset % 8 == 0 }
        };
        if !debugger.map.around(address).is_some_and(begins) {
            continue;
        }
        looked += 1;
        let before = debugger.listing(address, -COUNT, COUNT as usize);
        assert_eq!(before.len(), COUNT as usize);
        let known: Vec<_> = before.iter().filter(|row| !row.bytes.is_empty()).cloned().collect();
        let Some(first) = known.first() else { continue };
        let start = u16::try_from(first.address).expect("inside memory");
        assert_eq!(debugger.listing(start, 0, known.len()), known, "${address:04x}");
        let last = known.last().expect("a row");
        assert_eq!(last.address + last.bytes.len() as i64, i64::from(address), "${address:04x}");
    }
    assert!(looked > 3000, "{looked}");
}
