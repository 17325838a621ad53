use std::path::Path;

use pretty_assertions::assert_eq;
use tempo_diagnostics::{Renderer, Source};

use super::keys::Kind;
use super::*;

fn faults(text: &str) -> String {
    let source = Source::new("tempo.toml", text);
    let faults = read::read(&source).expect_err("the file has faults");
    let shown = |fault: &Diagnostic| {
        let help = fault.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{}{help}\n", Renderer::new(&source).short(fault).trim_end())
    };
    faults.iter().map(shown).collect()
}

#[test]
fn every_fault_has_its_place_and_the_nearest_name() {
    let text = "\
main = 'a.asm'
[projct]
[build]
out_dir = 'bin'
jobs = 3
defines = ['OK', 'no good', 'level=3', 7]
vars = { level = 3, deep = [1] }
symbols = ['vize']
[test]
jobs = -1
max-cycles = 1.5
map = ['a']
[run]
system = 'c46-pal'
[lint]
deny = ['unused']
";
    assert_eq!(
        faults(text),
        "\
tempo.toml:1:1: error: unknown key `main` (write it below [project])
tempo.toml:2:2: error: unknown section `projct` (did you mean [project]?)
tempo.toml:4:1: error: unknown key `out_dir` in [build] (did you mean `out-dir`?)
tempo.toml:5:1: error: unknown key `jobs` in [build] (`jobs` is a key of [test])
tempo.toml:6:18: error: 'no good' is not a name for #define
tempo.toml:6:29: error: 'level=3' is not a name for #define (values are for `vars`: vars = { level = 3 })
tempo.toml:6:40: error: `defines` holds texts in quotes, not a number
tempo.toml:7:28: error: `vars` holds texts, numbers or truth values, not a list
tempo.toml:8:12: error: `symbols` does not know 'vize' (did you mean \"vice\"?)
tempo.toml:10:8: error: `jobs` must be a number from 0 to 4096
tempo.toml:11:14: error: `max-cycles` must be a whole number, not a number with a point
tempo.toml:12:7: error: `map` must be a table of texts, as in { \"/code\" = \".\" }, not a list
tempo.toml:14:10: error: `system` does not know 'c46-pal' (did you mean \"c64-pal\"?)
tempo.toml:16:9: error: there is no warning 'unused'; docs/errors.md lists them, and 'all' is all of them (`tempo explain` lists the codes, `tempo explain CODE` explains one)
"
    );
}

#[test]
fn outputs_of_the_file_stay_below_the_root() {
    // Whether a path leads out is found out with the folder's handle when it is written: links count, too.
    for path in ["build", ".", "../x", "/x"] {
        let mut project = project(&format!("[build]\nout-dir = '{path}'\n"));
        assert_eq!(project.job().root.as_deref(), Some(Path::new("/p")), "{path}");
        assert!(project.own_out_dir().is_some());
        project.set(Setting::OutDir, "--out-dir", [(None, Value::Path("/elsewhere".into()))]);
        assert_eq!((project.job().root, project.own_out_dir()), (None, None), "the user typed it");
    }
    assert!(faults("[build]\nout-dir = ''\n").contains("out-dir"));
}

fn project(text: &str) -> Project {
    let contents = read::read(&Source::new("tempo.toml", text)).expect("a good file");
    Project {
        base: "..".into(),
        root: "/p".into(),
        folder: "/p/src".into(),
        file: Some("../tempo.toml".into()),
        values: contents.values.clone(),
        contents,
    }
}

#[test]
fn flags_win_and_lists_grow() {
    let mut project = project(
        "[project]\nmain = 'src/a.asm'\n[build]\nlib-dirs = ['lib']\ndefines = ['A']\nvars = {x = 1, y = true}\n\
         symbols = []\n[lint]\nallow = ['all']\n",
    );
    assert_eq!(project.main(), Path::new("../src/a.asm"));
    let job = project.job();
    assert_eq!((job.folder, job.source), ("/p".into(), "src/a.asm".into()));
    assert_eq!((job.symbols, job.vice_symbols), (None, None));
    for (setting, flag, values) in [
        (Setting::Main, "--main", vec![(None, Value::Path("b.asm".into()))]),
        (Setting::LibDirs, "--lib-dir", vec![(None, Value::Path("mine".into()))]),
        (Setting::Defines, "--define", vec![(None, Value::Text("B".into()))]),
        (Setting::Vars, "--var", vec![(Some("x".into()), Value::Text("2".into()))]),
        (Setting::Warn, "--warn", vec![(None, Value::Text("W0301".into()))]),
    ] {
        project.set(setting, flag, values);
    }
    assert_eq!(project.main(), Path::new("b.asm"));
    assert_eq!(project.lib_dirs(), [PathBuf::from("/p/src/mine"), "/p/lib".into()]);
    assert_eq!(project.defines(), ["A", "B"]);
    assert_eq!(project.vars(), [("y".to_owned(), "true".to_owned()), ("x".to_owned(), "2".to_owned())]);
    let job = project.job();
    assert_eq!(job.source, Path::new("src/b.asm"));
    assert!(!job.options.lints.off.contains(&tempo_assembler::Code::from_id("W0301").expect("a code")));
}

#[test]
fn flags_about_warnings_win() {
    let code = |id: &str| tempo_assembler::Code::from_id(id).expect("a code");
    let with = |text: &str, setting: Setting, flag: &'static str, word: &str| {
        let mut project = project(text);
        project.set(setting, flag, [(None, Value::Text(word.into()))]);
        (project.lints().is_on(code("W0101")), project.denied().contains(&code("W0101")))
    };
    let allowed = "[lint]\nallow = ['W0101']\n";
    assert_eq!(with(allowed, Setting::Deny, "--deny", "W0101"), (true, true));
    assert_eq!(with(allowed, Setting::Deny, "--deny", "w0102,w0101"), (true, true));
    // All that are given.
    assert!(!with(allowed, Setting::Deny, "--deny", "all").0);
    assert_eq!(with(allowed, Setting::Warn, "--warn", "W0101"), (true, false));
    let denied = "[lint]\ndeny = ['W0101']\n";
    assert_eq!(with(denied, Setting::Warn, "--warn", "W0101"), (true, false));
    assert!(!with(denied, Setting::Allow, "--allow", "W0101").0);
    assert_eq!(with(denied, Setting::Warn, "--warn", "W0102"), (true, true));
}

#[test]
fn settings_start_no_program() {
    assert_eq!(
        faults("[run]\nargs = ['--frames', '3', '--vice']\n"),
        "tempo.toml:2:26: error: `args` cannot hold --vice: the settings of a project start no program \
         (write it on the command line: tempo run --vice)\n"
    );
    for word in
        ["--vice-path=evil", "--vice-path", "--project", "--project=x", "--wav", "--disk=d", "--dump-memory"]
    {
        assert!(faults(&format!("[run]\nargs = ['{word}']\n")).contains("cannot hold"), "{word}");
    }
}

#[test]
fn every_default_is_a_value_that_the_file_could_have() {
    for setting in Setting::ALL {
        let key = setting.key();
        for word in key.default {
            match key.kind {
                Kind::Number(most) => assert!(word.parse::<u64>().is_ok_and(|number| number <= most)),
                kind => assert!(read::check(kind, key.name, word).is_ok(), "{}", setting.path()),
            }
        }
        assert!(SECTIONS.iter().any(|(section, _)| *section == key.section));
    }
    assert!(read::read(&Source::new("t", "")).expect("an empty file is good").values.is_empty());
}

#[test]
fn damaged_files_are_refused_at_places_in_them() {
    let seeds: [&[u8]; 4] = [
        b"[build]\npack = true\nd64 = { name = 'A', id = '26', files = ['B=build/b.prg'] }\n\
          crt = { type = '8k', name = 'C', banks = [{ bank = 0, lo = 'a', hi = 'b' }] }\n\
          [[target]]\nname = 'x'\nmain = 'x.asm'\ndefines = ['D']\nvars = { a = 1 }\npack = 'zx0'\n",
        include_bytes!("../../../cli/templates/game/tempo.toml"),
        include_bytes!("../../../cli/templates/demo/tempo.toml"),
        b"[project]\nmain = 'a.asm'\n[build]\nlib-dirs = ['x', \"y\"]\nvars = { a = 1, b = 'c', d = 1.5, e = true }\n\
          [test]\njobs = 0x10\nmap = { '/code' = '.' }\n[run]\nargs = ['--frames', '9']\n[lint]\nallow = ['W0301']\n",
    ];
    let words: &[&[u8]] = &[
        b"[",
        b"]",
        b"{",
        b"}",
        b"=",
        b"\"\"\"",
        b"'''",
        b"\n",
        b"\r",
        b"#",
        b".",
        b"..",
        b"0x",
        b"-",
        b"1e99",
        b"1979-05-27",
        b"[[build]]",
        b"build.",
        b"\xff",
        b"\0",
        b"99999999999999999999",
        b"[[[[[[[[[[[[[[[[",
    ];
    let check = |input: &[u8]| {
        let source = Source::from_bytes("tempo.toml", input);
        match read::read(&source) {
            Ok(contents) => {
                let project = Project { values: contents.values.clone(), contents, ..project("") };
                let has_root = project.programs().iter().all(|program| program.job.root.is_some());
                (!has_root).then(|| "the output folder is not held to the project".to_owned())
            }
            Err(faults) => {
                let end = source.span().end;
                let shown: String = faults.iter().map(|fault| Renderer::new(&source).human(fault)).collect();
                let is_placed = faults.iter().all(|fault| fault.span.is_some_and(|span| span.end <= end));
                (faults.is_empty() || !is_placed).then_some(shown)
            }
        }
    };
    let seeds = seeds.iter().map(|seed| seed.to_vec()).collect();
    let target = tempo_testing::fuzz::Target { name: "tempo-toml", seeds, words, check: &check };
    if let Err(message) = target.run(tempo_testing::tries(3_000)) {
        panic!("{message}");
    }
}

#[test]
fn assets_name_their_parts() {
    let assets = project(
        "[[asset]]\nfile = 'gfx/level.ctm'\ncharset = 'build/level.chr'\nmap-low = 'build/level.map'\n\
         [[asset]]\nfile = 'gfx\\hero.png'\nas = 'sprites'\nmulticolour = true\nshared = [0, 11, 1]\ndata = 'hero.bin'\n",
    );
    let [level, hero] = assets.assets() else { panic!("two assets") };
    assert_eq!((level.line, level.is_sprites), (2, false));
    assert_eq!(
        level.parts,
        [("Charset", PathBuf::from("build/level.chr")), ("MapLow", PathBuf::from("build/level.map"))]
    );
    assert_eq!((hero.file.as_path(), hero.is_sprites), (Path::new("gfx/hero.png"), true));
    assert_eq!((hero.multicolour, &hero.shared[..]), (true, &[0, 11, 1][..]));
    for (text, fault) in [
        ("asset = 3\n", "write [[asset]]"),
        ("[[asset]]\ncharset = 'c'\n", "[[asset]] has no `file`"),
        ("[[asset]]\nfile = 'a.ctm'\n", "[[asset]] asks for no part"),
        ("[[asset]]\nfile = 'a.ctm'\ncharsett = 'c'\n", "did you mean `charset`?"),
        ("[[asset]]\nfile = 'a.png'\nas = 'chars'\nscreen = 's'\n", "there are characters, sprites"),
        ("[[asset]]\nfile = 'a.png'\nshared = [16]\nscreen = 's'\n", "a colour is a number from 0 to 15"),
        ("[[asset]]\nfile = ''\nscreen = 3\n", "a path that is empty"),
    ] {
        let found = faults(text);
        assert!(found.contains(fault), "{text}: {found}");
    }
}

#[test]
fn targets_are_programs_with_the_settings_of_the_build() {
    let text = "\
[project]
main = 'src/a.asm'
[build]
defines = ['ALL']
vars = { level = 1, speed = 2 }
pack = true
d64 = { name = 'A GAME', id = '26', files = ['LEVEL1=build/level1.prg', 'x.seq'] }
[[target]]
name = 'intro'
main = 'src/part.asm'
defines = ['INTRO']
vars = { level = 7 }
pack = 'zx0'
[[target]]
main = 'src/b.asm'
crt = { type = 'EasyFlash', banks = [{ bank = 0x3, lo = 'build/lo.bin' }, { bank = 4, hi = 'hi.bin' }] }
";
    let project = project(text);
    let [a, intro, b] = &project.programs()[..] else { panic!("three programs") };
    assert_eq!(a.main, Path::new("../src/a.asm"));
    assert_eq!((&a.job.program, a.outputs.packing()), (&None, Pack::Program));
    let disk = a.outputs.d64.as_ref().expect("a disk");
    assert_eq!(
        disk.files.iter().map(|file| &file.value[..]).collect::<Vec<_>>(),
        ["LEVEL1=build/level1.prg", "x.seq"]
    );
    assert_eq!(intro.job.source, Path::new("src/part.asm"));
    assert_eq!(intro.job.program.as_deref(), Some("intro"));
    assert_eq!(intro.job.options.defines, ["ALL", "INTRO"]);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(intro.job.options.variables, [pair("speed", "2"), pair("level", "7")]);
    assert_eq!((intro.outputs.packing(), &intro.outputs.d64), (Pack::Data("zx0"), &None));
    assert_eq!((b.job.program.as_deref(), b.outputs.packing()), (Some("b"), Pack::Program));
    let crt = b.outputs.crt.as_ref().expect("a cartridge");
    assert_eq!(crt.banks.iter().map(|bank| bank.value.bank).collect::<Vec<_>>(), [3, 4]);
    // A source beside the program has the settings of its target; flags win.
    let mut project = project;
    project.set(Setting::Vars, "--var", [(Some("level".into()), Value::Text("9".into()))]);
    let job = project.job_of(Path::new("part.asm"));
    assert_eq!(job.options.variables, [pair("speed", "2"), pair("level", "9")]);
    assert_eq!(project.in_out_dir(Path::new("build/x/y.bin")), Some("x/y.bin".into()));
    assert_eq!(project.in_out_dir(Path::new("src/y.bin")), None);
    project.set(Setting::Main, "--main", [(None, Value::Path("b.asm".into()))]);
    assert_eq!(project.programs().len(), 1, "the user names a source");
}

#[test]
fn the_first_target_is_the_program_of_a_project_without_one() {
    let project = project(
        "[build]\nd64 = true\n[[target]]\nname = 'game'\nmain = 'src/b.asm'\n[[target]]\nmain = 'c.asm'\n",
    );
    assert_eq!(project.main(), Path::new("../src/b.asm"));
    assert_eq!(project.job().program.as_deref(), Some("game"));
    let programs = project.programs();
    assert_eq!(programs.len(), 2);
    assert!(programs[0].outputs.d64.is_some() && programs[1].outputs.d64.is_none());
}

#[test]
fn faults_of_release_outputs_have_their_place_and_a_remedy() {
    let text = "\
pack = true
[build]
pakc = true
pack = 'zx1'
d64 = 3
crt = { name = 'X' }
[[target]]
main = 'a.asm'
crt = { type = '9k' }
d64 = { names = 'A', id = '123', files = 'x' }
[[target]]
name = '../b'
main = 'b.asm'
crt = { type = '8k', banks = [{ lo = 'a' }, { bank = 0 }, { bank = -1, lo = '' }, 3] }
[[target]]
name = 'c'
[[target]]
main = 'sub/A.asm'
mian = 'x'
defines = 'X'
";
    assert_eq!(
        faults(text),
        "\
tempo.toml:1:1: error: unknown key `pack` (write it below [build])
tempo.toml:3:1: error: unknown key `pakc` in [build] (did you mean `pack`?)
tempo.toml:4:8: error: `pack` does not know 'zx1' (did you mean \"zx0\"?)
tempo.toml:5:7: error: `d64` must be true or a table, as in { name = \"GAME\", id = \"26\" }, not a number
tempo.toml:6:7: error: `crt` has no `type` (there are 8k, 16k, ultimax, magicdesk, ocean, easyflash, gmod2)
tempo.toml:9:16: error: `type` does not know '9k' (did you mean \"8k\"?)
tempo.toml:10:9: error: unknown key `names` in d64 (did you mean `name`?)
tempo.toml:10:27: error: `id` must be two characters of ASCII
tempo.toml:10:42: error: `files` must be a list of files, as in [\"LEVEL1=build/level1.prg\"], not a text
tempo.toml:12:8: error: `name` is not the name of a file (letters, digits, `-`, `_`, `.` and blanks make one)
tempo.toml:14:31: error: a bank has no `bank` (write bank = 0)
tempo.toml:14:45: error: a bank has neither `lo` nor `hi` (name the file of a half, as in lo = \"build/lo0.bin\")
tempo.toml:14:68: error: `bank` must be the number of a bank
tempo.toml:14:77: error: `lo` has a path that is empty or no path at all
tempo.toml:14:83: error: `banks` must be a list of banks, as in [{ bank = 0, lo = \"build/lo0.bin\" }], not a number
tempo.toml:15:1: error: [[target]] has no `main` (name its source, as in main = \"src/intro.asm\")
tempo.toml:19:1: error: unknown key `mian` in [[target]] (did you mean `main`?)
tempo.toml:20:11: error: `defines` must be a list of names, as in [\"DEBUG\"], not a text
tempo.toml:18:8: error: two programs would write the files 'A.*' (give one of them another `name`)
"
    );
    assert!(faults("target = 3\n").contains("write [[target]]"));
    assert!(faults("target = [3]\n").contains("`target` holds tables"));
    let main_twice = "[project]\nmain = 'src/a.asm'\n[[target]]\nmain = 'b/a.asm'\n";
    assert!(faults(main_twice).contains("two programs would write the files 'a.*'"));
}
