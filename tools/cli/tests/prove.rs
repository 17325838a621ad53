//! `tempo prove FILE`: contracts in comments, decided, with their faults.

use std::path::Path;

use crate::common::{Ran, Scratch};
use pretty_assertions::assert_eq;
use serde_json::Value;

fn prove(source: &str, args: &[&str]) -> Ran {
    let scratch = Scratch::new(&[("lib.asm", source)]);
    let all: Vec<&str> = ["prove", "lib.asm"].iter().chain(args).copied().collect();
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &all)
}

const KEPT: &str = "\
        *=$1000
.label Num = $20

// Double - twice a small number
// tempo: requires x < 128
// tempo: ensures a == old(x) * 2 and c == 0
// tempo: keeps x, y, Num
// tempo: clobbers a
Double: txa
        asl
        rts

// The loop depends on data, and its cycles are found all the same.
Wait:                           // tempo: count
        ldx Num
loop:   dex
        bne loop
        rts                     // tempo: cycles <= 1300

.namespace deep {
Low:    and #$0f                // tempo: ensures a <= 15
        rts
}
";

#[test]
fn contracts_of_a_source_are_proved() {
    let ran = prove(KEPT, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let expected = [
        ("proved", "6", "Double", "ensures a == old(x) * 2 and c == 0"),
        ("proved", "7", "Double", "keeps x, y, Num"),
        ("proved", "8", "Double", "clobbers a"),
        ("proved", "18", "Wait", "cycles <= 1300"),
        ("proved", "21", "deep.Low", "ensures a <= 15"),
    ];
    assert_eq!(ran.out.lines().count(), expected.len(), "{}", ran.out);
    for (line, (verdict, number, routine, words)) in ran.out.lines().zip(expected) {
        let start = format!("{verdict:<10} lib.asm:{number}  {routine}  {words}  ");
        assert!(line.starts_with(&start), "{line}");
    }
    assert!(ran.out.contains("13 to 1288 cycles"), "{}", ran.out);
}

#[test]
fn broken_contracts_have_an_example() {
    let source = KEPT
        .replace("requires x < 128", "requires x <= 128")
        .replace("<= 1300", "<= 1285")
        .replace("clobbers a\n", "clobbers y\n");
    let ran = prove(&source, &["--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let events: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let verdicts: Vec<&str> =
        events.iter().map(|event| event["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["refuted", "proved", "refuted", "refuted", "proved"]);
    assert_eq!(events[0]["example"]["x"], 128);
    assert_eq!((&events[0]["line"], &events[0]["routine"]), (&6.into(), &"Double".into()));
    assert_eq!(events[3]["cycles"]["max"], 1288);
}

#[test]
fn faulty_contracts_have_a_caret() {
    for (words, line, message) in [
        ("ensures a == old(q) * 2", 6, "`q` is not a register or a read of memory"),
        ("ensures a = 2", 6, "an operator is expected"),
        ("ensures", 6, "the condition after 'ensures' is missing"),
    ] {
        let ran = prove(&KEPT.replace("ensures a == old(x) * 2 and c == 0", words), &[]);
        assert_eq!(ran.code, Some(1), "{words}: {}", ran.out);
        let place = format!("--> lib.asm:{line}:");
        let is_told = ran.err.contains(message) && ran.err.contains(&place) && ran.err.contains('^');
        assert!(is_told && ran.err.contains("help: "), "{words}: {}", ran.err);
        // The others are decided.
        assert_eq!(ran.out.lines().count(), 4, "{words}: {}", ran.out);
    }
    let ran = prove("*=$1000\nLow: rts\n// tempo: keeps x\n", &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("no label of a routine follows this contract"), "{}", ran.err);
    let ran = prove("*=$1000\nLow: rts\n", &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("lib.asm states no contract"), "{}", ran.err);
    let ran = prove(KEPT, &["--ends"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("a routine is FILE:LABEL"), "{}", ran.err);
}

/// A label with the name of a register does not hide the register.
#[test]
fn registers_of_with_are_told_where_a_label_has_their_name() {
    let source = "*=$1000\n.label P = $20\nLow: lda P\n rts\n";
    let scratch = Scratch::new(&[("lib.asm", source)]);
    let args = ["cycles", "lib.asm", "--routine", "Low", "--with", "P=5"];
    let ran = scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &args);
    let told = "`P` in --with is the register or flag; the byte at the label `P` is written [P]";
    assert!(ran.err.contains(told), "{:?} {}", ran.code, ran.err);
}

#[test]
fn headers_are_contracts() {
    let source = "\
        *=$1000
.label Num = $20
.label Other = $22

// Add - adds Num to A, and
//       nothing else
//
// In:       A, Num
// Out:      A = sum
// Clobbers: Num          Keeps: X, Y, Other, and all that is prose
Add:    clc
        adc Num
        rts

// Spoil - says what is not so
//
// Out:      nothing
// Clobbers: A
// Keeps:    Y
Spoil:  ldy #0
        lda Num
        rts

// Prose - names no list of registers
// Clobbers: what Add does
Prose:  ldx #1
        jmp Add

// Far - keeps what it names over two lines
// Clobbers: A,
//           X
Far:    ldx #1
        lda #2
        rts
";
    let ran = prove(source, &["--headers"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{}", ran.out);
    assert_eq!(ran.out.lines().last(), Some("3 proved, 1 refuted, 0 undecided, 0 refused"), "{}", ran.out);
    for line in [
        "proved     lib.asm:10  Add  Keeps: X, Y, Other, and all that is prose  ",
        "proved     lib.asm:18  Spoil  Clobbers: A  ",
        "refuted    lib.asm:19  Spoil  Keeps:    Y  ",
        "proved     lib.asm:30  Far  Clobbers: A,  ",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let ran = prove(source, &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
}

#[test]
fn changed_routines_leave_the_same() {
    let before = "\
        *=$1000
.label Num = $20

// Double - twice a number
//
// In:  A
// Out: A, C
Double: clc
        adc #0
        asl
        rts

// tempo: keeps x
// tempo: ensures b(Num) == old(b(Num)) + 1 & $ff
Count:  lda Num
        clc
        adc #1
        sta Num
        rts

// Same - is as it was
// Out: A
Same:   lda #7
        rts
";
    let scratch = Scratch::new(&[("lib.asm", before)]);
    let git = |line: &str| {
        let ran = scratch.shell(&format!("git -c user.name=a -c user.email=a@b.c {line}"));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    };
    git("init -q .");
    git("add lib.asm");
    git("commit -qm first");
    let after = before
        .replace("Double: clc\n        adc #0\n        asl", "Double: asl")
        .replace("Count:  lda Num\n        clc\n        adc #1\n        sta Num", "Count:  inc Num");
    scratch.write("lib.asm", after.as_bytes());
    let ran = scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &["prove", "lib.asm", "--compare", "HEAD"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("proved     lib.asm:6  Double  same A, C  "), "{}", ran.out);
    assert!(lines[1].contains("Count  same X, byte Num  "), "{}", ran.out);
    assert!(lines[2].starts_with("2 routines with other bytes than in "), "{}", ran.out);
    scratch.write("lib.asm", after.replace("inc Num", "dec Num").as_bytes());
    let args = ["prove", "lib.asm", "--compare", "HEAD", "--format", "json"];
    let ran = scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let events: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let verdicts: Vec<&str> =
        events.iter().map(|event| event["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["proved", "refuted"]);
    let ran =
        scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &["prove", "lib.asm", "--compare", "nothing"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("git knows no revision `nothing`"), "{}", ran.err);
}

/// An opcode of another CPU does something else: `inc` of A does nothing on a 6502.
#[test]
fn code_for_another_cpu_is_refused() {
    let source = "        .cpu _65c02\n        *=$1000\n// tempo: keeps a\nNext:   inc\n        rts\n";
    let scratch = Scratch::new(&[("lib.asm", source)]);
    let tempo = Path::new(env!("CARGO_BIN_EXE_tempo"));
    for args in [
        &["prove", "lib.asm"][..],
        &["prove", "lib.asm:Next", "--in", "n = A", "--claim", "A == n"],
        &["prove", "lib.asm:Next", "--cycles"],
        &["superoptimise", "lib.asm:Next", "--out", "A"],
        &["cycles", "lib.asm", "--routine", "Next", "--with", "a=0..255", "--with", "a=0..255, x=0..255"],
    ] {
        let ran = scratch.run(tempo, args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("there are no proofs about WDC 65C02"), "{args:?}: {said}");
    }
}
