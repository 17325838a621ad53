//! Projects: `tempo config`, `tempo build`, and what `tempo test` and `tempo run` take from `tempo.toml`.

mod common;

use common::Scratch;
use serde_json::Value;

const MAIN: &str = "#import \"part.asm\"\n        * = $1000\n#if FAST\n        nop\n#endif\nstart:  lda #cmdLineVars.get(\"level\").asNumber()\n        jmp part\n";
const PART: &str = "        * = $2000\npart:   rts\n";
const FILE: &str = "[project]\nmain = \"src/main.asm\"\n\n[build]\nout-dir = \"bin\"\nlib-dirs = [\"lib\"]\ndefines = [\"FAST\"]\nvars = { level = 3 }\nsymbols = [\"vice\"]\n\n[test]\npaths = [\"checks\"]\n";
const SUITE: &str = "suites {\n  suite(\"s\") {\n    assemble(\"src/main.asm\")\n    test(\"t\", \"a\") {\n      jsr([start])\n      assert(a == 3)\n      assert(cycles == 11)\n    }\n  }\n}\n";

fn project() -> Scratch {
    Scratch::new(&[
        ("tempo.toml", FILE),
        ("src/main.asm", MAIN),
        ("lib/part.asm", PART),
        ("checks/s.6502", SUITE),
        ("src/deep/er/.keep", ""),
    ])
}

#[test]
fn the_schema_of_the_documents_is_the_programs() {
    let ran = Scratch::new(&[]).tempo("config --schema");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let path = testing::fixtures().join("../docs/tempo.schema.json");
    testing::compare(&path, &ran.out).unwrap_or_else(|err| panic!("{err}"));
}

#[test]
fn config_shows_every_value_and_its_origin() {
    let scratch = project();
    let ran = scratch.tempo("config -D SLOW --out-dir out --jobs 2");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for line in [
        "main = \"src/main.asm\"",
        "out-dir = \"out\"",
        "defines = [\"FAST\", \"SLOW\"]",
        "vars = { level = \"3\" }",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    let origin = |name: &str| {
        let line = ran.out.lines().find(|line| line.starts_with(name)).expect("every key has a line");
        line.rsplit("# ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(origin("main "), "tempo.toml:2");
    assert_eq!(origin("out-dir "), "--out-dir");
    assert_eq!(origin("defines "), "tempo.toml:7, --define");
    assert_eq!(origin("jobs "), "--jobs");
    assert_eq!(origin("max-cycles "), "default");
    // What is shown is a file of the same meaning.
    let copy = Scratch::new(&[("tempo.toml", &ran.out)]);
    let values = |ran: common::Ran| -> Vec<Value> {
        let json: Value = serde_json::from_str(&ran.out).expect("JSON");
        let settings = json["settings"].as_object().expect("settings");
        settings.values().map(|setting| setting["value"].clone()).collect()
    };
    assert_eq!(
        values(copy.tempo("config --format json")),
        values(scratch.tempo("config -D SLOW --out-dir out -j 2 --format json"))
    );
}

#[test]
fn a_build_is_the_same_from_every_folder() {
    let scratch = project();
    let ran = scratch.tempo("build");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.starts_with("bin/main.prg: "), "{}", ran.out);
    let made = |scratch: &Scratch| {
        let files = scratch.files();
        files.into_iter().filter(|file| file.starts_with("bin/")).collect::<Vec<_>>()
    };
    assert_eq!(made(&scratch), ["bin/main.prg", "bin/main.vs"]);
    let program = scratch.read("bin/main.prg");
    assert_eq!(program[..7], [0, 0x10, 0xea, 0xa9, 3, 0x4c, 0]);
    std::fs::remove_dir_all(scratch.path("bin")).expect("made above");
    let deep = |line: &str| scratch.tempo_in("src/deep/er", line);
    let ran = deep("build");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(made(&scratch), ["bin/main.prg", "bin/main.vs"]);
    assert_eq!(scratch.read("bin/main.prg"), program);
    // Flags win, and their paths are those of the working directory.
    let ran = deep("build --out-dir here --symbols none --var level=4");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out.split(':').next(), Some("here/main.prg"));
    assert_eq!(scratch.read("src/deep/er/here/main.prg")[4], 4);
}

#[test]
fn tests_of_a_project_need_no_names() {
    let scratch = project();
    for folder in ["", "src/deep/er"] {
        let ran = scratch.tempo_in(folder, "test");
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(ran.out.starts_with("1 passed"), "{}", ran.out);
    }
    let ran = scratch.tempo("test --var level=4");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("a is 4 ($04), expected == 3"), "{}", ran.out);
    scratch.write("tempo.toml", b"[test]\npaths = [\"nowhere\"]\n");
    let ran = scratch.tempo("test");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("there is no suite nowhere") && ran.err.contains("tempo.toml:2:1"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_wrong_with_the_file_is_shown_where_it_stands() {
    let scratch = Scratch::new(&[("tempo.toml", "[build]\nout-dri = \"x\"\n")]);
    for command in ["config", "build", "test"] {
        let ran = scratch.tempo(command);
        assert_eq!(ran.code, Some(2), "{command}: {}{}", ran.out, ran.err);
        for part in
            ["unknown key `out-dri` in [build]", "tempo.toml:2:1", "^^^^^^^", "did you mean `out-dir`?"]
        {
            assert!(ran.err.contains(part), "{command}: {part}\n{}", ran.err);
        }
    }
    for (text, part) in [
        (&b"[build\n"[..], "tempo.toml:1:"),
        (b"[build]\n[build]\n", "duplicate key"),
        (b"[project]\nmain = \"a\xff\"\n", "not UTF-8"),
        (b"[project]\nmain = \"src\"\n", "is a folder"),
        (b"[project]\nmain = \"mian.asm\"\n", "its folder has main.asm"),
        (b"x = 1\ny = \n= 3\n", "2 errors"),
    ] {
        let scratch = Scratch::new(&[("main.asm", "nop\n"), ("src/a.asm", "nop\n")]);
        scratch.write("tempo.toml", text);
        let ran = scratch.tempo("build");
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{part}\n{}", ran.err);
        assert_eq!(scratch.files().len(), 3, "nothing is written");
    }
    std::fs::remove_file(scratch.path("tempo.toml")).expect("made above");
    std::fs::create_dir(scratch.path("tempo.toml")).expect("an empty place");
    let ran = scratch.tempo("config");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot read tempo.toml: it is a folder"), "{}", ran.err);
}

#[test]
fn a_folder_without_a_project_has_the_defaults() {
    let scratch = Scratch::new(&[]);
    let ran = scratch.tempo("build");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("tempo init"), "{}", ran.err);
    scratch.write("main.asm", b"        nop\n");
    assert_eq!(scratch.tempo("build").code, Some(0));
    assert_eq!(scratch.files(), ["build/main.prg", "build/main.sym", "build/main.vs", "main.asm"]);
    scratch.write("main.asm", b"        nop nop\n");
    let ran = scratch.tempo("build --message-format short");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("main.asm:1:"), "{}", ran.err);
}
