//! `tempo test --record-failures`: a failing test as one file that `tempo debug` opens on another machine.

use std::path::Path;

use crate::common::{Ran, Scratch};

const PROGRAM: &str = "\
*=$1000 \"sums\"
.label total = $02
add: {
    clc
    lda total
    adc #3
    sta total
    rts
}
";

const SUITE: &str = "\
suites {
    suite(\"sums\") {
        assemble(\"sums.asm\")
        test(\"two\", \"adds two\") {
            [total] = 1
            jsr([add])
            assert([total] == 3, \"one and two\")
        }
    }
}
";

fn project() -> Scratch {
    Scratch::new(&[("sums.asm", PROGRAM), ("sums.6502", SUITE)])
}

/// Runs the suite, which fails, and hands over its recording.
fn record(project: &Scratch) -> Vec<u8> {
    let ran = project.tempo("test sums.6502 --record-failures out");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("recorded out/sums.two.tempo"), "{}", ran.err);
    project.read("out/sums.two.tempo")
}

fn open(folder: &Scratch, words: &[&str]) -> Ran {
    let mut all = vec!["debug", "failed.tempo"];
    all.extend(words);
    folder.run(Path::new(env!("CARGO_BIN_EXE_tempo")), &all)
}

#[test]
fn a_failure_opens_without_the_project() {
    let elsewhere = Scratch::new(&[]);
    elsewhere.write("failed.tempo", &record(&project()));
    let ran = open(&elsewhere, &["-x", "why [total]", "-x", "rc"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "[total] is 4 ($04), expected == 3 ($03)",
        "sta total at sums.asm:7",
        "start of recording; sums.6502:5",
    ] {
        assert!(ran.out.contains(part), "`{part}` is missing:\n{}", ran.out);
    }
    assert_eq!(elsewhere.files(), ["failed.tempo"], "the debugger writes nothing");
}

#[test]
fn a_recording_names_nothing_of_the_machine() {
    let (one, two) = (project(), project());
    let bytes = record(&one);
    assert_eq!(bytes, record(&two), "the folder of the project shows in its recording");
    let file = tempo_rig::file::read(&bytes).unwrap_or_else(|err| panic!("{err}"));
    assert_eq!(file.about.test, "sums/two");
    assert_eq!((file.about.file.as_str(), file.about.line), ("sums.6502", 7));
    assert_eq!(file.sources.get("sums.asm"), Some(PROGRAM.as_bytes()));
    assert!(file.course.is_ok());
}

#[test]
fn a_file_in_the_way_is_kept() {
    let project = project();
    project.write("out/sums.two.tempo", b"notes");
    let ran = project.tempo("test sums.6502 --record-failures out");
    assert!(ran.err.contains("out/sums.two.tempo is there already, and is not a recording"), "{}", ran.err);
    assert_eq!(project.text("out/sums.two.tempo"), "notes");
    // A recording of an earlier run is replaced.
    project.write("out/sums.two.tempo", b"TEMPOREC");
    record(&project);
}

#[test]
fn damaged_recordings_are_refused() {
    let bytes = record(&project());
    let folder = Scratch::new(&[]);
    let refused = |damaged: &[u8], message: &str| {
        folder.write("failed.tempo", damaged);
        let ran = open(&folder, &["-x", "rc"]);
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(message), "`{message}` is missing:\n{}", ran.err);
    };
    for length in [20, 21, 40, bytes.len() / 2, bytes.len() - 1] {
        refused(&bytes[..length], "damaged");
    }
    for at in [12, 20, 30, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        refused(&damaged, "damaged");
    }
    let mut later = bytes.clone();
    later[8] += 1;
    refused(&later, "format 2");
}
