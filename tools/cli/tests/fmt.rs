//! `tempo fmt` as a user calls it: in place, checked, from standard input, and what it leaves alone.

use crate::common::Scratch;
use pretty_assertions::assert_eq;

const UNTIDY: &str = "*=$1000\nstart: lda #0 // black\n sta $d020\n  jmp start\n";
const TIDY: &str =
    "*=$1000\nstart:  lda #0                  // black\n        sta $d020\n        jmp start\n";

#[test]
fn files_are_formatted_in_place() {
    let scratch = Scratch::new(&[("a.asm", UNTIDY), ("b.asm", TIDY)]);
    let ran = scratch.tempo("fmt --check a.asm b.asm");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "a.asm: would be formatted\n", ""));
    assert_eq!(scratch.text("a.asm"), UNTIDY);
    let ran = scratch.tempo("fmt a.asm b.asm ./a.asm");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "a.asm: formatted\n", ""));
    assert_eq!(scratch.text("a.asm"), TIDY);
    let ran = scratch.tempo("fmt --check a.asm b.asm");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert_eq!(scratch.files(), ["a.asm", "b.asm"]);
}

#[test]
fn without_names_the_project_is_formatted() {
    let scratch = Scratch::new(&[
        ("p/tempo.toml", "[build]\nlib-dirs = [\"lib\"]\n"),
        ("p/main.asm", UNTIDY),
        ("p/lib/deep/b.asm", UNTIDY),
        ("p/build/made.asm", UNTIDY),
        ("p/.hidden/c.asm", UNTIDY),
        ("p/notes.txt", UNTIDY),
    ]);
    let ran = scratch.tempo_in("p", "fmt --check");
    let would = "lib/deep/b.asm: would be formatted\nmain.asm: would be formatted\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), would, ""));
    let ran = scratch.tempo_in("p/lib", "fmt");
    let done = "../lib/deep/b.asm: formatted\n../main.asm: formatted\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), done, ""));
    for name in ["p/main.asm", "p/lib/deep/b.asm"] {
        assert_eq!(scratch.text(name), TIDY, "{name}");
    }
    for name in ["p/build/made.asm", "p/.hidden/c.asm", "p/notes.txt"] {
        assert_eq!(scratch.text(name), UNTIDY, "{name}");
    }
    scratch.write("p/main.asm", UNTIDY.as_bytes());
    let ran = scratch.tempo("fmt p");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        (scratch.text("p/main.asm").as_str(), scratch.text("p/build/made.asm").as_str()),
        (TIDY, TIDY)
    );
    let ran = scratch.tempo("fmt");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no tempo.toml here or above: name sources or folders"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn standard_input_goes_to_standard_output() {
    let scratch = Scratch::new(&[("a.asm", UNTIDY), ("broken.asm", "lda (\n")]);
    let ran = scratch.shell("$TEMPO fmt - < a.asm");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), TIDY));
    let ran = scratch.shell("$TEMPO fmt --check - < a.asm");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "<stdin>: would be formatted\n"));
    let ran = scratch.shell("$TEMPO fmt - < broken.asm");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("<stdin>:1:5"), "{}", ran.err);
}

#[test]
fn sources_with_errors_are_left_alone() {
    let broken = " lda #0\nmain: {\n  nop\n";
    let scratch = Scratch::new(&[("broken.asm", broken), ("a.asm", UNTIDY)]);
    let ran = scratch.tempo("fmt broken.asm a.asm");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "a.asm: formatted\n"));
    assert!(ran.err.contains("error[E0104]") && ran.err.contains("broken.asm:2:7"), "{}", ran.err);
    assert_eq!((scratch.text("broken.asm").as_str(), scratch.text("a.asm").as_str()), (broken, TIDY));
    let ran = scratch.tempo("fmt --format json broken.asm a.asm");
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!((&lines[0]["error"]["code"], &lines[0]["error"]["line"]), (&"E0104".into(), &2.into()));
    assert_eq!(lines[1], serde_json::json!({"file": "a.asm", "changed": false, "written": false}));
}

#[test]
fn what_cannot_be_read_stops_all() {
    let scratch = Scratch::new(&[("a.asm", UNTIDY), ("s.6502", "suites {\n}\n")]);
    scratch.write("latin.asm", b" .text \"\xe4\"\n");
    for (other, words) in
        [("none.asm", "cannot read"), ("latin.asm", "no UTF-8"), ("s.6502", "suite"), ("-", "alone")]
    {
        let ran = scratch.tempo(&format!("fmt a.asm {other}"));
        assert_eq!(ran.code, Some(2), "{other}");
        assert!(ran.err.contains(words), "{other}: {}", ran.err);
        assert_eq!(scratch.text("a.asm"), UNTIDY, "{other}");
    }
}

#[test]
fn imports_and_columns_are_the_callers() {
    let main = "#import \"lib/a.inc\"\n*=$1000\n Set($FF)\n";
    let scratch = Scratch::new(&[("main.asm", main), ("inc/lib/a.inc", ".macro Set(x) {\nlda #x\n}\n")]);
    let ran = scratch.tempo("fmt --lib-dir inc --code-column 4 --hex lower main.asm inc/lib/a.inc");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(scratch.text("main.asm"), "#import \"lib/a.inc\"\n*=$1000\n    Set($ff)\n");
    assert_eq!(scratch.text("inc/lib/a.inc"), ".macro Set(x) {\n    lda #x\n}\n");
    let ran = scratch.tempo("fmt --indent 1000 main.asm");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_mark_of_the_byte_order_stays() {
    let scratch = Scratch::new(&[("a.asm", "\u{feff} nop\r\n  rts\r\n")]);
    assert_eq!(scratch.tempo("fmt a.asm").code, Some(0));
    assert_eq!(scratch.text("a.asm"), "\u{feff}        nop\r\n        rts\r\n");
}
