//! Projects: `tempo config`, `tempo build`, and what `tempo test` and `tempo run` take from `tempo.toml`.

use crate::common::Scratch;
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
    let path = tempo_testing::fixtures().join("../docs/tempo.schema.json");
    tempo_testing::compare(&path, &ran.out).unwrap_or_else(|err| panic!("{err}"));
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
    let values = |ran: crate::common::Ran| -> Vec<Value> {
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
    for (paths, wanted) in [("[\"nowhere\"]", "there is no suite nowhere"), ("[]", "`paths` names no suite")]
    {
        scratch.write("tempo.toml", format!("[test]\npaths = {paths}\n").as_bytes());
        let ran = scratch.tempo("test");
        assert_eq!(ran.code, Some(2), "{paths}");
        assert!(ran.err.contains(wanted) && ran.err.contains("tempo.toml:2:1"), "{}", ran.err);
    }
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

/// The files of a template, as they are in the repository.
fn template(name: &str) -> Vec<String> {
    let root = tempo_testing::fixtures().join("../tools/cli/templates").join(name);
    let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    found.push(path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/"));
                }
            }
        }
    }
    found
}

#[test]
fn every_template_builds_tests_and_runs() {
    for (name, program, shown) in
        [("game", "main", "@"), ("library", "example", "408"), ("demo", "main", "HELLO")]
    {
        let scratch = Scratch::new(&[]);
        let ran = scratch.tempo(&format!("init made --template {name}"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
        let mut files: Vec<String> = template(name).iter().map(|file| format!("made/{file}")).collect();
        files.push("made/.gitignore".to_owned());
        files.sort();
        assert_eq!(scratch.files(), files, "all files of the template, and no others");
        assert!(scratch.text("made/README.md").starts_with("# made\n"));
        let ran = scratch.tempo_in("made", "build --deny all");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}: {}", ran.out);
        assert!(ran.out.starts_with(&format!("build/{program}.prg: ")), "{}", ran.out);
        let ran = scratch.tempo_in("made", "test");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}: {}", ran.out);
        assert!(ran.out.contains(" passed, 0 failed"), "{}", ran.out);
        let ran = scratch.tempo_in("made/src", "run --frames 120 --ok-on-timeout");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}: {}", ran.out);
        assert!(ran.out.contains(shown), "{name}: {}", ran.out);
        let sources: Vec<String> = files.into_iter().filter(|file| file.ends_with(".asm")).collect();
        let ran = scratch.tempo(&format!("fmt --check {}", sources.join(" ")));
        assert_eq!(ran.code, Some(0), "{}", ran.out);
    }
}

#[test]
fn init_names_what_is_in_the_way_and_writes_nothing() {
    let scratch = Scratch::new(&[("a/README.md", "mine"), ("a/src", "a file"), ("a/other", ""), ("b", "")]);
    let before = scratch.files();
    let ran = scratch.tempo("init a");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("in the way in a, so nothing is written: README.md, src;"), "{}", ran.err);
    let ran = scratch.tempo("init b");
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "error: b exists and is not a folder\n"));
    let ran = scratch.tempo("init c --template gaem");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("'game'"), "{}", ran.err);
    assert_eq!((scratch.files(), scratch.text("a/README.md")), (before, "mine".to_owned()));
    // What is not in the way stays.
    std::fs::remove_file(scratch.path("a/README.md")).expect("made above");
    std::fs::remove_file(scratch.path("a/src")).expect("made above");
    assert_eq!(scratch.tempo("init a").code, Some(0));
    assert!(scratch.files().contains(&"a/other".to_owned()));
    let ran = scratch.tempo_in("a", "init");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("this is a project already"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn links_are_in_the_way_of_init() {
    let scratch = Scratch::new(&[("else/where", "")]);
    std::fs::create_dir(scratch.path("p")).expect("an empty place");
    std::os::unix::fs::symlink(scratch.path("else"), scratch.path("p/src")).expect("a link");
    std::os::unix::fs::symlink("nowhere", scratch.path("p/tempo.toml")).expect("a link");
    let ran = scratch.tempo("init p");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("tempo.toml, src"), "{}", ran.err);
    assert_eq!(std::fs::read_dir(scratch.path("else")).expect("a folder").count(), 1);
}

#[test]
fn files_for_vs_code_follow_the_settings() {
    let scratch = project();
    let ran = scratch.tempo("init --vscode");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let json = |name: &str| -> Value { serde_json::from_str(&scratch.text(name)).expect("JSON") };
    let launch = &json(".vscode/launch.json")["configurations"][0];
    assert_eq!(launch["program"], "${workspaceFolder}/src/main.asm");
    assert_eq!(launch["libDirs"][0], "${workspaceFolder}/lib");
    assert_eq!((&launch["defines"][0], &launch["vars"]["level"]), (&"FAST".into(), &"3".into()));
    let tasks = json(".vscode/tasks.json");
    let words = tasks["tasks"].as_array().expect("a list").iter().map(|task| task["args"][0].clone());
    assert_eq!(words.collect::<Vec<_>>(), ["build", "build", "test", "run", "run"]);
    let ran = scratch.tempo("init --vscode");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains(".vscode/tasks.json, .vscode/launch.json"), "{}", ran.err);
}

#[test]
fn run_takes_machine_and_options_from_the_project() {
    let source =
        "        BasicUpstart2(start)\nstart:  lda #'A'\n        jsr $ffd2\nloop:   lda #1\n        rts\n";
    let file = "[build]\nsymbols = []\n[run]\nargs = [\"--frames\", \"9\", \"--ok-on-timeout\", \"--symbols\", \"names.sym\"]\n";
    let scratch = Scratch::new(&[
        ("main.asm", source),
        ("tempo.toml", file),
        ("names.sym", ".label a=1\n"),
        ("sub/keep", ""),
    ]);
    let ran = scratch.tempo_in("sub", "run --dump-memory 0400-0400=m.bin --screenshot shot.png");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(
        scratch.files(),
        ["build/main.prg", "main.asm", "names.sym", "sub/keep", "sub/m.bin", "sub/shot.png", "tempo.toml"]
    );
    // The command line wins, and names are known although no file of symbols is written.
    scratch.write("tempo.toml", b"[build]\nsymbols = []\n[run]\nargs = [\"--frames\", \"1\"]\n");
    let ran = scratch.tempo("run --frames 8 --until loop");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.contains('A'), "{}", ran.out);
    // The bare CPU on request, which refuses what only a machine has.
    scratch.write("tempo.toml", b"[run]\nsystem = \"cpu\"\n");
    let ran = scratch.tempo("run --format json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\"output\":\"A"), "{}", ran.out);
    let ran = scratch.tempo("run --screen");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "error: --screen is for a whole machine; add --system c64\n")
    );
    let ran = scratch.tempo("run --system c64 --start loop");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--start is for the bare CPU"), "{}", ran.err);
    for (args, part) in [
        ("[\"--farmes\", \"1\"]", "--farmes"),
        ("[\"x.prg\"]", "a word that is not an option"),
        ("[\"--frames\"]", "--frames"),
        ("[\"--main\", \"other.asm\"]", "`args` cannot hold --main: write `main` of [project]"),
    ] {
        scratch.write("tempo.toml", format!("[run]\nargs = {args}\n").as_bytes());
        let ran = scratch.tempo("run");
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains(part) && ran.err.contains("tempo.toml:2:"), "{}", ran.err);
    }
}

#[test]
fn a_flag_about_a_warning_wins_over_the_file() {
    // A value that does not fit.
    let scratch = Scratch::new(&[
        ("main.asm", "* = $1000\n        bne next\nnext:   rts\n        .byte 300\n"),
        ("tempo.toml", "[lint]\nallow = [\"all\"]\n"),
    ]);
    assert_eq!(scratch.tempo("build").code, Some(0));
    let code = {
        let given = scratch.tempo("build --warn all").err;
        let at = given.find("[W").unwrap_or_else(|| panic!("no warning in {given}"));
        given[at + 1..at + 6].to_owned()
    };
    scratch.write("tempo.toml", format!("[lint]\nallow = [\"{code}\"]\n").as_bytes());
    let denied = scratch.tempo(&format!("build --deny {code}"));
    assert_eq!(denied.code, Some(1), "{}", denied.err);
    assert!(denied.err.contains(&format!("error[{code}]")), "{}", denied.err);
}

#[cfg(unix)]
#[test]
fn a_project_starts_no_program() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new(&[
        ("main.asm", "        BasicUpstart2(start)\nstart:  rts\n"),
        ("x64sc", "#!/bin/sh\ntouch started\n"),
    ]);
    std::fs::set_permissions(scratch.path("x64sc"), std::fs::Permissions::from_mode(0o755)).expect("ours");
    for args in ["'--vice', '--vice-path', './x64sc'", "'--vice', '--vice-path=x64sc'", "'--project', '.'"] {
        scratch.write("tempo.toml", format!("[run]\nargs = [{args}]\n").as_bytes());
        let ran = scratch.tempo("run");
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(
            ran.err.contains("`args` cannot hold --") && ran.err.contains("tempo.toml:2:9"),
            "{}",
            ran.err
        );
    }
    assert!(!scratch.path("started").exists());
}

#[cfg(unix)]
#[test]
fn vice_gets_program_machine_and_labels() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new(&[
        ("p/main.asm", "        BasicUpstart2(start)\nstart:  rts\n"),
        ("p/tempo.toml", "[build]\nsymbols = []\n[run]\nsystem = \"c64-ntsc\"\n"),
        ("bin/x64sc", "#!/bin/sh\necho \"$@\"\ntest ! -e fail\n"),
    ]);
    std::fs::set_permissions(scratch.path("bin/x64sc"), std::fs::Permissions::from_mode(0o755))
        .expect("ours");
    let ran = scratch.tempo_in("p", "run --vice --vice-path ../bin");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let [standard, commands, labels, autostart, program] = words[..] else { panic!("{words:?}") };
    assert_eq!((standard, commands, autostart), ("-ntsc", "-moncommands", "-autostart"));
    assert!(program.ends_with("/p/build/main.prg"), "{program}");
    assert!(std::fs::read_to_string(labels).expect("labels").contains(".start"), "{labels}");
    scratch.write("p/fail", b"");
    assert_eq!(scratch.tempo_in("p", "run --vice --vice-path ../bin/x64sc").code, Some(1));
    let ran = scratch.shell("cd p; PATH=/nowhere \"$TEMPO\" run --vice");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("x64sc is not in the PATH: install VICE"), "{}", ran.err);
    let ran = scratch.tempo_in("p", "run main.asm --vice");
    assert!(ran.err.contains("tempo run --vice --main main.asm"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn build_test_and_run_watch_the_same_files() {
    for (command, first, second) in [
        (&["build", "--watch"][..], "bin/main.prg: ", "error[E"),
        (&["test", "--watch"], "1 passed", "does not assemble"),
        (&["run", "--watch", "--system", "cpu", "--format", "json"], "\"a\":3", "error[E"),
    ] {
        let scratch = project();
        let watching = crate::common::Watching::start(scratch.0.path(), command);
        watching.expect(first);
        watching.expect("watching ");
        scratch.write("lib/part.asm", b"        * = $2000\npart:   rtz\n");
        watching.expect("changed: lib/part.asm");
        watching.expect(second);
        watching.expect("watching ");
        scratch.write("tempo.toml", b"[biuld]\n");
        watching.expect("did you mean [build]?");
        watching.expect("watching ");
        scratch.write("lib/part.asm", PART.as_bytes());
        scratch.write("tempo.toml", FILE.as_bytes());
        watching.expect(first);
    }
}

#[test]
fn the_page_lists_every_key() {
    let schema: Value =
        serde_json::from_str(&Scratch::new(&[]).tempo("config --schema").out).expect("the schema is JSON");
    let page = tempo_testing::fixtures().join("../docs/projects.md");
    let page = std::fs::read_to_string(page).expect("a page");
    for (section, table) in schema["properties"].as_object().expect("sections") {
        // A list of tables has no flags; the page describes its keys in their own section.
        if let Some(keys) = table["items"]["properties"].as_object() {
            assert!(page.contains(&format!("[[{section}]]")), "docs/projects.md lacks [[{section}]]");
            for (name, key) in keys {
                let about = key["description"].as_str().expect("a description");
                let row = format!("| `{name}` | {} |", about.trim_end_matches(": the file to write"));
                assert!(page.contains(&row), "docs/projects.md lacks the row\n{row}");
            }
            continue;
        }
        for (name, key) in table["properties"].as_object().expect("keys") {
            let text = key["description"].as_str().expect("a description");
            // The outputs of a release have no flags.
            let Some((about, flag)) = text.rsplit_once(". Flag: ") else {
                assert!(page.contains(&format!("| `{name}` | {text} |")), "docs/projects.md lacks {name}");
                let inner = key.get("properties").or_else(|| key["anyOf"][1].get("properties"));
                for (part, about) in inner.and_then(Value::as_object).into_iter().flatten() {
                    let about = about["description"].as_str().expect("a description");
                    let row = format!("| `{name}.{part}` | {about} |");
                    assert!(page.contains(&row), "docs/projects.md lacks the row\n{row}");
                }
                continue;
            };
            let default = key["default"].to_string().replace(',', ", ");
            let row = format!("| `{section}.{name}` | `{default}` | `{flag}` | {about} |");
            assert!(page.contains(&row), "docs/projects.md lacks the row\n{row}");
        }
    }
}
