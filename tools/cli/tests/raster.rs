//! `tempo raster` as a user calls it, limits in `tempo test`, and handlers in `tempo cycles`.

use std::path::Path;

use crate::common::{Ran, Scratch};
use pretty_assertions::assert_eq;
use serde_json::Value;

/// A handler of 7 + 6 + 2 + 4 + 2 + 4 + 6 + 3 cycles, and more in the KERNAL after it.
const DEMO: &str = "\
// tempo: irq Tick <= LIMIT
        BasicUpstart2(Start)
Start:  sei
        lda #<Tick
        sta $0314
        lda #>Tick
        sta $0315
        cli
loop:   jmp loop
Tick:   inc $d020
        jmp $ea31
Idle:   rts
";

const SUITE: &str = "suites { suite(\"demo\") { assemble(\"main.asm\")\ntest(\"a\", \"returns\") { jsr([Idle]) assert(cycles == 6, \"rts\") } } }\n";

fn scratch(limit: &str) -> Scratch {
    Scratch::new(&[("main.asm", &DEMO.replace("LIMIT", limit)), ("demo.6502", SUITE)])
}

fn tempo(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), args)
}

#[test]
fn sums_are_the_cycles_of_a_frame() {
    let at = &scratch("9999");
    for (system, cycles) in [("c64", 63 * 312), ("c64-ntsc", 65 * 263)] {
        let ran =
            tempo(at, &["raster", "main.asm", "--system", system, "--format", "json", "--svg", "frame.svg"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        let parts = found["parts"].as_array().expect("parts");
        assert_eq!(parts.iter().filter_map(|part| part["cycles"].as_u64()).sum::<u64>(), cycles);
        assert_eq!(
            (&found["handlers"][0]["name"], &found["contracts"][0]["kept"]),
            (&"Tick".into(), &true.into())
        );
    }
    assert!(at.text("frame.svg").contains("irq Tick"));
}

#[test]
fn limits_are_held_by_raster_and_test() {
    let at = &scratch("20");
    let ran = tempo(at, &["raster", "main.asm"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("the handler Tick takes") && ran.err.contains("main.asm:1:"), "{}", ran.err);
    let ran = tempo(at, &["test", "demo.6502"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("at most 20 are allowed"), "{}", ran.err);
    let ran = tempo(&scratch("9999"), &["test", "demo.6502"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("1 limit on raster time kept"), "{}", ran.out);
    let ran = tempo(&scratch("many"), &["raster", "main.asm"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("the number of cycles is missing"), "{}", ran.err);
}

#[test]
fn handlers_are_among_the_routines() {
    let ran = tempo(&scratch("9999"), &["cycles", "main.asm", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let handler = &found["bounds"][0];
    // The sequence, `inc` and `jmp`.
    assert_eq!(
        (&handler["name"], &handler["handler"], &handler["max"]),
        (&"Tick".into(), &"irq".into(), &16.into())
    );
}

#[test]
fn what_cannot_be_measured_is_said() {
    let at = &Scratch::new(&[("end.asm", "BasicUpstart2(Start)\nStart: sta $d7ff\n")]);
    for (args, said) in [
        (&["raster", "end.asm"][..], "the program ended with code"),
        (&["raster", "gone.prg"], "cannot read gone.prg"),
        (&["raster", "end.asm", "--system", "6502"], "has no raster"),
    ] {
        let ran = tempo(at, args);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}
