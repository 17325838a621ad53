//! `tempo run` and `tempo verify-cpu` as a user calls them: what they print, and what they exit with.

use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;

use super::common::Scratch;

/// Exit code, standard output without the line that tells the time, standard error.
fn answer(folder: &Scratch, words: &[&str]) -> (Option<i32>, String, String) {
    let ran = folder.run(Path::new(env!("CARGO_BIN_EXE_tempo")), words);
    let timeless = ran.out.split_inclusive('\n').filter(|line| !line.starts_with("time ")).collect();
    (ran.code, timeless, ran.err)
}

/// ldx #3; loop: dex; bne loop; rts
const COUNTDOWN: [u8; 6] = [0xa2, 0x03, 0xca, 0xd0, 0xfd, 0x60];

#[test]
fn a_raw_binary_runs_to_its_rts() {
    let folder = Scratch::new(&[]);
    folder.write("a.bin", &COUNTDOWN);
    let (code, out, err) = answer(&folder, &["run", "a.bin", "--load", "$1000"]);
    let expected = "\
end           rts, to $0001
registers     PC=0001 A=00 X=00 Y=00 S=01 P=26 ..-..IZ.
cycles        22
instructions  8
";
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), expected, ""));
}

#[test]
fn a_program_prints_through_chrout_and_each_instruction_counts_once() {
    // lda #'H'; jsr $ffd2; lda #'I'; jmp $ffd2
    const GREETING: [u8; 10] = [0xa9, 0x48, 0x20, 0xd2, 0xff, 0xa9, 0x49, 0x4c, 0xd2, 0xff];
    const REPORT: &str = "\
end           rts, to $0001
registers     PC=0001 A=49 X=00 Y=00 S=01 P=24 ..-..I..
cycles        25
instructions  6
";
    let folder = Scratch::new(&[]);
    folder.write("a.bin", &GREETING);
    let (code, out, err) = answer(&folder, &["run", "a.bin", "--load", "$1000"]);
    assert_eq!((code, out, err.as_str()), (Some(0), format!("HI\n{REPORT}"), ""));

    let (code, out, err) = answer(&folder, &["run", "a.bin", "--load", "$1000", "--trace"]);
    let (trace, report) = out.split_at(out.find("HI").expect("the text"));
    assert_eq!((code, report, err.as_str()), (Some(0), format!("HI\n{REPORT}").as_str(), ""));
    let places: Vec<&str> = trace.lines().map(|line| &line[12..16]).collect();
    assert_eq!(places, ["1000", "1002", "FFD2", "1005", "1007", "FFD2"]);

    let (_, out, _) = answer(&folder, &["run", "a.bin", "--load", "$1000", "--format", "json"]);
    assert!(out.contains(r#""instructions":6"#) && out.contains(r#""output":"HI""#), "{out}");
}

#[test]
fn a_basic_line_says_where_to_start() {
    let folder = Scratch::new(&[]);
    // 10 SYS 2062, padding, then at 2062: inc $d020; brk
    let mut prg = vec![0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'2', 0, 0, 0, 0];
    prg.extend([0xee, 0x20, 0xd0, 0x00]);
    folder.write("a.prg", &prg);
    let (code, out, _) = answer(&folder, &["run", "a.prg", "--until", "brk"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("end           brk at $0811\n"), "{out}");
}

#[test]
fn names_come_from_the_symbol_file_and_show_in_the_trace() {
    let folder = Scratch::new(&[]);
    folder.write("a.bin", &COUNTDOWN);
    folder.write("a.sym", b".label Countdown=$1000\n.label loop=$1002\n");
    let words =
        ["run", "a.bin", "--load", "4096", "--symbols", "a.sym", "--start", "Countdown", "--until", "$1005"];
    let (code, out, _) = answer(&folder, &[&words[..], &["--trace"]].concat());
    let expected = "                  Countdown:
         0  1000  A2 03     ldx #$03                     A=00 X=00 Y=00 S=FF ..-..I..
                  loop:
         2  1002  CA        dex                          A=00 X=03 Y=00 S=FF ..-..I..
         4  1003  D0 FD     bne loop                     A=00 X=02 Y=00 S=FF ..-..I..
                  loop:
         7  1002  CA        dex                          A=00 X=02 Y=00 S=FF ..-..I..
         9  1003  D0 FD     bne loop                     A=00 X=01 Y=00 S=FF ..-..I..
                  loop:
        12  1002  CA        dex                          A=00 X=01 Y=00 S=FF ..-..I..
        14  1003  D0 FD     bne loop                     A=00 X=00 Y=00 S=FF ..-..IZ.
end           at $1005 (loop+3)
registers     PC=1005 A=00 X=00 Y=00 S=FF P=26 ..-..IZ.
cycles        16
instructions  7
";
    assert_eq!((code, out.as_str()), (Some(0), expected));
}

#[test]
fn other_ends_exit_with_1_and_the_limit_with_3() {
    let folder = Scratch::new(&[]);
    folder.write("forever.bin", &[0xe8, 0x4c, 0x00, 0x10]);
    let (code, out, _) = answer(&folder, &["run", "forever.bin", "--load", "$1000", "--max-cycles", "1000"]);
    assert_eq!(code, Some(3));
    assert!(
        out.starts_with("end           not ended: the limit of 1000 cycles is reached at $1000"),
        "{out}"
    );

    let accepted =
        ["run", "forever.bin", "--load", "$1000", "--max-cycles", "1000", "--ok-on-timeout", "--trace"];
    assert_eq!(answer(&folder, &accepted).0, Some(0));

    folder.write("jam.bin", &[0x02]);
    let (code, out, _) = answer(&folder, &["run", "jam.bin", "--load", "$1000"]);
    assert_eq!(code, Some(1));
    assert!(out.starts_with("end           jammed"), "{out}");

    let accepted = ["run", "jam.bin", "--load", "$1000", "--ok-on-timeout"];
    assert_eq!(answer(&folder, &accepted).0, Some(1));

    // Asked for an rts, a trap is not an end.
    folder.write("trap.bin", &[0x4c, 0x00, 0x10]);
    let (code, ..) =
        answer(&folder, &["run", "trap.bin", "--load", "$1000", "--until", "rts", "--max-cycles", "100"]);
    assert_eq!(code, Some(3));
    let (code, out, _) = answer(&folder, &["run", "trap.bin", "--load", "$1000", "--until", "trap"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("end           trap at $1000"), "{out}");
}

#[test]
fn chips_differ() {
    let folder = Scratch::new(&[]);
    // sed; lda #9; clc; adc #1; brk
    folder.write("bcd.bin", &[0xf8, 0xa9, 0x09, 0x18, 0x69, 0x01, 0x00]);
    let a = |cpu| {
        let (code, out, _) =
            answer(&folder, &["run", "bcd.bin", "--load", "$1000", "--cpu", cpu, "--format", "json"]);
        let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((code, &answer["end"], &answer["reached"]), (Some(0), &"brk".into(), &true.into()));
        (answer["registers"]["a"].as_u64(), answer["cycles"].as_u64())
    };
    assert_eq!(a("6502"), (Some(0x10), Some(8)));
    assert_eq!(a("6510"), (Some(0x10), Some(8)));
    assert_eq!(a("2a03"), (Some(0x0a), Some(8)));
    assert_eq!(a("65c02"), (Some(0x10), Some(9)));
}

#[test]
fn what_cannot_run_exits_with_2_and_says_why() {
    let folder = Scratch::new(&[]);
    folder.write("empty.prg", b"");
    folder.write("short.prg", &[0x01]);
    folder.write("end.bin", &[1, 2, 3]);
    folder.write("broken.json", b"{ \"name\": \"ea\"");
    folder.write("none.json", b"[]");
    folder.write("huge.bin", &[0; 0x1_0003]);
    folder.write("bad.sym", b"this is not a symbol file {");
    for (words, message) in [
        (&["run", "missing.prg"][..], "cannot read missing.prg"),
        (&["run", "empty.prg"], "empty.prg: the file is empty"),
        (&["run", "short.prg"], "short.prg: "),
        (&["run", "end.bin"], "give --load ADDR"),
        (&["run", "end.bin", "--load", "$fffe"], "3 bytes at $FFFE run past $FFFF"),
        (&["run", "end.bin", "--load", "$12345"], "--load $12345: not an address"),
        (&["run", "end.bin", "--load", "0", "--start", "Main"], "--start Main: names need --symbols FILE"),
        (&["run", "huge.bin", "--load", "0"], "larger than the limit"),
        (&["run", "end.bin", "--load", "0", "--symbols", "bad.sym"], "bad.sym"),
        (&["run", "."], "cannot read ."),
        (&["run", "end.bin", "--load", "0", "--max-cycles", "0"], "max-cycles"),
        (&["verify-cpu", "missing"], "cannot read missing"),
        (&["verify-cpu", "broken.json"], "broken.json:1: not the JSON of SingleStepTests: "),
        (&["verify-cpu", "none.json"], "none.json:1: the list of vectors is empty"),
        (&["verify-cpu", "empty.prg"], "empty.prg: the file is empty"),
    ] {
        let (code, out, err) = answer(&folder, words);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

/// The first lines of a vector file.
fn some_vectors(name: &str, count: usize) -> String {
    let text = fs::read_to_string(vectors().join(name)).expect("the vectors");
    text.split_inclusive('\n').take(count).collect()
}

#[test]
fn vectors_pass_by_file_and_by_folder() {
    let folder = Scratch::new(&[]);
    folder.write("opcodes.txt", some_vectors("opcodes.txt", 80).as_bytes());
    let (code, out, err) = answer(&folder, &["verify-cpu", "opcodes.txt"]);
    let expected = "\
opcode          state passed  failed     bus passed  failed
00  brk imp                40       0             40       0
01  ora izx                40       0             40       0
80 cases: state 80 passed, 0 failed; bus 80 passed, 0 failed
0 traces: 0 passed, 0 failed
";
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), expected, ""));

    folder.write("interrupts.txt", some_vectors("interrupts.txt", 50).as_bytes());
    let (code, out, _) = answer(&folder, &["verify-cpu", ".", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &answer["failed"]), (Some(0), &0.into()));
}

const SINGLE_STEP: &str = r#"[{ "name": "a9 07",
"initial": { "pc": 512, "s": 253, "a": 0, "x": 0, "y": 0, "p": 36, "ram": [[512, 169], [513, 7]] },
"final": { "pc": 514, "s": 253, "a": 7, "x": 0, "y": 0, "p": 36, "ram": [[512, 169], [513, 7]] },
"cycles": [[512, 169, "read"], [513, 7, "read"]] }]"#;

#[test]
fn single_step_json_is_read_plain_and_packed() {
    let folder = Scratch::new(&[]);
    folder.write("a9.json", SINGLE_STEP.as_bytes());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, SINGLE_STEP.as_bytes()).expect("memory");
    folder.write("b.json.gz", &packed.finish().expect("memory"));
    let (code, out, _) = answer(&folder, &["verify-cpu", "."]);
    assert_eq!(code, Some(0));
    assert!(out.contains("2 cases: state 2 passed, 0 failed; bus 2 passed, 0 failed"), "{out}");
}

#[test]
fn the_first_difference_is_shown_in_two_columns() {
    let folder = Scratch::new(&[]);
    folder.write(
        "a9.json",
        SINGLE_STEP.replace("\"a\": 7", "\"a\": 8").replace("[513, 7, ", "[514, 7, ").as_bytes(),
    );
    let (code, out, _) = answer(&folder, &["verify-cpu", "a9.json"]);
    let expected = "\
opcode          state passed  failed     bus passed  failed
a9  lda imm                 0       1              0       1

first difference: a9 07
before    PC=0200 A=00 X=00 Y=00 S=FD P=24 ..-..I..
expected  PC=0202 A=08 X=00 Y=00 S=FD P=24 ..-..I..
found     PC=0202 A=07 X=00 Y=00 S=FD P=24 ..-..I..
      expected        found
   0  read  0200 A9   read  0200 A9
>  1  read  0202 07   read  0201 07

1 cases: state 0 passed, 1 failed; bus 0 passed, 1 failed
0 traces: 0 passed, 0 failed
";
    assert_eq!((code, out.as_str()), (Some(1), expected));
}

/// `ane #$ff` with X = $FF gives A | c, `lax #$ff` the same in A and X: a chip with c = $EE, as one with another cannot.
#[test]
fn vectors_of_chips_with_other_constants_pass_with_theirs() {
    let folder = Scratch::new(&[]);
    let vector = |opcode: u8, x: u8, x_after: u8| {
        format!(
            r#"[{{ "name": "{opcode:02x}", "cycles": [[512, {opcode}, "read"], [513, 255, "read"]],
            "initial": {{ "pc": 512, "s": 253, "a": 1, "x": {x}, "y": 0, "p": 36, "ram": [[512, {opcode}], [513, 255]] }},
            "final": {{ "pc": 514, "s": 253, "a": 239, "x": {x_after}, "y": 0, "p": 164, "ram": [[512, {opcode}], [513, 255]] }} }}]"#
        )
    };
    folder.write("8b.json", vector(0x8b, 255, 255).as_bytes());
    folder.write("ab.json", vector(0xab, 0, 239).as_bytes());
    let code = |words: &[&str]| answer(&folder, &[&["verify-cpu"], words].concat()).0;
    assert_eq!(code(&["."]), Some(1));
    assert_eq!(code(&[".", "--ane", "$ee", "--lxa", "0xee"]), Some(0));
    assert_eq!(code(&["8b.json", "--ane", "238"]), Some(0));
    assert_eq!(code(&["8b.json", "--lxa", "$ee"]), Some(1));
    assert_eq!(code(&["ab.json", "--ane", "$ee"]), Some(1));
    let (code, _, err) = answer(&folder, &["verify-cpu", "ab.json", "--lxa", "256"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("not a byte between $00 and $FF"), "{err}");
}

#[test]
fn malformed_vectors_are_named_by_file_and_line() {
    let folder = Scratch::new(&[]);
    folder.write("cut.json", &SINGLE_STEP.as_bytes()[..200]);
    let mut lines = some_vectors("opcodes.txt", 2);
    lines.push_str("a9 0|nonsense\n");
    folder.write("bad.txt", lines.as_bytes());
    folder.write("cut.gz", &[0x1f, 0x8b, 0x08, 0, 0, 0]);
    folder.write("binary.bin", &[0xff, 0xfe, 0x00]);
    for (name, message) in [
        ("cut.json", "cut.json:3: not the JSON of SingleStepTests"),
        ("bad.txt", "bad.txt:3: 6 fields expected, 2 found"),
        ("cut.gz", "cannot read cut.gz"),
        ("binary.bin", "binary.bin: not a vector file"),
    ] {
        let (code, out, err) = answer(&folder, &["verify-cpu", name]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}");
        assert!(err.contains(message), "{name}: {err}");
    }
}

/// A program after `10 SYS 2061`.
fn with_sys(code: &[u8]) -> Vec<u8> {
    let mut prg = vec![1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
    prg.extend(code);
    prg
}

#[test]
fn a_c64_program_exits_with_its_code_and_leaves_memory_and_a_picture() {
    let folder = Scratch::new(&[]);
    // sei; lda $dc01 with all columns low; sta $c000; lda #7; sta $d7ff
    let code =
        [0x78, 0xa9, 0x00, 0x8d, 0x00, 0xdc, 0xad, 0x01, 0xdc, 0x8d, 0x00, 0xc0, 0xa9, 7, 0x8d, 0xff, 0xd7];
    folder.write("a.prg", &with_sys(&code));
    let words =
        ["run", "--system", "c64", "a.prg", "--hold", "a,JOY1:fire", "--dump-memory", "c000-c000=m.bin"];
    assert_eq!(answer(&folder, &words), (Some(7), String::new(), String::new()));
    assert_eq!(fs::read(folder.path("m.bin")).expect("the dump"), [0xeb]);

    // inc $d020; jmp *: a still picture with border 15
    folder.write("b.prg", &with_sys(&[0x78, 0xee, 0x20, 0xd0, 0x4c, 0x11, 0x08]));
    let words =
        ["run", "--system", "c64-ntsc", "b.prg", "--frames", "2", "--ok-on-timeout", "--screenshot", "s.png"];
    assert_eq!(answer(&folder, &words), (Some(0), String::new(), String::new()));
    let file = fs::File::open(folder.path("s.png")).expect("the screenshot");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; 384 * 247];
    reader.next_frame(&mut pixels).expect("384 x 247 pixels of a byte");
    assert_eq!((pixels[0], pixels[23 * 384 + 31], pixels[23 * 384 + 32]), (15, 15, 6));
}

#[test]
fn a_c64_run_that_cannot_be_made_says_why() {
    let folder = Scratch::new(&[]);
    // 10 PRINT
    folder.write("a.prg", &[0x01, 0x08, 0x07, 0x08, 0x0a, 0x00, 0x99, 0x00, 0x00, 0x00]);
    let complaint = |words: &[&str]| {
        let (code, out, err) = answer(&folder, &[&["run", "--system", "c64", "a.prg"], words].concat());
        assert_eq!((code, out.as_str()), (Some(2), ""));
        err
    };
    assert_eq!(
        complaint(&[]),
        "error: a.prg: the program at $0801 has no BASIC line with a SYS of a number, or of a sum of numbers and PEEKs; \
         BasicUpstart2(start) writes one, and --system 6502 runs a program without one\n"
    );
    assert_eq!(complaint(&["--hold", "hyper"]), "error: --hold: the C64 has no key named 'hyper'\n");
    assert_eq!(complaint(&["--hold", "joy2:jump"]), "error: --hold: a joystick has no switch named 'jump'\n");
    let wrong = "expected LO-HI=FILE with addresses in hex, as in c000-c0ff=out.bin";
    assert_eq!(complaint(&["--dump-memory", "9-1=f"]), format!("error: --dump-memory 9-1=f: {wrong}\n"));
}
