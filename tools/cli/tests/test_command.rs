//! `tempo test` as a user meets it: exit codes, files, options. What suites mean is tested in `tests/dsl`.

use std::path::Path;
use std::process::{Command, Output};

const PLATES: &str = include_str!("../../../tests/dsl/files/plates.asm");

const SUITE: &str = r#"suites {
  suite("one") {
    assemble("plates.asm")
    test("push", "works", tags = "smoke") { a = 5 jsr([PushPlate]) assert([PlateCount] == 1) }
    test("bad", "is wrong") { a = 5 jsr([PushPlate]) assert([PlateCount] == 2, "two") }
    test("pop", "works too") { jsr([PopPlate]) assert(c) }
    bench("cost", "of a push") { jsr([PushPlate]) }
  }
  suite("two") {
    assemble("plates.asm")
    test("again", "in another suite") { jsr([PopPlate]) assert(c) }
  }
}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "plates.asm", PLATES);
    write(folder.path(), "a.6502", SUITE);
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a writable folder");
}

fn tempo(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tempo"))
        .arg("test")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("tempo runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn exit_codes_are_those_of_the_language() {
    let folder = folder();
    let path = folder.path();
    write(
        path,
        "good.6502",
        "suites { suite(\"s\") { test(\"t\", \"d\") { bytes($1000, $60) jsr($1000) } } }",
    );
    write(path, "malformed.6502", "suites { suite(\"s\") { tset(\"t\", \"d\") { jsr($1000) } } }");
    write(path, "unknown.6502", "suites { suite(\"s\") { test(\"t\", \"d\") { jsr([nowhere]) } } }");
    write(
        path,
        "late.6502",
        "suites { suite(\"s\") { test(\"t\", \"d\") { x = 1 $ffff + x = 2 jsr($1000) } } }",
    );
    write(path, "none.6502", "suites { }");
    for (arguments, expected) in [
        (&["good.6502"][..], 0),
        (&["none.6502"], 0),
        (&["a.6502"], 1),
        (&["malformed.6502"], 2),
        (&["unknown.6502"], 3),
        (&["late.6502"], 3),
        // Malformed wins over everything: nothing is run.
        (&["a.6502", "malformed.6502", "unknown.6502"], 2),
        (&["missing.6502"], 1),
        (&[], 1),
        (&["--wibble"], 1),
        (&["good.6502", "--backend", "vice"], 1),
        (&["good.6502", "--partition", "3/2"], 1),
        (&["good.6502", "-t", "-d"], 1),
        (&["--help"], 0),
        (&["-s", "good.6502"], 0),
        (&["--suitefile", "good.6502", "--compat"], 2),
    ] {
        let output = tempo(path, arguments);
        assert_eq!(code(&output), expected, "{arguments:?}\n{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn a_failure_says_all_there_is_to_say() {
    let folder = folder();
    let output = tempo(folder.path(), &["a.6502"]);
    let text = stdout(&output);
    for part in [
        "FAILED bad - is wrong (one)",
        "a.6502:5:",
        "assert([PlateCount] == 2, \"two\")",
        "[PlateCount] is 1 ($01), expected == 2 ($02)",
        "stopped at $100D PushPlate.full (plates.asm:19)",
        "rerun: tempo test a.6502 --test bad",
        "4 passed, 1 failed in",
        "MHz)",
    ] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_named_as_it_was_asked_for() {
    let folder = folder();
    let output = tempo(folder.path(), &["a.6502", "--junit", "nowhere/out.xml"]);
    let expected = "error: cannot write nowhere/out.xml: No such file or directory (os error 2)\n";
    assert_eq!(stderr(&output), expected);
}

#[test]
fn filters_lists_and_partitions() {
    let folder = folder();
    let path = folder.path();
    assert_eq!(stdout(&tempo(path, &["a.6502", "--list"])), "  push\n  bad\n  pop\n  cost\n  again\n");
    assert_eq!(stdout(&tempo(path, &["a.6502", "--list", "--filter", "P*"])), "  push\n  pop\n");
    assert_eq!(stdout(&tempo(path, &["a.6502", "--list", "--filter-tag", "smoke"])), "  push\n");
    let output = tempo(path, &["a.6502", "--exclude-tag", "smoke", "--filter", "p*"]);
    assert!(stdout(&output).starts_with("1 passed, 0 failed, 4 filtered"), "{}", stdout(&output));
    let one = tempo(path, &["a.6502", "--partition", "1/2"]);
    let two = tempo(path, &["a.6502", "--partition", "2/2"]);
    assert!(stdout(&one).contains("3 passed, 1 failed, 1 filtered"), "{}", stdout(&one));
    assert!(stdout(&two).contains("1 passed, 0 failed, 4 filtered"), "{}", stdout(&two));
    let split = tempo(path, &["a.6502", "--isolate", "--partition", "1/2"]);
    assert!(stdout(&split).contains("3 passed, 0 failed, 2 filtered"), "{}", stdout(&split));
}

#[test]
fn what_failed_is_remembered() {
    let folder = folder();
    let path = folder.path();
    assert_eq!(code(&tempo(path, &["a.6502"])), 1);
    let output = tempo(path, &["a.6502", "--rerun-failed"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("0 passed, 1 failed, 4 filtered"), "{}", stdout(&output));
    // A run of other tests, of none, and of other suites forgets nothing.
    write(path, "b.6502", &SUITE.replace("== 2", "== 1"));
    for words in
        [&["a.6502", "--test", "push"][..], &["a.6502", "--filter", "none", "--allow-none"], &["b.6502"]]
    {
        assert_eq!(code(&tempo(path, words)), 0, "{words:?}");
    }
    let list = &["a.6502", "--list", "--rerun-failed"];
    assert_eq!(stdout(&tempo(path, list)), "  bad\n");
    // A test that is gone did not pass.
    write(path, "a.6502", &SUITE.replace("\"bad\"", "\"worse\""));
    let output = tempo(path, &["a.6502", "--rerun-failed"]);
    assert!(stdout(&output).contains("4 passed, 1 failed"), "{}", stdout(&output));
    assert!(stderr(&output).contains("none of these tests failed last time"), "{}", stderr(&output));
    assert_eq!(stdout(&tempo(path, list)), "  worse\n");
    write(path, "a.6502", &SUITE.replace("== 2", "== 1"));
    assert!(stdout(&tempo(path, &["a.6502"])).contains("5 passed"));
    let output = tempo(path, &["a.6502", "--rerun-failed"]);
    assert!(stdout(&output).contains("5 passed"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn fail_fast_ends_the_run() {
    let folder = folder();
    let output = tempo(folder.path(), &["a.6502", "--fail-fast"]);
    assert!(stdout(&output).contains("1 passed, 1 failed, 3 not run"), "{}", stdout(&output));
}

#[test]
fn reports_are_written_whole() {
    let folder = folder();
    let path = folder.path();
    let output = tempo(
        path,
        &[
            "a.6502",
            "--junit",
            "out.xml",
            "--coverage",
            "lcov",
            "--coverage",
            "html",
            "--coverage",
            "cobertura",
            "--profile",
            "cycles.svg",
            "--trace-file",
            "t.txt",
        ],
    );
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    for (name, part) in [
        ("out.xml", "<failure message=\"[PlateCount] is 1 ($01), expected == 2 ($02)\" type=\"assertion\">"),
        ("lcov.info", "SF:plates.asm\nFN:"),
        ("cobertura.xml", "filename=\"plates.asm\""),
        ("coverage.html", "plates.asm"),
        ("cycles.svg", "<svg"),
        ("cycles.folded", "one;PushPlate "),
        ("t.txt", "LDX $10"),
    ] {
        let text = std::fs::read_to_string(path.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"));
        assert!(text.contains(part), "{name} has no `{part}`:\n{text}");
    }
    let output = tempo(path, &["a.6502", "--junit", "no/such/folder/out.xml"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("cannot write no/such/folder/out.xml"), "{}", stderr(&output));
}

#[test]
fn benches_are_compared_with_their_last_run() {
    let folder = folder();
    let path = folder.path();
    let only = ["a.6502", "--test", "cost"];
    assert_eq!(code(&tempo(path, &[&only[..], &["--save-bench", "b.json"]].concat())), 0);
    assert_eq!(code(&tempo(path, &[&only[..], &["--compare-bench", "b.json"]].concat())), 0);
    write(
        path,
        "plates.asm",
        &PLATES.replacen("        ldx PlateCount\n", "        nop\n        ldx PlateCount\n", 1),
    );
    let output = tempo(path, &[&only[..], &["--compare-bench", "b.json"]].concat());
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("slower: "), "{}", stdout(&output));
    assert_eq!(
        code(&tempo(path, &[&only[..], &["--compare-bench", "b.json", "--bench-tolerance", "50"]].concat())),
        0
    );
    write(path, "b.json", "{}");
    let output = tempo(path, &[&only[..], &["--compare-bench", "b.json"]].concat());
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("the baseline has no figure for `"), "{}", stdout(&output));
    write(path, "b.json", "[1, 2");
    assert_eq!(code(&tempo(path, &[&only[..], &["--compare-bench", "b.json"]].concat())), 1);
}

#[test]
fn benches_of_one_name_are_refused_where_their_figures_are_kept() {
    let folder = folder();
    let path = folder.path();
    write(path, "b.6502", SUITE);
    let wanted = "the bench `one/cost` is defined twice, at a.6502:7:5 and b.6502:7:5";
    write(path, "old.json", "{}");
    for option in [["--save-bench", "b.json"], ["--compare-bench", "old.json"]] {
        let output = tempo(path, &[&["a.6502", "b.6502", "--test", "cost"][..], &option].concat());
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    }
    assert!(!path.join("b.json").exists());
    assert_eq!(code(&tempo(path, &["a.6502", "b.6502", "--test", "cost"])), 0);
}

#[test]
fn a_routine_that_begins_with_a_macro_is_covered_at_its_label() {
    let folder = folder();
    let path = folder.path();
    write(path, "mac.asm", ".macro M(n) {\n  lda #n\n}\n* = $1000\n\nMac: M(1)\n  rts\n");
    write(
        path,
        "mac.6502",
        "suites { suite(\"s\") { assemble(\"mac.asm\") test(\"t\", \"d\") { jsr([Mac]) } } }",
    );
    assert_eq!(code(&tempo(path, &["mac.6502", "--coverage", "lcov"])), 0);
    let lcov = std::fs::read_to_string(path.join("lcov.info")).expect("a report");
    assert!(lcov.contains("FN:6,Mac\n"), "{lcov}");
}

#[test]
fn there_are_no_more_threads_than_work() {
    let folder = folder();
    let output = tempo(folder.path(), &["a.6502", "--jobs", "99999999"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).contains("4 passed, 1 failed"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn a_search_skips_nothing_silently() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let path = folder.path();
    std::fs::create_dir_all(path.join("tests/real")).expect("a folder");
    std::fs::create_dir_all(path.join("elsewhere")).expect("a folder");
    let suite = |id: &str| {
        format!("suites {{ suite(\"s\") {{ test(\"{id}\", \"d\") {{ jsr($ffd2, fail_on_brk = false) }} }} }}")
    };
    write(path, "tests/real/one.6502", &suite("one"));
    write(path, "elsewhere/two.6502", &suite("two"));
    symlink("..", path.join("tests/real/round")).expect("a link");
    symlink("real", path.join("tests/again")).expect("a link");
    symlink("../elsewhere", path.join("tests/away")).expect("a link");
    // Each folder once, by whatever names.
    let output = tempo(path, &["tests", "--list"]);
    assert_eq!((code(&output), &*stdout(&output)), (0, "  one\n  two\n"), "{}", stderr(&output));
    let json = tempo(path, &["tests", "--list", "--format", "json"]);
    assert_eq!(
        stdout(&json),
        "{\"event\":\"listed\",\"id\":\"one\",\"suite\":\"s\"}\n{\"event\":\"listed\",\"id\":\"two\",\"suite\":\"s\"}\n"
    );

    symlink("nowhere", path.join("tests/gone.6502")).expect("a link");
    assert!(
        Command::new("mkfifo").arg(path.join("tests/pipe.6502")).status().expect("mkfifo runs").success()
    );
    let output = tempo(path, &["tests"]);
    assert_eq!((code(&output), &*stdout(&output)), (1, ""));
    let told = stderr(&output);
    assert!(told.contains("error: cannot read tests/gone.6502: "), "{told}");
    assert!(told.contains("error: cannot read tests/pipe.6502: it is not a regular file"), "{told}");
}

#[test]
fn a_name_that_no_test_has_is_no_success() {
    let folder = folder();
    let path = folder.path();
    for (args, wanted) in [
        (&["--test", "cots"][..], "there is no test `cots`; did you mean `cost`?"),
        (&["--test", "cost", "--test", "nope"], "there is no test `nope`"),
        (&["--filter", "zzz*"], "no test matches"),
        (&["--filter-tag", "zzz", "--list"], "no test matches"),
    ] {
        let output = tempo(path, &[&["a.6502"], args].concat());
        assert_eq!(code(&output), 1, "{args:?}");
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
        assert_eq!(code(&tempo(path, &[&["a.6502", "--allow-none"], args].concat())), 0, "{args:?}");
    }
    std::fs::create_dir(path.join("empty")).unwrap();
    let none = tempo(path, &["empty"]);
    assert_eq!(code(&none), 1);
    assert!(stderr(&none).contains("there are no .6502 files in empty"), "{}", stderr(&none));
    assert_eq!(code(&tempo(path, &["empty", "--allow-none"])), 0);
}

#[test]
fn a_part_of_the_run_is_listed() {
    let folder = folder();
    let list = |args: &[&str]| -> Vec<String> {
        let output = tempo(folder.path(), &[&["a.6502", "--list", "--isolate"], args].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output).lines().map(str::to_string).collect()
    };
    let all = list(&[]);
    let (mut one, two) = (list(&["--partition", "1/2"]), list(&["--partition", "2/2"]));
    assert!(!one.is_empty() && !two.is_empty(), "{one:?} {two:?}");
    one.extend(two);
    one.sort();
    let mut sorted = all;
    sorted.sort();
    assert_eq!(one, sorted);
}

#[test]
fn a_snapshot_is_taken_kept_and_compared() {
    let folder = folder();
    let path = folder.path();
    let suite = |value: u8| {
        format!(
            "suites {{ suite(\"s\") {{ assemble(\"plates.asm\") test(\"t\", \"\") {{ \
             bytes($2000, {value}, 2, 3) jsr([PushPlate]) snapshot(\"shots/three\", $2000, 3) }} }} }}"
        )
    };
    write(path, "s.6502", &suite(1));
    let output = tempo(path, &["s.6502"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("there is no snapshot `shots/three.snap`"), "{}", stderr(&output));
    let output = tempo(path, &["s.6502", "--update"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("wrote shots/three.snap"), "{}", stderr(&output));
    let kept = std::fs::read_to_string(path.join("shots/three.snap")).expect("a snapshot");
    assert!(kept.starts_with("0000: 01 02 03 "), "{kept}");
    assert_eq!(code(&tempo(path, &["s.6502"])), 0);
    write(path, "s.6502", &suite(9));
    let output = tempo(path, &["s.6502"]);
    assert_eq!(code(&output), 1);
    assert!(
        stdout(&output).contains("snapshot `shots/three` differs in 1 of 3 bytes"),
        "{}",
        stdout(&output)
    );
    assert_eq!(code(&tempo(path, &["s.6502", "--update"])), 0);
    assert_eq!(code(&tempo(path, &["s.6502"])), 0);
}

#[test]
fn container_paths_are_mapped() {
    let folder = folder();
    let path = folder.path();
    write(path, "m.6502", &SUITE.replace("plates.asm", "/code/src/plates.asm"));
    std::fs::create_dir(path.join("src")).expect("a folder");
    write(path, "src/plates.asm", PLATES);
    assert_eq!(code(&tempo(path, &["m.6502"])), 3);
    assert_eq!(code(&tempo(path, &["m.6502", "--map", "/code=.", "--filter", "p*"])), 0);
}

#[test]
fn every_format_ends_with_the_same_verdict() {
    let folder = folder();
    for format in tempo_harness::report::Format::ALL.iter().map(|format| format.name()) {
        let output = tempo(folder.path(), &["a.6502", "--format", format]);
        assert_eq!(code(&output), 1, "{format}");
        assert!(stderr(&output).is_empty(), "{format}: {}", stderr(&output));
        if format == "json" {
            for line in stdout(&output).lines() {
                serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|err| panic!("{err}: {line}"));
            }
        }
    }
}

#[test]
fn a_folder_is_searched_and_the_order_does_not_depend_on_threads() {
    let folder = folder();
    let path = folder.path();
    for number in 0..6 {
        write(path, &format!("s{number}.6502"), &SUITE.replace("\"one\"", &format!("\"one {number}\"")));
    }
    let strip =
        |text: String| text.lines().filter(|line| !line.contains(" passed, ")).collect::<Vec<_>>().join("\n");
    let alone = strip(stdout(&tempo(path, &[".", "--jobs", "1", "-v"])));
    let together = strip(stdout(&tempo(path, &[".", "--jobs", "4", "-v"])));
    assert!(alone.contains("one 5"), "{alone}");
    // A folder of fixtures can be kept out of the search.
    std::fs::create_dir(path.join("fixtures")).expect("a folder");
    write(path, "fixtures/.tempoignore", "");
    write(path, "fixtures/broken.6502", "suites {");
    assert_eq!(alone, strip(stdout(&tempo(path, &[".", "--jobs", "1", "-v"]))));
    assert_eq!(code(&tempo(path, &["fixtures"])), 2);
    assert_eq!(alone, together);
    let shuffled = strip(stdout(&tempo(path, &[".", "--shuffle=3", "-v"])));
    assert_ne!(alone, shuffled);
    assert_eq!(shuffled, strip(stdout(&tempo(path, &[".", "--shuffle=3", "-v"]))));
}

#[test]
fn included_files_are_read_and_passed_over() {
    let folder = folder();
    let path = folder.path();
    write(path, "a.6502", &SUITE.replace("assemble(\"plates.asm\")", "include(\"common.6502\")"));
    write(path, "common.6502", "assemble(\"plates.asm\")\nsetup { [PlateCount] = 0 }\n");
    let listed = stdout(&tempo(path, &[".", "--list"]));
    assert_eq!(listed.split_whitespace().collect::<Vec<_>>(), ["push", "bad", "pop", "cost", "again"]);
    let run = tempo(path, &["."]);
    assert!(stdout(&run).contains("4 passed, 1 failed"), "{}{}", stdout(&run), stderr(&run));
    write(path, "common.6502", "assemble(\"plates.asm\")\nsetup { [PlateCuont] = 0 }\n");
    let wrong = tempo(path, &["a.6502"]);
    assert_eq!(code(&wrong), 3);
    let said = stderr(&wrong);
    assert!(said.contains("--> common.6502:2:9") && said.contains("included at a.6502:3:5"), "{said}");
}

#[cfg(unix)]
#[test]
fn watching_runs_again_after_a_change() {
    let suite = SUITE.replace("== 2", "== EXPECTED").replace("assemble(", "include(\"c.6502\") assemble(");
    let folder = folder();
    let path = folder.path();
    write(path, "a.6502", &suite);
    write(path, "c.6502", "define EXPECTED = 2");
    let run = crate::common::Watching::start(path, &["test", "a.6502", "--watch"]);
    assert_eq!(run.expect(" passed, ").split(" in ").next(), Some("4 passed, 1 failed"));
    write(path, "c.6502", "define EXPECTED = 1");
    assert_eq!(run.expect(" passed, ").split(" in ").next(), Some("5 passed, 0 failed"));
    write(path, "a.6502", SUITE);
    assert_eq!(run.expect(" passed, ").split(" in ").next(), Some("4 passed, 1 failed"));
}

const SCREENS: &str = r#"suites {
  suite("screens") {
    system(c64_pal)
    test("prompt", "an empty screen") { frames(2) screenshot("pictures/prompt") }
  }
}
"#;

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn pictures_are_taken_compared_and_shown() {
    let folder = folder();
    let path = folder.path();
    write(path, "screens.6502", SCREENS);
    let run = |arguments: &[&str]| tempo(path, arguments);
    // Without the picture nothing runs, and the way out is named.
    let output = run(&["screens.6502"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("tempo test --update"), "{}", stderr(&output));
    let output = run(&["screens.6502", "--update"]);
    assert_eq!((code(&output), stderr(&output)), (0, "wrote pictures/prompt.png\n".to_string()));
    assert_eq!(code(&run(&["screens.6502"])), 0);
    let taken = std::fs::read(path.join("pictures/prompt.png")).expect("the picture");
    assert_eq!(stderr(&run(&["screens.6502", "--update"])), "");
    // Another border: three pictures beside it, and it stays.
    write(path, "screens.6502", &SCREENS.replace("frames(2)", "$d020 = 5 frames(2)"));
    let output = run(&["screens.6502"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("40448 of 104448 pixels differ"), "{}", stdout(&output));
    let found = names(&path.join("pictures"));
    assert_eq!(found, ["prompt.diff.png", "prompt.expected.png", "prompt.got.png", "prompt.png"]);
    assert_eq!(std::fs::read(path.join("pictures/prompt.png")).expect("the picture"), taken);
    assert_eq!(std::fs::read(path.join("pictures/prompt.expected.png")).expect("the picture"), taken);
    // Taken anew, it is what was found.
    let got = std::fs::read(path.join("pictures/prompt.got.png")).expect("the picture");
    assert_eq!(code(&run(&["screens.6502", "--update"])), 0);
    assert_eq!(std::fs::read(path.join("pictures/prompt.png")).expect("the picture"), got);
    assert_eq!(code(&run(&["screens.6502"])), 0);
}

#[test]
fn two_tests_cannot_take_one_picture_differently() {
    let folder = folder();
    let other = r#"test("other", "a border") { $d020 = 5 frames(2) screenshot("pictures/prompt") }"#;
    write(
        folder.path(),
        "screens.6502",
        &SCREENS.replace("system(c64_pal)", &format!("system(c64_pal) {other}")),
    );
    let output = tempo(folder.path(), &["screens.6502", "--update"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let expected = "--update: `other` and `prompt` take different snapshots as pictures/prompt.png";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert!(!folder.path().join("pictures").exists());
}
