//! `tempo run x.vsf` and `tempo debug x.vsf`: programs that go on from a snapshot of VICE.

use pretty_assertions::assert_eq;
use tempo_emu::c64::{C64, Model};
use tempo_formats::vsf::{Roms, Snapshot, Writer};

use crate::common::Scratch;

/// Counts in $0400, and ends with 7 after 2000 rounds.
const PROGRAM: &str = "\
        BasicUpstart2(start)
start:  ldx #0
loop:   inc count
        bne loop
        inc count + 1
        lda count + 1
        cmp #8
        bne loop
        lda #7
        sta $d7ff
count:  .word 0
";

/// The snapshot of the program after some cycles.
fn snapshot(scratch: &Scratch, model: Model, writer: Writer) -> Snapshot {
    scratch.write("main.asm", PROGRAM.as_bytes());
    assert_eq!(scratch.tempo("asm main.asm").code, Some(0));
    let mut machine = C64::new(model);
    machine.start(&scratch.read("main.prg")).expect("a program");
    machine.run_cycles(5_000);
    tempo_c64::snapshot_of(&mut machine, writer)
}

#[test]
fn a_program_goes_on() {
    for (model, writer, options) in [
        (Model::Pal, Writer::X64Sc, ""),
        (Model::Ntsc, Writer::X64Sc, ""),
        (Model::Ntsc, Writer::X64, "--system c64-ntsc"),
    ] {
        let scratch = Scratch::new(&[]);
        let file = snapshot(&scratch, model, writer).write();
        scratch.write("vice.vsf", &file);
        let ran = scratch.tempo(&format!("run vice.vsf {options} --frames 5"));
        assert_eq!((ran.code, &ran.err[..]), (Some(7), ""), "{model:?}: {}", ran.out);
    }
}

#[test]
fn a_snapshot_is_debugged_with_the_names_of_its_program() {
    let scratch = Scratch::new(&[]);
    let file = snapshot(&scratch, Model::Pal, Writer::X64Sc).write();
    scratch.write("vice.vsf", &file);
    assert_eq!(scratch.tempo("asm main.asm --symbols").code, Some(0));
    let ran = scratch.tempo("debug vice.vsf --symbols main.sym --break loop -x continue");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("loop"), "{}", ran.out);
}

#[test]
fn what_cannot_go_on_is_refused() {
    let scratch = Scratch::new(&[]);
    let good = snapshot(&scratch, Model::Pal, Writer::X64Sc);
    let says = |snapshot: &[u8], options: &str, code: i32, part: &str| {
        scratch.write("vice.vsf", snapshot);
        let ran = scratch.tempo(&format!("run vice.vsf {options} --frames 2"));
        assert_eq!(ran.code, Some(code), "{part}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    };
    says(b"hello", "", 2, "vice.vsf: not a VICE snapshot");
    says(&good.write()[..60_000], "", 2, "module C64MEM has a length of 65579 bytes");
    says(&good.write(), "--system c64-ntsc", 2, "the snapshot is that of c64; leave --system c64-ntsc out");
    says(&good.write(), "--system 6502", 2, "leave --system 6502 out");
    let mut rom = good.clone();
    rom.cpu.pc = 0xe5cd;
    says(
        &rom.write(),
        "",
        2,
        "in the KERNAL of VICE, which the snapshot does not contain; --kernal FILE gives it",
    );
    // With its ROMs it goes on: the image is one of rts here.
    let image = |size: usize| vec![0x60; size];
    rom.roms = Some(Roms { kernal: image(0x2000), basic: image(0x2000), characters: image(0x1000) });
    scratch.write("vice.vsf", &rom.write());
    let ran = scratch.tempo("run vice.vsf --frames 2");
    assert!(!ran.err.contains("KERNAL"), "{}", ran.err);
}
