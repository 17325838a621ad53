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
    let (values, assets) = read::read(&Source::new("tempo.toml", text)).expect("a good file");
    Project {
        base: "..".into(),
        root: "/p".into(),
        folder: "/p/src".into(),
        file: Some("../tempo.toml".into()),
        values,
        assets,
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
    assert!(read::read(&Source::new("t", "")).expect("an empty file is good").0.is_empty());
}

#[test]
fn damaged_files_are_refused_at_places_in_them() {
    let seeds: [&[u8]; 3] = [
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
            Ok((values, assets)) => {
                let project = Project { values, assets, ..project("") };
                let has_root = project.job().root.is_some();
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
