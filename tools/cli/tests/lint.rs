//! `tempo lint`: shorter code that is certain, and what stays as it is.

use std::path::Path;

use crate::common::{Ran, Scratch};
use pretty_assertions::assert_eq;
use serde_json::Value;

fn lint(source: &str, args: &[&str]) -> Ran {
    let scratch = Scratch::new(&[("lib.asm", source)]);
    let all: Vec<&str> = ["lint", "lib.asm"].iter().chain(args).copied().collect();
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &all)
}

const LONG: &str = "\
        *=$1000
.label Count = $20
.label Next = $21

Start:  lda Count               // more than it needs
        clc
        adc #1
        sta Count
        lda #0
        clc
        clv
        rts

// the caller may read everything
Live:   lda Next
        clc
        adc #1
        sta Next
        rts

Timed:  lda Count
        clc
        adc #1
        sta Count
        lda #0
        clc
        clv
        rts                     // tempo: cycles 22

Other:  ldx Next
        inx
here:   stx Next
        ldx #0
        jsr Live
        bne here
        rts
";

#[test]
fn shorter_code_is_offered_where_results_are_dead() {
    let ran = lint(LONG, &["--optimise", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let events: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(events.len(), 1, "{}", ran.out);
    let event = &events[0];
    assert_eq!((&event["line"], &event["file"]), (&5.into(), &"lib.asm".into()));
    assert_eq!(event["after"]["code"], serde_json::json!(["inc Count"]));
    assert_eq!(event["before"]["code"][0], "lda Count");
    let said = "these 4 instructions can be 1: saves 5 bytes, 5 cycles; A, V and C are dead here";
    assert_eq!(event["message"], said);
    let ran = lint(LONG, &["--optimise"]);
    assert!(ran.out.contains(said) && ran.out.contains("write `inc Count`"), "{}", ran.out);
    assert!(ran.out.ends_with("1 place can be shorter or faster: 5 bytes less in all\n"), "{}", ran.out);
}

#[test]
fn other_cpus_are_refused() {
    let ran = lint("        .cpu _65c02\n        *=$1000\nStart:  inc\n        rts\n", &["--optimise"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("there are no proofs about WDC 65C02"), "{}", ran.err);
}
