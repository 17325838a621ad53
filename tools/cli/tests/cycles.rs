//! `tempo cycles` as a user calls it: programs, suites, inputs, reports, comparisons with files and git revisions.

mod common;

use std::path::Path;
use std::process::Command;

use common::{Ran, Scratch};
use pretty_assertions::assert_eq;
use serde_json::Value;

/// Adds up `Count + 1` bytes of a table that lies over the end of a page, with a call in the loop. By hand: 4 + 2 + 2 at
/// the start; 4 + 6 + 2 + 6 + 2 a turn, 3 for going on; 2 + 4 + 6 at the end, without the last turn's cycle for going on.
const SUM: &str = "\
* = $10d8
Sum:    ldx Count
        lda #0
        clc
loop:   adc Table,x
        jsr Twist
        dex
        bpl loop
        sta Total
        rts

Twist:  eor #1
        rts
Count:  .byte 3
Total:  .byte 0
Table:  .fill 20, i
";

/// What `Sum` takes for a count, without page crossings.
fn sum_cycles(count: u64) -> u64 {
    8 + (count + 1) * (4 + 6 + 8 + 2) + count * 3 + 2 + 4 + 6
}

/// `Table` is at $10F0.
const TABLE: u64 = 0xf0;

fn tempo(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), args)
}

/// A table without the blanks that make its columns.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn inputs_have_a_minimum_a_mean_and_a_maximum() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    let args = ["cycles", "main.asm", "--routine", "Sum", "--with", "Count=0..9", "--format", "json"];
    let found = json(&tempo(at, &args));
    let row = &found["rows"][0];
    let all: Vec<u64> = (0..10).map(sum_cycles).collect();
    assert_eq!(row["calls"], 10);
    assert_eq!((row["min"].as_u64(), row["max"].as_u64()), (Some(all[0]), Some(all[9])));
    assert_eq!(row["mean"].as_f64(), Some(all.iter().sum::<u64>() as f64 / 10.0));
    assert_eq!((row["min_at"].as_str(), row["max_at"].as_str()), (Some("[Count]=0"), Some("[Count]=9")));
    assert_eq!(found["cycles"], all.iter().sum::<u64>());

    // The figures of the parts are those of the whole.
    let sum = |list: &str, figure: &str| -> u64 {
        let list = found[list].as_array().expect("a list");
        list.iter().map(|one| one[figure].as_u64().expect("a number")).sum()
    };
    assert_eq!(sum("lines", "cycles"), found["cycles"].as_u64().unwrap());
    assert_eq!(sum("routines", "own"), found["cycles"].as_u64().unwrap());
    let turns = &found["loops"][0];
    assert_eq!((turns["turns"].as_u64(), turns["entries"].as_u64()), (Some(55), Some(10)));
    assert_eq!(turns["cycles"].as_u64(), Some(55 * 20 + 45 * 3 + 10 * 2));
    let twist = found["routines"].as_array().unwrap().iter().find(|one| one["name"] == "Twist").unwrap();
    assert_eq!((twist["calls"].as_u64(), twist["own"].as_u64()), (Some(55), Some(55 * 8)));
}

#[test]
fn page_crossings_are_pointed_out() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    let out = tempo(at, &["cycles", "main.asm", "-r", "Sum", "--with", "Count=17"]);
    assert_eq!(out.code, Some(0), "{}", out.err);
    // X is 16 and 17 once each: two of the bytes lie in the next page.
    let crossing = (TABLE + 17 - 0xff).to_string();
    assert_eq!(crossing, "2");
    for part in [
        format!("Sum 1 {} ", sum_cycles(17) + 2),
        "<- 2 for crossing a page".to_string(),
        "page crossings: 2 cycles".to_string(),
        "main.asm:5: 2 cycles of 74: Table ($10F0) reaches the next page when X is 16 or more".to_string(),
        "main.asm:5-8".to_string(),
    ] {
        assert!(squeezed(&out.out).contains(&part), "{part} is not in\n{}", out.out);
    }
}

#[test]
fn routines_have_bounds_without_running() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    let out = json(&tempo(at, &["cycles", "main.asm", "--format", "json"]));
    assert_eq!(out["bounds"][0]["name"], "Twist");
    assert_eq!((out["bounds"][0]["min"].as_u64(), out["bounds"][0]["max"].as_u64()), (Some(8), Some(8)));
}

#[test]
fn a_suite_is_measured_by_its_benches() {
    let suite = "suites { suite(\"sums\") { assemble(\"main.asm\")\n\
                 bench(\"all\", \"every count\") { forall(n in 0..9) { [Count] = n jsr([Sum]) } }\n\
                 bench(\"row\", \"\") { each (n) { (1) (5) } [Count] = n jsr([Sum]) }\n\
                 test(\"no\", \"is no bench\") { jsr([Sum]) }\n} }\n";
    let at = &Scratch::new(&[
        ("main.asm", SUM),
        ("sum.6502", suite),
        ("none.6502", "suites { suite(\"s\") { assemble(\"main.asm\") test(\"t\", \"\") { jsr([Sum]) } } }"),
    ]);
    let found = json(&tempo(at, &["cycles", "sum.6502", "--format", "json"]));
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0]["name"], "sums/all Sum");
    assert_eq!((rows[0]["calls"].as_u64(), rows[0]["max"].as_u64()), (Some(10), Some(sum_cycles(9))));
    assert_eq!((rows[1]["min"].as_u64(), rows[1]["max_at"].as_str()), (Some(sum_cycles(1)), Some("row[2]")));

    let none = tempo(at, &["cycles", "none.6502"]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("no `bench` block"), "{}", none.err);
    assert_eq!(tempo(at, &["cycles", "none.6502", "--tests"]).code, Some(0));
}

#[test]
fn a_program_file_has_its_symbols_beside_it() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    assert_eq!(at.asm("main.asm -o main.prg --symbols=main.sym").code, Some(0));
    let found = json(&tempo(at, &["cycles", "main.prg", "-r", "Sum", "--format", "json"]));
    assert_eq!(found["rows"][0]["max"].as_u64(), Some(sum_cycles(3)));
    assert_eq!(found["lines"][0]["text"], "ldx $10EE");
    let by_address = json(&tempo(at, &["cycles", "main.prg", "-r", "$10d8", "--format", "json"]));
    assert_eq!(by_address["rows"][0]["max"].as_u64(), Some(sum_cycles(3)));
}

#[test]
fn profiles_are_written_for_other_tools() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    let args = ["cycles", "main.asm", "-r", "Sum", "--callgrind", "callgrind.out", "--flame", "sum.svg"];
    assert_eq!(tempo(at, &args).code, Some(0));
    let profile = at.text("callgrind.out");
    let total = sum_cycles(3);
    for part in [
        "# callgrind format\n".to_string(),
        "events: Cycles\n".to_string(),
        format!("summary: {total}\n"),
        "fn=(1) Sum\n".to_string(),
        "cfn=(2) Twist\ncalls=4 12\n6 32\n".to_string(),
    ] {
        assert!(profile.contains(&part), "{part} is not in\n{profile}");
    }
    assert!(at.text("sum.svg").contains("Twist: 32 cycles"));
    // What goes into a file that was read is refused.
    let refused = tempo(at, &["cycles", "main.asm", "-r", "Sum", "--callgrind", "main.asm"]);
    assert_eq!((refused.code, at.text("main.asm").as_str()), (Some(2), SUM));
}

#[test]
fn a_baseline_shows_what_became_slower() {
    let at = &Scratch::new(&[("main.asm", SUM)]);
    let args = ["cycles", "main.asm", "-r", "Sum", "--save", "base.json"];
    assert_eq!(tempo(at, &args).code, Some(0));
    let same =
        tempo(at, &["cycles", "main.asm", "-r", "Sum", "--baseline", "base.json", "--fail-over", "0%"]);
    assert_eq!((same.code, same.err.as_str()), (Some(0), ""));
    at.write("main.asm", SUM.replace("        dex\n", "        nop\n        dex\n").as_bytes());
    let slower = ["cycles", "main.asm", "-r", "Sum", "--baseline", "base.json"];
    let shown = tempo(at, &slower);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    let (before, now) = (sum_cycles(3), sum_cycles(3) + 8);
    assert!(
        squeezed(&shown.out).contains(&format!("{before} {now} +{:.1} %", 800.0 / before as f64)),
        "{}",
        shown.out
    );
    let failed = tempo(at, &[&slower[..], &["--fail-over", "2%"]].concat());
    assert_eq!(failed.code, Some(1));
    assert!(failed.err.contains("Sum is 7.3 % slower, 2 % are allowed"), "{}", failed.err);
    assert_eq!(tempo(at, &[&slower[..], &["--fail-over", "8%"]].concat()).code, Some(0));
    at.write("base.json", b"[]");
    assert_eq!(tempo(at, &slower).code, Some(2));
}

fn git(at: &Scratch, line: &str) {
    let settings = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git")
        .args(settings)
        .args(line.split(' '))
        .current_dir(at.0.path())
        .output()
        .expect("git is there");
    assert!(done.status.success(), "git {line}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_revision_is_measured_without_a_trace() {
    let at = &Scratch::new(&[("main.asm", "#import \"lib/sum.asm\"\n"), ("lib/sum.asm", SUM)]);
    git(at, "init -q .");
    git(at, "add .");
    git(at, "commit -q -m first");
    at.write("lib/sum.asm", SUM.replace("        dex\n", "        nop\n        dex\n").as_bytes());
    let args = ["cycles", "main.asm", "-r", "Sum", "--compare", "HEAD"];
    let before = at.files();
    let shown = tempo(at, &[&args[..], &["--fail-over", "2%"]].concat());
    assert_eq!(shown.code, Some(1), "{}", shown.err);
    assert!(shown.err.contains("Sum is 7.3 % slower"), "{}", shown.err);
    assert!(
        squeezed(&shown.out).contains(&format!("{} {}", sum_cycles(3), sum_cycles(3) + 8)),
        "{}",
        shown.out
    );
    assert_eq!(at.files(), before);

    // A revision that does not build, one without the routine, and none at all.
    at.write("lib/sum.asm", b"Sum: ldq #1\n");
    git(at, "commit -q -a -m broken");
    at.write("lib/sum.asm", SUM.as_bytes());
    let broken = tempo(at, &args);
    assert_eq!(broken.code, Some(1));
    assert!(broken.err.contains("lib/sum.asm:1:"), "{}", broken.err);
    assert!(broken.err.contains("(broken) cannot be measured"), "{}", broken.err);
    let unknown = tempo(at, &["cycles", "main.asm", "-r", "Sum", "--compare", "nope"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("git knows no revision `nope`"), "{}", unknown.err);
    let outside = &Scratch::new(&[("main.asm", SUM)]);
    let outside = tempo(outside, &["cycles", "main.asm", "-r", "Sum", "--compare", "HEAD"]);
    assert_eq!(outside.code, Some(2));
    assert!(outside.err.contains("needs a git repository"), "{}", outside.err);
}

#[test]
fn what_cannot_be_measured_is_named() {
    let endless = "* = $1000\nStay: jmp Stay\nOut: jsr $ffd2\n rts\n";
    let at = &Scratch::new(&[("main.asm", SUM), ("bad.asm", "Sum: ldq #1\n"), ("stay.asm", endless)]);
    let refused: [(&[&str], i32, &str); 9] = [
        (&["nope.asm"], 2, "there is no file nope.asm"),
        (&["main.asm", "-r", "Smu"], 2, "Smu"),
        (&["main.asm", "-r", "Sum", "--with", "Cuont=3"], 2, "Cuont"),
        (&["main.asm", "-r", "Sum", "--with", "x=9..1"], 2, "is empty"),
        (&["main.asm", "--with", "x=1"], 2, "--routine"),
        (&["bad.asm", "-r", "Sum"], 1, "bad.asm:1:6"),
        (&["stay.asm", "-r", "Stay", "--max-cycles", "1000"], 1, "no end after 1000 cycles"),
        (&["stay.asm", "-r", "Out"], 1, "error: Out fails\n  BRK executed at $FFD2"),
        (&["main.asm", "-r", "Sum", "--fail-over", "x", "--baseline", "b"], 2, "--fail-over x"),
    ];
    for (args, code, wanted) in refused {
        let out = tempo(at, &[&["cycles"], args].concat());
        assert_eq!(out.code, Some(code), "{args:?}: {}", out.err);
        assert!(out.err.contains(wanted), "{args:?}: {}", out.err);
        assert_eq!(out.out, "", "{args:?}");
    }
    assert_eq!(tempo(at, &["cycles", "stay.asm", "-r", "Out", "--stub", "$ffd2"]).code, Some(0));
}

#[test]
fn the_chess_figures_need_no_checkout() {
    let at = &Scratch::new(&[("one.epd", "4k3/8/8/8/8/8/8/4K2R w K - id \"rook\";\n")]);
    for words in [&["chess", "cycles"][..], &["cycles"]] {
        let args = [words, &["--positions", "one.epd", "--format", "csv"]].concat();
        let out = tempo(at, &args);
        assert_eq!(out.code, Some(0), "{args:?}: {}", out.err);
        assert!(out.out.contains("rook,15,GenerateLegalMoves,"), "{args:?}: {}", out.out);
    }
}
