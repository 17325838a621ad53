//! `tempo asm` and `kickass` as users start them: long options, messages, exit codes, files on disk, large sources.
//! The command `kickass` itself is tested in process, in `tools/language/kickass/tests`.

use std::process::{Command, Stdio};

use crate::common::Scratch;

const TWO_LINES: &str = "*=$1000\nstart: rts\n";
const PLACES: &str = ".file [name=\"extra.prg\", segments=\"Default\"]\n*=$1000\nstart: rts\n";

#[test]
fn success_is_one_line_with_bytes_range_and_time() {
    let scratch = Scratch::new(&[("a.asm", TWO_LINES)]);
    let ran = scratch.asm("a.asm");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(scratch.read("a.prg"), [0x00, 0x10, 0x60]);
    assert!(ran.out.starts_with("a.prg: 1 byte, $1000-$1000, "), "{}", ran.out);
    assert!(ran.out.ends_with(" ms\n"), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
    assert_eq!(ran.err, "");
    assert_eq!(scratch.asm("a.asm --quiet").out, "");
}

#[test]
fn quiet_means_that_nothing_is_printed_on_success() {
    let warned = "*=$1000\n.print \"hello\"\n lda #300\n rts\n";
    let scratch = Scratch::new(&[("a.asm", warned), ("b.asm", &format!("{warned} lad #1\n"))]);
    let ran = scratch.asm("a.asm");
    assert!(ran.out.contains("hello") && ran.err.contains("W0101"), "{} {}", ran.out, ran.err);
    let ran = scratch.asm("a.asm -q");
    assert_eq!((ran.code, &ran.out[..], &ran.err[..]), (Some(0), "", ""));
    let ran = scratch.asm("b.asm -q");
    assert!(ran.code == Some(1) && ran.err.contains("lda"), "{}", ran.err);
    let ran = scratch.asm("a.asm -q --deny W0101");
    assert!(ran.code == Some(1) && ran.err.contains("W0101"), "{}", ran.err);
}

#[test]
fn so_many_errors_are_printed_as_asked_for() {
    let lines = |line: &str| line.repeat(10);
    let scratch = Scratch::new(&[
        ("syntax.asm", &lines(" lda #(\n")),
        ("names.asm", &(0..10).map(|n| format!(" lda missing{n}\n")).collect::<String>()),
        ("values.asm", &(0..10).map(|n| format!(".byte \"x{n}\" * 5\n")).collect::<String>()),
        ("mnemonics.asm", &lines(" lad #1\n")),
        ("mixed.asm", &format!("{} lda missing\n.byte \"a\" * 5\n", lines(" lda )\n"))),
    ]);
    for source in ["syntax.asm", "names.asm", "values.asm", "mnemonics.asm", "mixed.asm"] {
        let ran = scratch.asm(&format!("{source} --max-errors 3"));
        assert_eq!(ran.code, Some(1), "{source}");
        let count = ran.err.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(count, 3, "{source}: {}", ran.err);
    }
}

#[test]
fn limits_are_set_by_name() {
    let scratch = Scratch::new(&[("a.asm", "*=$1000\n.fill 2000, 0\n")]);
    let ran = scratch.asm("a.asm --limit output=1K");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("--limit output=2048 raises the limit"), "{}", ran.err);
    assert_eq!(scratch.asm("a.asm --limit output=2K").code, Some(0));
    for (words, says) in [
        ("--limit speed=1", "there is no limit 'speed'"),
        ("--limit output=1T", "'1T' is not a number"),
        ("--limit depth=5G", "5G is too large for 'depth'"),
        ("--limit output", "expected NAME=N"),
    ] {
        let ran = scratch.asm(&format!("a.asm {words}"));
        assert!(ran.code == Some(2) && ran.err.contains(says), "{words}: {}", ran.err);
    }
}

#[test]
fn our_options_put_side_files_beside_the_program() {
    let scratch = Scratch::new(&[("src/a.asm", PLACES)]);
    let ran = scratch.asm(
        "src/a.asm -o build/game.prg --out-dir out --symbols --vice-symbols=labels.txt --byte-dump --debug-dump",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        scratch.files(),
        [
            "build/game.dbg",
            "build/game.prg",
            "build/game.sym",
            "labels.txt",
            "out/ByteDump.txt",
            "out/extra.dbg",
            "out/extra.prg",
            "src/a.asm"
        ]
    );
    assert_eq!(scratch.text("build/game.sym"), ".label start=$1000\n");
    assert_eq!(scratch.text("labels.txt"), "al C:1000 .start\n");
    let ran = scratch.asm("src/a.asm -o b.bin --bin --check");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!scratch.path("b.bin").exists());
    assert_eq!(scratch.asm("src/a.asm -o b.bin --bin").code, Some(0));
    assert_eq!(scratch.read("b.bin"), [0x60]);
}

#[test]
fn kick_assembler_s_words_mean_what_they_mean_there() {
    for kickass in [false, true] {
        let scratch = Scratch::new(&[("src/a.asm", PLACES)]);
        let line = "src/a.asm -ODIR ../bin -symbolfile -vicesymbols -bytedump -debugdump -showmem -time";
        let ran = if kickass { scratch.kickass(line) } else { scratch.asm(line) };
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert_eq!(
            scratch.files(),
            [
                "bin/ByteDump.txt",
                "bin/a.dbg",
                "bin/a.prg",
                "bin/a.sym",
                "bin/a.vs",
                "bin/extra.dbg",
                "bin/extra.prg",
                "src/a.asm"
            ]
        );
        assert!(
            ran.out.contains("Memory Map\n----------\nDefault-segment:\n  $1000-$1000 Unnamed\n"),
            "{}",
            ran.out
        );
        assert_eq!(ran.out.contains("Time: "), kickass);
    }
}

#[test]
fn kickass_reads_and_writes_on_disk_and_answers_on_standard_output() {
    let scratch =
        Scratch::new(&[("a.asm", TWO_LINES), ("opts.txt", "-define DEEP\n"), ("b.asm", " lda foo\n")]);
    let ran =
        scratch.kickass("a.asm -cfgfile opts.txt -log log.txt -asminfo errors -asminfofile new/info.txt");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
    assert_eq!(scratch.text("log.txt"), ran.out);
    assert_eq!(scratch.text("new/info.txt"), "[errors]\n");
    assert_eq!(scratch.read("a.prg"), [0x00, 0x10, 0x60]);
    let ran = scratch.kickass("b.asm");
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(ran.out.ends_with("at line 1, column 6 in b.asm\n"), "{}", ran.out);
}

#[test]
#[cfg(unix)]
fn the_log_and_the_command_to_execute_work_under_both_names() {
    for kickass in [false, true] {
        let scratch =
            Scratch::new(&[("a.asm", ".print \"deep\"\n*=$1000\nstart: rts\n"), ("b.asm", " lda foo\n")]);
        let line = "a.asm -log log.txt -executelog ran.txt -execute echo";
        let ran = if kickass { scratch.kickass(line) } else { scratch.asm(line) };
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert_eq!(scratch.text("log.txt"), ran.out);
        assert!(scratch.text("ran.txt").ends_with("/a.prg\n"), "{}", scratch.text("ran.txt"));
        let line = "b.asm -log log.txt -execute echo";
        let ran = if kickass { scratch.kickass(line) } else { scratch.asm(line) };
        assert_eq!(ran.code, Some(1));
        assert_eq!(scratch.text("log.txt"), if kickass { ran.out } else { ran.err });
        let line = "a.asm -execute ./none";
        let ran = if kickass { scratch.kickass(line) } else { scratch.asm(line) };
        assert_eq!(ran.code, Some(if kickass { 1 } else { 2 }));
        assert!((ran.out + &ran.err).contains("can't run './none'"));
    }
}

#[test]
fn replaced_files_and_library_folders_are_read() {
    let scratch = Scratch::new(&[
        ("src/a.asm", "#import \"x.inc\"\n#import \"deep.inc\"\n"),
        ("src/x.inc", ".byte 1\n"),
        ("other.inc", ".byte 2\n"),
        ("lib/deep.inc", ".byte 3\n"),
    ]);
    assert_eq!(
        scratch.kickass("src/a.asm -libdir lib -replacefile src/x.inc other.inc -o a.prg").code,
        Some(0)
    );
    assert_eq!(scratch.read("a.prg"), [0x00, 0x20, 2, 3]);
    assert_eq!(scratch.asm("src/a.asm -L lib -o b.prg").code, Some(0));
    assert_eq!(scratch.read("b.prg"), [0x00, 0x20, 1, 3]);
}

#[cfg(unix)]
#[test]
fn execute_runs_a_command_on_the_program() {
    let scratch = Scratch::new(&[("a.asm", TWO_LINES)]);
    let ran = scratch.kickass("a.asm -execute cat -executelog said.txt");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(scratch.read("said.txt"), scratch.read("a.prg"));
    let ran = scratch.kickass("a.asm -execute no-such-command-here");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("can't run 'no-such-command-here'"), "{}", ran.out);
}

#[test]
fn json_is_one_object_a_line() {
    let scratch = Scratch::new(&[("a.asm", ".print \"hi\"\n lda #foo\n"), ("b.asm", ".print \"hi\"\nrts\n")]);
    let ran = scratch.asm("a.asm --message-format json");
    assert_eq!(ran.code, Some(1));
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["type"], "diagnostic");
    assert_eq!(lines[0]["message"], "Unknown symbol 'foo'");
    assert_eq!((lines[0]["at"]["line"].as_u64(), lines[0]["at"]["column"].as_u64()), (Some(2), Some(7)));
    assert_eq!(lines.last().expect("a result")["ok"], false);
    let ran = scratch.asm("b.asm --message-format json");
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["text"], "  hi");
    assert_eq!(lines[1]["ok"], true);
    assert_eq!(lines[1]["bytes"], 1);
    assert_eq!(lines[1]["files"][0], "b.prg");
}

#[test]
fn short_messages_are_what_editors_read() {
    let scratch = Scratch::new(&[("src/a.asm", " lda foo\n bne bar\n")]);
    let ran = scratch.asm("src/a.asm --message-format short");
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.err);
    assert!(lines[0].starts_with("src/a.asm:1:6: error: Unknown symbol 'foo' [E"), "{}", lines[0]);
    assert!(lines[1].starts_with("src/a.asm:2:6: error: Unknown symbol 'bar' [E"), "{}", lines[1]);
}

#[test]
fn failed_assertions_fail_the_build_unless_told_otherwise() {
    let scratch = Scratch::new(&[("a.asm", ".assert \"sum\", 1+1, 3\nrts\n")]);
    let ran = scratch.asm("a.asm");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert_eq!(scratch.files(), ["a.asm"]);
    let ran = scratch.asm("a.asm --keep-going-on-assert");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("  sum=2 (3) -- ERROR IN ASSERTION!!!\n"), "{}", ran.out);
    let ran = scratch.kickass("a.asm");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("Made 1 asserts , 1 FAILED!"), "{}", ran.out);
}

#[test]
fn warnings_can_be_errors() {
    let scratch = Scratch::new(&[("a.asm", " lda zp\n.label zp = $10\n")]);
    let ran = scratch.asm("a.asm");
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.starts_with("warning["), "{}", ran.err);
    std::fs::remove_file(scratch.path("a.prg")).expect("it was written");
    let ran = scratch.asm("a.asm --warnings-as-errors");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error["), "{}", ran.err);
    assert_eq!(scratch.files(), ["a.asm"]);
}

#[test]
fn warnings_are_chosen_by_code() {
    let scratch = Scratch::new(&[("a.asm", "*=$1000\n lda #300\n .byte 300\n")]);
    let said = |words: &str| {
        let ran = scratch.asm(&format!("a.asm --check --message-format short {words}"));
        (ran.code, ran.err)
    };
    let (code, all) = said("");
    assert_eq!(code, Some(0));
    assert!(
        all.contains("a.asm:2:7: warning: ") && all.contains("[W0101]") && all.contains("[W0102]"),
        "{all}"
    );
    let (code, few) = said("-A W0101");
    assert!(code == Some(0) && !few.contains("W0101") && few.contains("W0102"), "{few}");
    assert_eq!(said("-A all"), (Some(0), String::new()));
    let (_, one) = said("-A all -W w0101");
    assert!(one.contains("W0101") && !one.contains("W0102"), "{one}");
    let (code, denied) = said("--deny W0102");
    assert!(code == Some(1) && denied.contains("warning: ") && denied.contains("error: 300"), "{denied}");
    assert_eq!(said("--deny all").0, Some(1));
    let (code, unknown) = said("--deny W0110");
    assert!(code == Some(2) && unknown.contains("there is no warning 'W0110'"), "{unknown}");
    assert_eq!(scratch.asm("a.asm --check").out.lines().count(), 1);
}

#[test]
fn people_see_the_first_of_many_warnings() {
    let many = format!("*=$1000\n{}", " .byte 300\n".repeat(23));
    let scratch = Scratch::new(&[("a.asm", &many)]);
    let ran = scratch.asm("a.asm --check");
    assert_eq!(ran.err.matches("warning[W0102]").count(), 20, "{}", ran.err);
    let last = "W0102: 3 more warnings; --message-format short shows all of them, -A W0102 none\n";
    assert!(ran.err.ends_with(last), "{}", ran.err);
    assert_eq!(scratch.asm("a.asm --check --message-format short").err.lines().count(), 23);
    let json = scratch.asm("a.asm --check --message-format json").out;
    assert_eq!(json.lines().filter(|line| line.contains("W0102")).count(), 23);
    let ran = scratch.asm("a.asm --check --deny W0102");
    assert_eq!(ran.err.matches("error[W0102]").count(), 23, "errors are all shown");
}

#[test]
fn code_that_goes_to_no_file_is_named() {
    let code =
        ".segmentdef Zp [start=$10, virtual]\n.segment Zp\nx: .byte 0\n.segment Code [start=$1000]\n rts\n";
    let scratch = Scratch::new(&[("a.asm", code), ("b.asm", ".const x = 1\n")]);
    let ran = scratch.asm("a.asm -o out.prg");
    assert_eq!((ran.code, scratch.files()), (Some(0), vec!["a.asm".to_owned(), "b.asm".to_owned()]));
    assert!(
        ran.err.starts_with("note: nothing is written: the code is in segment 'Code', and"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("help: .segmentdef Code [outPrg=\"code.prg\"]"), "{}", ran.err);
    assert_eq!(scratch.asm("b.asm").err, "");
}

#[test]
fn a_source_that_cannot_be_read_is_no_fault_of_the_program() {
    let scratch = Scratch::new(&[("game.asm", TWO_LINES), ("folder/x", "")]);
    let ran = scratch.asm("gmae.asm");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: Inputfile 'gmae.asm' doesn't exist. Its folder has game.asm.\n");
    let ran = scratch.asm("folder");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("'folder' is a folder"), "{}", ran.err);
    assert_eq!(scratch.asm("").code, Some(2));
    assert_eq!(scratch.asm("game.asm --nonsense").code, Some(2));
    assert_eq!(scratch.asm("game.asm other.asm").code, Some(2));
}

#[test]
fn errors_leave_old_files_as_they_were() {
    let scratch = Scratch::new(&[
        ("a.asm", ".file [name=\"b.prg\", segments=\"Default\"]\nrts\n lda foo\n"),
        ("a.prg", "old"),
    ]);
    assert_eq!(scratch.asm("a.asm --symbols").code, Some(1));
    assert_eq!(scratch.kickass("a.asm -symbolfile").code, Some(1));
    assert_eq!(scratch.files(), ["a.asm", "a.prg"]);
    assert_eq!(scratch.text("a.prg"), "old");
}

#[test]
fn a_file_that_cannot_be_written_keeps_all_others_away() {
    let scratch = Scratch::new(&[("a.asm", PLACES), ("extra.prg/keep", "")]);
    let ran = scratch.asm("a.asm");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("cannot write 'extra.prg'"), "{}", ran.err);
    assert_eq!(scratch.files(), ["a.asm", "extra.prg/keep"]);
}

#[test]
fn files_stay_in_the_output_directory() {
    for name in ["../outside.prg", "/tmp/tempo-outside.prg", "sub/../../outside.prg"] {
        for directive in [
            format!(".file [name=\"{name}\", segments=\"Default\"]\n nop\n"),
            format!(".disk [filename=\"{name}\"] {{ }}\n nop\n"),
            format!(".segment A [start=$1000, outPrg=\"{name}\"]\n nop\n"),
            format!(".var f = createFile(\"{name}\")\n.eval f.writeln(\"x\")\n nop\n"),
        ] {
            let scratch = Scratch::new(&[("src/a.asm", &directive)]);
            let ran = scratch.asm("src/a.asm");
            assert_eq!(ran.code, Some(1), "{directive}{}", ran.out);
            assert!(ran.err.contains("output directory"), "{}", ran.err);
            assert_eq!(scratch.files(), ["src/a.asm"]);
        }
    }
    let scratch = Scratch::new(&[("src/a.asm", ".file [name=\"../out.prg\", segments=\"Default\"]\n nop\n")]);
    assert_eq!(scratch.kickass("src/a.asm -afo").code, Some(0));
    assert_eq!(scratch.asm("src/a.asm --allow-outside").code, Some(0));
    assert_eq!(scratch.files(), ["out.prg", "src/a.asm", "src/a.prg"]);
}

#[test]
fn a_source_is_never_overwritten() {
    let scratch = Scratch::new(&[("a.asm", TWO_LINES)]);
    let ran = scratch.asm("a.asm -o a.asm");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is a source of this program"), "{}", ran.err);
    assert_eq!(scratch.text("a.asm"), TWO_LINES);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let many = ".for (var i=0; i<20000; i++) .print \"line \" + i\n";
    let scratch = Scratch::new(&[("a.asm", many)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tempo"))
        .current_dir(scratch.0.path())
        .args(["asm", "a.asm"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_ne!(output.status.code(), Some(101), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn endless_things_end_with_a_message_that_names_them() {
    let loops = Scratch::new(&[("a.asm", "\n.var i = 0\n.while (true) { .eval i++ }\n")]);
    let ran = loops.asm("a.asm --max-loop 1000 --message-format short");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("a.asm:3:1: error: ") && ran.err.contains("1000"), "{}", ran.err);
    let depth = Scratch::new(&[("a.asm", ".macro M() {\n M()\n}\n M()\n")]);
    let ran = depth.asm("a.asm --max-depth 50 --message-format short");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("50"), "{}", ran.err);
    assert_eq!(depth.asm("a.asm").code, Some(1));
    assert_eq!(depth.kickass("a.asm").code, Some(1));
    let function = Scratch::new(&[("a.asm", ".function f(x) { .return f(x+1) }\n.byte f(0)\n")]);
    assert_eq!(function.asm("a.asm").code, Some(1));
    let cycle = Scratch::new(&[("a.asm", "#import \"b.asm\"\n"), ("b.asm", "#import \"a.asm\"\n")]);
    let ran = cycle.asm("a.asm --message-format short");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    let own = Scratch::new(&[("a.asm", ".import source \"a.asm\"\n")]);
    assert_eq!(own.asm("a.asm").code, Some(1));
}

#[test]
fn large_and_deep_sources_end() {
    let scratch = Scratch::new(&[]);
    for (name, text) in [
        ("parens.asm", format!(".byte {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("open.asm", "(".repeat(100_000)),
        ("braces.asm", format!("{}{}", "{".repeat(100_000), "}".repeat(100_000))),
        ("minus.asm", format!(".byte {}1\n", "-".repeat(100_000))),
        ("nots.asm", format!(".byte {}1\n", "!".repeat(100_000))),
        ("sum.asm", format!(".byte 1{}\n", "+1".repeat(100_000))),
        ("ifs.asm", ".if (true) ".repeat(50_000)),
        ("ternary.asm", format!(".byte {}1\n", "true ? 1 : ".repeat(50_000))),
        ("dots.asm", format!(".byte a{}\n", ".a".repeat(100_000))),
        ("labels.asm", "a:".repeat(100_000)),
        ("line.asm", format!(".text \"{}\"\n", "x".repeat(2_000_000))),
    ] {
        scratch.write(name, text.as_bytes());
        let ran = scratch.asm(&format!("{name} --check"));
        assert!(matches!(ran.code, Some(0 | 1)), "{name}: {:?} {}", ran.code, ran.err);
        assert!(ran.err.len() < 500_000, "{name}: {} bytes of messages", ran.err.len());
    }
}

#[test]
fn a_source_of_50_megabytes_is_assembled() {
    let scratch = Scratch::new(&[]);
    let line = "        lda #$12 // a line of some length, so that the file grows\n";
    let mut text = String::from("*=$1000 virtual\n");
    text.push_str(&line.repeat(50_000_000 / line.len()));
    scratch.write("big.asm", text.as_bytes());
    let ran = scratch.asm("big.asm --check");
    assert_eq!(ran.code, Some(0), "{}", &ran.err[..ran.err.len().min(2000)]);
}
