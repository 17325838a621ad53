//! `tempo cycles` as a user calls it: programs, suites, inputs, reports, comparisons with files and git revisions.

use std::path::Path;
use std::process::Command;

use crate::common::{Ran, Scratch};
use pretty_assertions::assert_eq;
use serde_json::Value;

/// Adds up `Count + 1` bytes of a table that is over the end of a page, with a call in the loop. By hand: 4 + 2 + 2 at
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

/// The cycles of `Sum` for a count, without page crossings.
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
    // X is 16 and 17 once each: two of the bytes are in the next page.
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
                 test(\"no\", \"is not a bench\") { jsr([Sum]) }\n} }\n";
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
    let words = ["--positions", "one.epd", "--format", "csv"];
    let out = tempo(at, &[&["chess", "cycles"], &words[..]].concat());
    assert_eq!(out.code, Some(0), "{}", out.err);
    assert!(out.out.contains("rook,15,GenerateLegalMoves,"), "{}", out.out);
    // The command of the same name measures other programs.
    let out = tempo(at, &[&["cycles"], &words[..]].concat());
    assert_eq!((out.code, out.out.as_str()), (Some(2), ""), "{}", out.err);
}

/// A figure of a routine in the table of those that ran.
fn routine<'a>(found: &'a Value, name: &str) -> &'a Value {
    let all = found["routines"].as_array().expect("a list");
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

fn measured(source: &str, words: &[&str]) -> Value {
    let at = &Scratch::new(&[("main.asm", source)]);
    json(&tempo(at, &[&["cycles", "main.asm", "--format", "json"], words].concat()))
}

#[test]
fn calls_of_an_input_are_not_measured() {
    let source = "* = $1000\nInit: ldx #100\ni: dex\n bne i\n rts\nWork: clc\n adc #1\n rts\n";
    let found = measured(source, &["-r", "Work", "--with", "jsr([Init]), a=1", "--with", "a=2"]);
    let row = &found["rows"][0];
    assert_eq!(
        (row["calls"].as_u64(), row["min"].as_u64(), row["max"].as_u64()),
        (Some(2), Some(10), Some(10))
    );
    assert_eq!(found["cycles"], 20);
    assert_eq!(found["routines"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["loops"].as_array().unwrap().len(), 0, "{found}");
    let at = &Scratch::new(&[("main.asm", source)]);
    let with = ["cycles", "main.asm", "-r", "Work", "--with", "jsr([Init]), a=1", "--flame", "f.folded"];
    assert_eq!(tempo(at, &with).code, Some(0));
    assert_eq!(at.text("f.folded"), "cycles;Work 10\n");
}

#[test]
fn a_jump_back_is_a_loop_if_its_target_ran_before() {
    let tail = "* = $1000\nLeaf: nop\n rts\nTail: jmp Leaf\n";
    assert_eq!(measured(tail, &["-r", "Tail"])["loops"].as_array().unwrap().len(), 0);
    // A call of its own is not a turn of the caller's loop, and does not hide that it turns.
    let nested = "* = $1000\nWalk: ldx #3\nw: dex\n bmi d\n jsr Leave\n jmp w\nd: rts\nLeave: cpx #1\n bne w2\n jmp Leaf\nw2: rts\nLeaf: nop\n rts\n";
    let found = measured(nested, &["-r", "Walk"]);
    let loops = found["loops"].as_array().unwrap();
    assert_eq!(loops.len(), 1, "{loops:?}");
    assert_eq!((loops[0]["turns"].as_u64(), loops[0]["entries"].as_u64()), (Some(4), Some(1)));
    // The same lines in a call of itself.
    let again =
        "* = $1000\nAgain: ldy #2\na: dey\n beq d\n dex\n bmi s\n jsr Again\n ldy #2\ns: jmp a\nd: rts\n";
    let found = measured(again, &["-r", "Again", "--with", "x=1"]);
    let turns = &found["loops"][0];
    assert_eq!((turns["turns"].as_u64(), turns["entries"].as_u64()), (Some(5), Some(2)), "{found}");
    assert!(turns["cycles"].as_u64() <= found["cycles"].as_u64(), "{found}");
}

#[test]
fn recursion_counts_in_its_outermost_call() {
    let source =
        "* = $1000\nEven: dex\n bmi d\n jsr Odd\n nop\nd: rts\nOdd: dex\n bmi e\n jsr Even\n nop\ne: rts\n";
    let found = measured(source, &["-r", "Even", "--with", "x=20"]);
    let all = found["cycles"].as_u64().unwrap();
    let (even, odd) = (routine(&found, "Even"), routine(&found, "Odd"));
    assert_eq!((even["calls"].as_u64(), odd["calls"].as_u64()), (Some(11), Some(10)));
    assert_eq!(even["total"].as_u64(), Some(all));
    // All but the first lines of the first call, and its end: 2 + 2 + 6, and 2 + 6.
    assert_eq!(odd["total"].as_u64(), Some(all - 18));
    assert_eq!(even["own"].as_u64().unwrap() + odd["own"].as_u64().unwrap(), all);
}

#[test]
fn stalls_are_no_page_crossings() {
    let source = "* = $1000\nLong: ldy #40\no: ldx #0\ni: lda $2000,x\n dex\n bne i\n dey\n bne o\n rts\n";
    for system in ["c64_pal", "c64-pal", "c64-ntsc"] {
        let found = measured(source, &["-r", "Long", "--system", system, "--with", "i=true"]);
        assert!(found["cycles"].as_u64() > Some(10_240 * 9), "the screen takes cycles: {found}");
        let lines = found["lines"].as_array().unwrap();
        assert!(lines.iter().all(|line| line["crossings"] == 0), "{system}: {found}");
    }
}

#[test]
fn an_interrupt_is_a_call() {
    // The handler is below the loop, which it interrupts after each of its instructions in turn.
    let source = "* = $0f00\nH: inc $02\n rti\n* = $10f8\nMain: ldx #0\nm: dex\n bne m\n jsr Leaf\n rts\nLeaf: nop\n rts\n* = $fffe\n.word H\n";
    let plain = measured(source, &["-r", "Main"]);
    let all = plain["cycles"].as_u64().unwrap();
    let with = |at: u64| format!("irq(at_cycle = {at}), i=false");
    // One that is served after the last `rts` is not of the call.
    for at in all - 7..all + 2 {
        assert_eq!(measured(source, &["-r", "Main", "--with", &with(at)])["rows"][0]["max"], all, "{at}");
    }
    for at in (400..410).chain(all - 20..all - 7) {
        let with = with(at);
        let found = measured(source, &["-r", "Main", "--with", &with]);
        // Seven cycles to enter, five and six in the handler.
        assert_eq!(found["cycles"].as_u64(), Some(all + 18), "{at}: {found}");
        let handler = routine(&found, "H");
        assert_eq!((handler["calls"].as_u64(), handler["own"].as_u64()), (Some(1), Some(18)), "{at}");
        for name in ["Main", "Leaf"] {
            assert_eq!(routine(&found, name)["own"], routine(&plain, name)["own"], "{at}: {name}");
            assert_eq!(routine(&found, name)["calls"], 1, "{at}: {name}");
        }
        assert_eq!(found["loops"].as_array().unwrap().len(), 1, "{at}: {found}");
        assert_eq!(found["loops"][0]["turns"], plain["loops"][0]["turns"], "{at}");
        assert!(
            found["lines"].as_array().unwrap().iter().all(|line| line["crossings"] == 0),
            "{at}: {found}"
        );
    }
}

#[test]
fn a_routine_may_handle_its_return_address() {
    let source = "* = $1000\nMain: jsr Primm\n .byte 1\n rts\nPrimm: pla\n tax\n pla\n ldy #200\n!: dey\n bne !-\n pha\n inx\n txa\n pha\n rts\n";
    let found = measured(source, &["-r", "Main"]);
    assert_eq!(routine(&found, "Main")["own"], 12, "{found}");
    // One that calls and jumps back with the address in its hands.
    let source = "* = $1000\nMain: jsr Primm\n .byte 3\n rts\nPrimm: pla\n sta $02\n pla\n sta $03\np: inc $02\n ldy #0\n lda ($02),y\n beq q\n jsr Put\n lda #0\n sta ($02),y\n dec $02\n jmp p\nq: lda $03\n pha\n lda $02\n pha\n rts\nPut: nop\n rts\n";
    let found = measured(source, &["-r", "Main"]);
    assert_eq!(routine(&found, "Main")["own"], 12, "{found}");
    assert_eq!(
        (routine(&found, "Primm")["calls"].as_u64(), routine(&found, "Put")["own"].as_u64()),
        (Some(1), Some(8))
    );
    // One that forgets it and jumps away, and one that returns for its caller.
    let source = "* = $1000\nMain: jsr Away\n nop\nBack: jsr Skip\n rts\nAway: pla\n pla\n jmp Back\nSkip: jsr Two\n nop\n rts\nTwo: pla\n pla\n rts\n";
    let found = measured(source, &["-r", "Main"]);
    let own = |name: &str| routine(&found, name)["own"].as_u64();
    assert_eq!((own("Main"), own("Away"), own("Skip"), own("Two")), (Some(18), Some(11), Some(6), Some(14)));
}

/// A program whose routines have bounds, and the project around it.
const PROJECT: &str = "[project]\nmain = \"src/main.asm\"\n";
const BOUNDED: &str =
    "* = $1000\nMain: jsr Fast\n jsr Slow\n rts\nFast: nop\n rts\nSlow: ldx #5\ns: dex\n bne s\n rts\n";

fn slower() -> String {
    BOUNDED.replace("Fast: nop", "Fast: nop\n nop").replace(" jsr Slow\n", " jsr Other\n") + "Other: rts\n"
}

#[test]
fn bounds_are_saved_and_compared() {
    let at = &Scratch::new(&[("tempo.toml", PROJECT), ("src/main.asm", BOUNDED)]);
    git(at, "init -q .");
    git(at, "add .");
    git(at, "commit -q -m one");
    assert_eq!(tempo(at, &["cycles", "--save", "b.json"]).code, Some(0));
    let same = tempo(at, &["cycles", "--compare", "HEAD", "--fail-over", "0%"]);
    assert_eq!((same.code, same.err.as_str()), (Some(0), ""));
    assert!(same.out.starts_with("2 routines have the same bounds as before."), "{}", same.out);
    at.write("src/main.asm", slower().as_bytes());
    let earlier: [&[&str]; 6] = [
        &["--compare", "HEAD"],
        &["src/main.asm", "--compare", "HEAD"],
        &["--compare", ":/one"],
        &["--compare", "HEAD^{/one}"],
        &["--baseline", "b.json"],
        &["src/main.asm", "--baseline", "b.json"],
    ];
    for words in earlier {
        let args = [&["cycles"], words].concat();
        let shown = tempo(at, &args);
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{words:?}");
        let table = squeezed(&shown.out);
        for part in ["Fast 8 10 +25.0 %", "Other - 6 new", "Slow 32 - gone"] {
            assert!(table.contains(part), "{words:?}: {part} is not in\n{}", shown.out);
        }
        let failed = tempo(at, &[&args[..], &["--fail-over", "2%"]].concat());
        assert_eq!(failed.code, Some(1), "{words:?}");
        assert_eq!(
            failed.err,
            "error: Fast can be 25.0 % slower, 2 % are allowed\nerror: Slow is not called any more\n"
        );
    }
    let found = json(&tempo(at, &["cycles", "--compare", "HEAD", "--format", "json"]));
    assert_eq!(found["compared"]["bounds"][0]["name"], "Fast");
    assert_eq!(found["compared"]["bounds"][0]["max"]["before"], 8.0);
}

#[test]
fn a_project_is_compared_by_its_benches() {
    let suite = "suites { suite(\"s\") { assemble(\"src/main.asm\")\nbench(\"fast\", \"\") { jsr([Fast]) }\n\
                 bench(\"slow\", \"\") { jsr([Slow]) }\n} }\n";
    let at = &Scratch::new(&[
        ("tempo.toml", PROJECT),
        ("src/main.asm", BOUNDED),
        ("tests/s.6502", suite),
        (
            "tests/none.6502",
            "suites { suite(\"n\") { assemble(\"nowhere.asm\") test(\"t\", \"\") { jsr([Fast]) } } }",
        ),
    ]);
    git(at, "init -q .");
    git(at, "add .");
    git(at, "commit -q -m one");
    at.write(
        "src/main.asm",
        (BOUNDED.to_string() + "New: nop\n rts\n").replace("Fast: nop", "Fast: nop\n nop").as_bytes(),
    );
    // Two benches of a routine that the revision does not have.
    let more = "bench(\"new\", \"\") { jsr([New]) }\nbench(\"newer\", \"\") { jsr([New]) }\n} }\n";
    at.write("tests/s.6502", suite.replace("\n} }\n", &format!("\n{more}")).as_bytes());
    for words in [&["cycles", "--compare", "HEAD"][..], &["cycles", "src/main.asm", "--compare", "HEAD"]] {
        let shown = tempo(at, words);
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{words:?}");
        let table = squeezed(&shown.out);
        for part in
            ["s/fast Fast 8 10 +25.0 %", "s/slow Slow 32 32 =", "s/new New - 8 new", "s/newer New - 8 new"]
        {
            assert!(table.contains(part), "{words:?}: {part} is not in\n{}", shown.out);
        }
    }
    // A suite that two paths lead to is measured once.
    let compare = ["cycles", "--compare", "HEAD", "--format", "json"];
    let once = tempo(at, &compare).out;
    let twice = format!("{PROJECT}[test]\npaths = [\"tests\", \"tests/s.6502\"]\n");
    at.write("tempo.toml", twice.as_bytes());
    assert_eq!(tempo(at, &compare).out, once);
    at.write("tempo.toml", PROJECT.as_bytes());
    let failed = tempo(at, &["cycles", "--compare", "HEAD", "--fail-over", "2"]);
    assert_eq!((failed.code, failed.err.lines().count()), (Some(1), 1), "{}", failed.err);
    // A baseline of benches is compared with benches, one of bounds with bounds.
    assert_eq!(tempo(at, &["cycles", "tests/s.6502", "--save", "benches.json"]).code, Some(0));
    assert_eq!(tempo(at, &["cycles", "--save", "bounds.json"]).code, Some(0));
    assert!(
        squeezed(&tempo(at, &["cycles", "--baseline", "benches.json"]).out).contains("s/fast Fast 10 10 =")
    );
    assert!(
        tempo(at, &["cycles", "--baseline", "bounds.json"]).out.contains("2 routines have the same bounds")
    );
    let refused = tempo(at, &["cycles", "tests", "--baseline", "bounds.json"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("bounds.json holds bounds"), "{}", refused.err);
}

#[test]
fn routines_of_one_revision_are_new_or_gone() {
    let at = &Scratch::new(&[("main.asm", BOUNDED)]);
    git(at, "init -q .");
    git(at, "add .");
    git(at, "commit -q -m one");
    assert_eq!(
        tempo(
            at,
            &["cycles", "main.asm", "-r", "Fast", "-r", "Slow", "--save", "b.json", "--with", "x=(1,2)"]
        )
        .code,
        Some(0)
    );
    at.write("main.asm", (BOUNDED.replace("Slow", "New") + "Var: .byte 0\n").as_bytes());
    let with = ["cycles", "main.asm", "-r", "Fast", "-r", "New", "-r", "Slow", "--with", "x=(1,2)"];
    for words in [["--compare", "HEAD"], ["--baseline", "b.json"]] {
        let shown = tempo(at, &[&with[..], &words].concat());
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{words:?}");
        let table = squeezed(&shown.out);
        for part in ["Fast 8 8 =", "New - 32 new", "Slow 32 - gone"] {
            assert!(table.contains(part), "{words:?}: {part} is not in\n{}", shown.out);
        }
        let failed = tempo(at, &[&with[..], &words, &["--fail-over", "2%"]].concat());
        assert_eq!((failed.code, failed.err.as_str()), (Some(1), "error: Slow is not measured any more\n"));
        // A name that neither of them knows, also of an input.
        let typo = tempo(at, &[&with[..], &words, &["-r", "Fsat"]].concat());
        assert_eq!(typo.code, Some(2), "{}", typo.err);
        assert!(typo.err.contains("unknown symbol `Fsat`"), "{}", typo.err);
    }
    let input = tempo(at, &["cycles", "main.asm", "-r", "Fast", "--with", "Var=1", "--compare", "HEAD"]);
    assert_eq!(input.code, Some(1));
    assert!(input.err.contains("unknown symbol `Var`"), "{}", input.err);
}

#[test]
fn a_baseline_of_other_inputs_is_refused() {
    let at = &Scratch::new(&[("main.asm", BOUNDED)]);
    let args = ["cycles", "main.asm", "-r", "Fast"];
    let with = |words: &[&str]| tempo(at, &[&args[..], words].concat());
    assert_eq!(with(&["--with", "x = 4", "--save", "b.json"]).code, Some(0));
    assert_eq!(with(&["--with", "x=4", "--baseline", "b.json"]).code, Some(0));
    for words in [&["--baseline", "b.json"][..], &["--baseline", "b.json", "--with", "x=5"]] {
        let refused = with(words);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{words:?}");
        assert!(refused.err.contains("b.json was saved with --with \"x = 4\""), "{}", refused.err);
    }
    let warned = with(&["--with", "x=4", "--baseline", "b.json", "--system", "c64"]);
    assert_eq!(warned.code, Some(0));
    assert_eq!(warned.err, "warning: b.json was saved on another machine: --system 6502\n");
    // Files of an earlier program do not say what they were asked.
    let old = at.text("b.json");
    let from = old.find(",\n  \"asked\"").expect("the inputs are kept");
    at.write("b.json", format!("{}\n}}\n", &old[..from]).as_bytes());
    assert_eq!(with(&["--baseline", "b.json"]).code, Some(0));
}

#[test]
fn options_without_effect_are_refused() {
    let at = &Scratch::new(&[("main.asm", BOUNDED), ("s.6502", "suites { }")]);
    assert_eq!(at.asm("main.asm -o main.prg --symbols=main.sym").code, Some(0));
    let refused: [(&[&str], &str); 15] = [
        (
            &[],
            "name a program: tempo cycles main.asm --routine Sum --with x=4; `tempo chess cycles` measures",
        ),
        (&["main.asm", "--callgrind", "c.out"], "--callgrind needs a call: add --routine LABEL"),
        (&["main.asm", "--flame", "f.svg"], "--flame needs a call: add --routine LABEL"),
        (&["main.asm", "--stub", "$ffd2"], "--stub needs a call: add --routine LABEL"),
        (&["main.asm", "--symbols", "main.sym"], "--symbols is for a .prg"),
        (&["main.asm", "-r", "Fast", "--symbols", "main.sym"], "--symbols is for a .prg"),
        (&["main.asm", "--fail-over", "2%"], "--fail-over needs something to compare with"),
        (&["main.asm", "-r", "Fast", "--fail-over", "2%"], "--fail-over needs something to compare with"),
        (&["main.asm", "--filter", "x"], "--filter is for suites"),
        (&["main.asm", "-r", "Fast", "--filter", "1"], "--filter is for suites"),
        (&["main.asm", "-r", "Fast", "--tests"], "--tests is for suites"),
        (&["s.6502", "--system", "c64"], "--system is for programs"),
        (&["s.6502", "--symbols", "main.sym"], "--symbols is for programs"),
        (&["main.prg"], "main.prg has no source"),
        (&["main.prg", "--baseline", "main.sym"], "not a file of --save"),
    ];
    for (args, wanted) in refused {
        let out = tempo(at, &[&["cycles"], args].concat());
        assert_eq!((out.code, out.out.as_str()), (Some(2), ""), "{args:?}: {}", out.err);
        assert!(out.err.contains(wanted), "{args:?}: {}", out.err);
    }
    assert!(!at.files().iter().any(|name| name.ends_with("c.out") || name.ends_with("f.svg")));
}

#[test]
fn a_routine_of_the_rom_is_stubbed_by_an_option() {
    let source = "* = $1000\nOut: jsr $ffd2\n rts\nNamed: jsr CHRIN\n rts\n.label CHRIN = $ffcf\n";
    let at = &Scratch::new(&[("main.asm", source)]);
    for (routine, remedy) in [("Out", "add --stub '$FFD2'\n"), ("Named", "add --stub 'CHRIN'\n")] {
        let failed = tempo(at, &["cycles", "main.asm", "-r", routine]);
        assert_eq!(failed.code, Some(1));
        assert!(failed.err.contains(remedy) && !failed.err.contains("stub("), "{}", failed.err);
    }
    for stub in ["$ffcf", "CHRIN"] {
        assert_eq!(tempo(at, &["cycles", "main.asm", "-r", "Named", "--stub", stub]).code, Some(0));
    }
}

#[test]
fn machines_have_the_same_names_everywhere() {
    let source = "* = $1000\nMain: lda #0\n rts\n";
    let at = &Scratch::new(&[("main.asm", source), ("p/main.asm", source)]);
    for name in [
        "c64",
        "c64-pal",
        "c64_pal",
        "pal",
        "c64-ntsc",
        "c64_ntsc",
        "ntsc",
        "c64c-pal",
        "c64c",
        "c64-ntscold",
        "drean",
        "cpu",
        "generic_6502",
        "generic-6502",
        "6502",
        "6510",
        "65c02",
        "2a03",
        "c64-memory",
        "c64_memory",
        "bare",
    ] {
        let found = tempo(at, &["cycles", "main.asm", "-r", "Main", "--system", name, "--with", "i=true"]);
        assert_eq!(found.code, Some(0), "{name}: {}", found.err);
        at.write(
            "p/tempo.toml",
            format!("[project]\nmain = \"main.asm\"\n[run]\nsystem = \"{name}\"\n").as_bytes(),
        );
        let config = tempo(at, &["config", "--project", "p"]);
        assert_eq!(config.code, Some(0), "{name}: {}", config.err);
        let flag = tempo(at, &["config", "--system", name]);
        assert_eq!(flag.code, Some(0), "{name}: {}", flag.err);
        let run = tempo(at, &["run", "--system", name, "nowhere.prg"]);
        assert!(run.err.contains("nowhere.prg") && !run.err.contains("invalid value"), "{name}: {}", run.err);
        let debug = tempo(at, &["debug", "--system", name, "nowhere.prg"]);
        assert!(
            debug.err.contains("nowhere.prg") && !debug.err.contains("invalid value"),
            "{name}: {}",
            debug.err
        );
    }
}
