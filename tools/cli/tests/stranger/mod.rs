//! A stranger's repository: links, hard links, settings and sources that try to write elsewhere. Every command of the
//! program runs in it as a user would type it, and nothing around it changes. `sweep` derives its lines from the help, so
//! that new commands are covered; the lines here are those that the help does not suggest.

#![cfg(unix)]

mod confine;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::json;
use tempo_emu::System;
use tempo_emu::c64::{C64, Model};
use tempo_formats::vsf::Writer;
use tempo_formats::{crt, d64};
use tempo_framing::frame;
use tempo_rig::file::{self as recording, About, Course, Kind, SourceSet};
use tempo_rig::{Action, IoWrites, TestMachine};

use crate::common::{PATIENCE, Ran, Scratch};

/// Lines of commands that the help alone does not suggest, in its order; `$TEMPO` is in front of each.
const LINES: &[(&str, &[&str])] = &[
    ("init", &["init --template asm", "init sub/new --template asm", "init new --template asm --vscode"]),
    ("build", &["build", "build --symbols kick,vice", "build --main x.asm", "build --release"]),
    (
        "asm",
        &[
            "asm x.asm",
            "asm x.asm --symbols --vice-symbols --byte-dump --debug-dump",
            "asm x.asm -bytedump -symbolfile -vicesymbols -debugdump -asminfo all",
            "asm x.asm --block-files",
            "asm x.asm --bin",
            "asm files.asm",
            "asm far.asm",
            "asm absolute.asm",
            "asm disk.asm",
            "asm sub/../x.asm --out-dir fresh",
        ],
    ),
    (
        "test",
        &[
            "test",
            "test tests/fails.6502",
            "test tests/pictures.6502 --update",
            "test tests --update --coverage lcov,html,cobertura --profile cycles",
            "test --rerun-failed",
            "test tests/fails.6502 --record-failures disk",
        ],
    ),
    ("cycles", &["cycles x.asm", "cycles x.asm --compare HEAD"]),
    ("raster", &["raster x.asm --frame 1 --frames 2"]),
    ("prove", &["prove x.asm:start --ends", "prove x.asm --headers --compare HEAD"]),
    ("superoptimise", &["superoptimise x.asm:start --work 1000"]),
    (
        "run",
        &[
            "run",
            "run x.asm",
            "run --system c64 saves.asm --frames 400 --disk disk",
            "run --main x.asm --frames 2",
            "run v.vsf --frames 2",
            "run --system c64 g.crt --frames 2",
        ],
    ),
    ("send", &["send p.prg --to 127.0.0.1:1"]),
    ("config", &["config"]),
    ("debug", &["debug x.asm -x continue -x quit", "debug r.tempo -x step", "debug v.vsf -x step"]),
    ("fmt", &["fmt x.asm untidy.asm", "fmt --check untidy.asm", "fmt *.asm", "fmt", "fmt sub"]),
    ("disasm", &["disasm p.prg", "disasm p.prg -o disasm.asm"]),
    ("disk extract", &["disk extract d.d64", "disk extract d.d64 --out-dir disk"]),
    ("disk create", &["disk create new.d64 p.prg"]),
    ("crt extract", &["crt extract g.crt", "crt extract g.crt --out-dir disk"]),
    ("crt create", &["crt create --type 8k -o new.crt 0:lo=p.prg"]),
    ("pack", &["pack p.prg -o packed.prg"]),
    ("import", &["import s.spd", "import s.spd --data data.bin"]),
    ("sym", &["sym s.sym --to vice", "sym s.sym --to vice -o s.out"]),
    ("lsp", &["lsp < lsp.in"]),
    ("dap", &["dap < dap.in", "dap < dap-suite.in"]),
    ("mcp", &["mcp < mcp.in", "mcp --read-only < mcp.in"]),
    (
        "x64sc",
        &[
            "x64sc -warp -limitcycles 50000 -moncommands x.vs p.prg",
            "x64sc -limitcycles 50000 -cartcrt g.crt",
        ],
    ),
    ("chess play", &["chess play --terminal --plain < moves.in"]),
    ("chess match", &["chess match random random --games 2"]),
    ("game play", &["game play chess --plain < moves.in"]),
    ("enochian play", &["enochian play --plain < moves.in"]),
    ("man", &["man pages"]),
];

/// A program that saves a file under the name of a link on the disk.
const SAVES: &str = "        BasicUpstart2(start)
start:  lda #4
        ldx #<name
        ldy #>name
        jsr $ffbd
        lda #1
        ldx #8
        ldy #0
        jsr $ffba
        lda #<start
        sta $fb
        lda #>start
        sta $fc
        lda #$fb
        ldx #<end
        ldy #>end
        jsr $ffd8
loop:   jmp loop
name:   .text \"EVIL\"
end:
";

const FAILS: &str = "suites { suite(\"s\") { test(\"$(touch pwned)\", \"fails\") { assert(1 == 2) } } }\n";

const PICTURES: &str = "suites { suite(\"s\") { test(\"keeps\", \"memory\") { bytes($1000, $60) jsr($1000) \
                        snapshot(\"shot\", $1000, 1) } } }\n";

/// How names of outputs in the repository lead elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trap {
    /// Nothing leads elsewhere by itself.
    None,
    /// A symbolic link to a file.
    Link,
    /// A symbolic link to a file by its whole path.
    Absolute,
    /// A symbolic link to a place where nothing is yet.
    Dangling,
    /// A second name of a file.
    Hard,
    /// Folders of outputs are links.
    Folder,
    /// No links, for settings that lead out.
    Settings(&'static str),
}

/// Settings that lead out.
const SETTINGS: &[&str] = &[
    "[run]\nargs = [\"--frames\", \"2\", \"--dump-memory\", \"1000-101f=../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--dump-memory=1000-101f=../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--save-state\", \"../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--screenshot\", \"../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--wav=../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--record\", \"../shared/\"]\n",
    "[run]\nargs = [\"--frames\", \"400\", \"--disk\", \"../shared\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"--kernal\", \"../.bashrc\"]\n",
    "[run]\nargs = [\"--frames\", \"2\", \"-L\", \"..\"]\n",
    "[build]\nout-dir = \"..\"\n",
    "[build]\nout-dir = \"../shared/new\"\n",
    "[build]\nout-dir = \"sub/new\"\n",
    "[build]\nout-dir = \"/tmp/../$HOME\"\n",
    "[project]\nmain = \"../shared/x.asm\"\n[build]\nout-dir = \"../shared\"\n",
    "[test]\npaths = [\"sub\"]\n",
    "[[asset]]\nfile = \"s.spd\"\ndata = \"../.bashrc\"\n",
    "[[asset]]\nfile = \"s.spd\"\ndata = \"sub/x.asm\"\n",
    "[[asset]]\nfile = \"../victim.asm\"\ndata = \"stolen.bin\"\n",
    "[[target]]\nmain = \"../shared/x.asm\"\n",
    "[[target]]\nname = \"../.bashrc\"\nmain = \"x.asm\"\npack = true\n",
    "[[target]]\nname = \"../sub/new\"\nmain = \"x.asm\"\nd64 = true\n",
    "[[target]]\nname = \"/$HOME/new\"\nmain = \"x.asm\"\nd64 = true\n",
    "[project]\nmain = \"x.asm\"\n[build]\nout-dir = \"sub\"\npack = true\nd64 = true\n",
    "[project]\nmain = \"x.asm\"\n[build]\nd64 = { name = \"D\", files = [\"A=../.bashrc\", \"B=sub/keep\"] }\n",
    "[project]\nmain = \"x.asm\"\n[build]\ncrt = { type = \"8k\", banks = [{ bank = 0, lo = \"../.bashrc\" }] }\n",
];

/// Names that commands write when none is typed.
const OUTPUTS: &[&str] = &[
    "x.prg",
    "x.bin",
    "x.sym",
    "x.vs",
    "x.dbg",
    "x_Default.prg",
    "ByteDump.txt",
    "asminfo.txt",
    "evil.prg",
    "evil.d64",
    "out.txt",
    "build/main.prg",
    "build/main.sym",
    "build/main.vs",
    "build/x.prg",
    ".tempo/failed.json",
    ".tempo/.gitignore",
    "tests/shot.snap",
    "lcov.info",
    "coverage.html",
    "cobertura.xml",
    "cycles.svg",
    "cycles.folded",
    "tempo.pgn",
    "chess.jsonl",
    "enochian.jsonl",
    "first.prg",
    "disk/evil.prg",
    "disk/first.prg",
    "disk/s.--touch-pwned-.tempo",
    "disk/bank-00-8000.bin",
    "bank-00-8000.bin",
    "build/x-packed.prg",
    "build/main-packed.prg",
    "build/main.d64",
    "build/main.crt",
    "pages/tempo.1",
    "pages/tempo-asm.1",
    "new/main.asm",
    "new/tempo.toml",
    "fresh/x.prg",
    "untidy.asm",
];

/// A snapshot of VICE.
static SNAPSHOT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut machine = C64::new(Model::Pal);
    machine.run_cycles(20_000);
    tempo_c64::snapshot_of(&mut machine, Writer::X64Sc).write()
});

/// A recording that names files elsewhere.
static RECORDING: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let machine = TestMachine::new(System::Mos6502, IoWrites::IoOnly);
    let course = Course { machine, actions: vec![Action::Run(100)], loaded: Vec::new() };
    let about = About {
        kind: Kind::Session,
        program: "../victim.asm".to_string(),
        file: "../.bashrc".to_string(),
        ..About::default()
    };
    recording::write(&about, Some(&course), &SourceSet::default(), None)
});

/// A home folder with a repository in it.
fn plant(trap: Trap) -> Scratch {
    let main = "*=$0a0a\n        BasicUpstart2(start)\nstart:  rts\n";
    let scratch = Scratch::new(&[
        (".bashrc", "# mine\n"),
        ("victim.asm", "  lda    #1\n rts\n"),
        ("shared/keep", "kept"),
        ("shared/fails.6502", FAILS),
        ("shared/pictures.6502", PICTURES),
        ("shared/x.asm", "rts\n"),
        ("repo/main.asm", SAVES),
        ("repo/x.asm", main),
        ("repo/saves.asm", SAVES),
        (
            "repo/files.asm",
            ".file [name=\"evil.prg\", segments=\"Default\"]\n.var f = createFile(\"out.txt\")\n.eval f.writeln(\"x\")\n*=$0a0a\n rts\n",
        ),
        ("repo/far.asm", ".file [name=\"../.bashrc\", segments=\"Default\"]\nrts\n"),
        ("repo/absolute.asm", ".file [name=\"/.bashrc\", segments=\"Default\"]\nrts\n"),
        (
            "repo/disk.asm",
            ".disk [filename=\"evil.d64\", name=\"D\", id=\"2A\"] { [name=\"A\", type=\"prg\", segments=\"Default\"] }\nrts\n",
        ),
        ("repo/tests/fails.6502", FAILS),
        ("repo/tests/pictures.6502", PICTURES),
        ("repo/s.sym", ".label a=1\n"),
        ("repo/moves.in", "save\nquit\n"),
        ("repo/uci.in", "uci\nquit\n"),
        ("repo/epd.in", "8/8/8/8/8/8/k7/2K5 w - -\n"),
        ("repo/game.json", "{}"),
        ("repo/vectors/a0.json", "[]"),
        ("repo/disk/first.prg", "\u{1}\u{8}x"),
        ("repo/tempo.toml", "[run]\nargs = [\"--frames\", \"400\"]\n"),
    ]);
    scratch.write("repo/p.prg", &[1, 8, 0x60]);
    scratch.write("repo/s.spd", &[1; 67]);
    let file = d64::File {
        name: "FIRST".into(),
        kind: d64::Kind::Prg,
        locked: false,
        hide: false,
        interleave: None,
        bytes: vec![1, 8, 0x60],
    };
    let image = d64::build(&d64::Options::default(), &[file]).expect("an image");
    scratch.write("repo/d.d64", &image);
    let bank = crt::Part { bank: 0, is_high: false, bytes: vec![0x60] };
    let cartridge = crt::build(crt::Kind::Rom8K, "GAME", &[bank]).expect("a cartridge");
    scratch.write("repo/g.crt", &cartridge.write());
    scratch.write("repo/v.vsf", &SNAPSHOT);
    scratch.write("repo/r.tempo", &RECORDING);
    let (repo, home) = (scratch.path("repo"), scratch.0.path().canonicalize().expect("a folder"));
    messages(&scratch);
    if let Trap::Settings(text) = trap {
        let text = text.replace("$HOME", home.strip_prefix("/").expect("absolute").to_str().expect("text"));
        scratch.write("repo/tempo.toml", text.as_bytes());
        symlink("../shared", repo.join("sub")).expect("a link");
        return scratch;
    }
    symlink("../shared", repo.join("sub")).expect("a link");
    if trap == Trap::None {
        return scratch;
    }
    if trap == Trap::Folder {
        for name in ["build", ".tempo"] {
            symlink("..", repo.join(name)).expect("a link");
        }
        return scratch;
    }
    for name in OUTPUTS {
        let path = repo.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let _ = std::fs::remove_file(&path);
        let up = "../".repeat(name.matches('/').count() + 1);
        let victim = if name.ends_with(".asm") { "victim.asm" } else { ".bashrc" };
        match trap {
            Trap::Link => symlink(format!("{up}{victim}"), path),
            Trap::Absolute => symlink(home.join(victim), path),
            Trap::Dangling => symlink(format!("{up}not-there"), path),
            _ => std::fs::hard_link(home.join(victim), path),
        }
        .expect("a link");
    }
    scratch
}

/// Messages that editors send when they open the repository.
fn messages(scratch: &Scratch) {
    let root = scratch.path("repo");
    let uri = format!("file://{}", root.display());
    let lsp = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": uri}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": format!("{uri}/x.asm"), "languageId": "kickass", "version": 1, "text": "#import \"../victim.asm\"\n"}}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/formatting", "params": {
            "textDocument": {"uri": format!("{uri}/x.asm")}, "options": {"tabSize": 4, "insertSpaces": true}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    scratch.write("repo/lsp.in", &lsp.iter().flat_map(frame).collect::<Vec<u8>>());
    let call = |id: u32, name: &str, arguments: serde_json::Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let mcp = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(2, "build", json!({})),
        call(3, "build", json!({"file": "far.asm"})),
        call(4, "test", json!({"paths": ["tests/fails.6502"]})),
        call(5, "run", json!({"file": "../victim.asm"})),
    ];
    scratch.write("repo/mcp.in", mcp.map(|message| format!("{message}\n")).concat().as_bytes());
    for (file, launch) in [
        ("dap.in", json!({"program": "x.asm", "stopOnEntry": true})),
        ("dap-suite.in", json!({"suite": "tests/fails.6502"})),
    ] {
        let dap = [
            json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}),
            json!({"seq": 2, "type": "request", "command": "launch", "arguments": launch}),
            json!({"seq": 3, "type": "request", "command": "configurationDone"}),
            json!({"seq": 4, "type": "request", "command": "disconnect"}),
        ];
        scratch.write(&format!("repo/{file}"), &dap.iter().flat_map(frame).collect::<Vec<u8>>());
    }
}

/// Everything outside of the repository: names, kinds, bytes, modes and times.
fn outside(scratch: &Scratch) -> BTreeMap<String, String> {
    let (top, repo) = (scratch.0.path(), scratch.path("repo"));
    let mut found = BTreeMap::new();
    let mut open = vec![top.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path == repo {
                continue;
            }
            let about = path.symlink_metadata().expect("a file");
            let bytes = if about.is_file() { std::fs::read(&path).expect("a file") } else { Vec::new() };
            if about.is_dir() {
                open.push(path.clone());
            }
            // A folder's own time shows a file that came and went. The home's changes with the repository.
            let time = (about.mtime(), about.mtime_nsec());
            let name = path.strip_prefix(top).expect("below").to_string_lossy().into_owned();
            let mut hasher = std::hash::DefaultHasher::new();
            bytes.hash(&mut hasher);
            found.insert(name, format!("{:o} {time:?} {:x}", about.mode(), hasher.finish()));
        }
    }
    found
}

fn tempo(scratch: &Scratch, line: &str) -> Ran {
    let home = scratch.0.path().display();
    scratch.shell(&format!("cd repo && export HOME='{home}' && timeout {PATIENCE} $TEMPO {line}"))
}

/// The commands that the help lists, those of groups with the group in front.
fn commands() -> BTreeSet<String> {
    let scratch = Scratch::new(&[]);
    let list = |line: &str| -> Vec<String> {
        let help = scratch.tempo(line).out;
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = lines
            .take_while(|line| !line.is_empty())
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").map(str::to_owned).collect()
    };
    let of_group = |name: &String| {
        let inner = list(&format!("{name} --help"));
        if inner.is_empty() {
            vec![name.clone()]
        } else {
            inner.iter().map(|sub| format!("{name} {sub}")).collect()
        }
    };
    list("--help").iter().flat_map(of_group).collect()
}

#[test]
fn the_commands_of_the_lines_are_there() {
    let there = commands();
    for (name, lines) in LINES {
        assert!(there.contains(*name), "{name} is gone");
        assert!(lines.iter().all(|line| line.starts_with(name)), "{name}: {lines:?}");
    }
}

#[test]
fn no_command_writes_outside_of_a_strangers_repository() {
    let traps = [Trap::Link, Trap::Absolute, Trap::Dangling, Trap::Hard, Trap::Folder];
    std::thread::scope(|scope| {
        for trap in traps {
            scope.spawn(move || run_all(trap, LINES.iter().flat_map(|(_, lines)| *lines)));
        }
    });
}

#[test]
fn no_setting_leads_a_command_out() {
    for text in SETTINGS {
        let of = ["build", "run", "test", "cycles", "config", "debug"];
        let lines = LINES.iter().filter(|(name, _)| of.contains(name)).flat_map(|(_, lines)| *lines);
        run_all(Trap::Settings(text), lines);
    }
}

fn run_all<'a>(trap: Trap, lines: impl Iterator<Item = &'a &'a str>) {
    let scratch = plant(trap);
    let before = outside(&scratch);
    for line in lines {
        let ran = tempo(&scratch, line);
        let now = outside(&scratch);
        let changed: Vec<_> = now.iter().filter(|(name, state)| before.get(*name) != Some(state)).collect();
        assert!(
            changed.is_empty() && now.len() == before.len(),
            "{trap:?}: tempo {line} changed {changed:?}\n{}{}",
            ran.out,
            ran.err
        );
        assert!(matches!(ran.code, Some(0..=3)), "{trap:?}: tempo {line}: {:?}\n{}", ran.code, ran.err);
    }
}

/// Each refusal names the file, where it leads, and what to type instead.
#[test]
fn refusals_name_the_path_and_the_remedy() {
    let says = |trap: Trap, line: &str, code: i32, parts: &[&str]| {
        let scratch = plant(trap);
        let ran = tempo(&scratch, line);
        assert_eq!(ran.code, Some(code), "{trap:?}: {line}: {}{}", ran.out, ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{trap:?}: {line}: no {part} in {}", ran.err);
        }
    };
    says(
        Trap::Link,
        "asm x.asm",
        2,
        &["cannot write 'x.prg'", ".bashrc', outside of", "-o FILE or --out-dir DIR"],
    );
    says(Trap::Hard, "asm x.asm", 2, &["cannot write 'x.prg'", "names (hard links)", "-o FILE"]);
    says(Trap::Folder, "build", 2, &["the output folder 'build' leads out of the project", "--out-dir DIR"]);
    says(
        Trap::Link,
        "test tests/fails.6502",
        1,
        &["cannot remember the failures in .tempo/failed.json", "delete"],
    );
    says(Trap::Link, "test tests/pictures.6502 --update", 1, &["cannot write tests/shot.snap", "outside of"]);
    says(Trap::Link, "fmt untidy.asm", 2, &["cannot write 'untidy.asm'", "victim.asm', outside of"]);
    for settings in &SETTINGS[..7] {
        let option = settings.split('"').nth(5).and_then(|word| word.split('=').next()).expect("an option");
        says(
            Trap::Settings(settings),
            "run",
            2,
            &["tempo.toml:2:", "`args` cannot hold", option, "command line"],
        );
    }
    says(
        Trap::Settings(SETTINGS[7]),
        "run",
        2,
        &["tempo.toml:2:1", "`args` cannot read '../.bashrc'", "--kernal"],
    );
    for settings in &SETTINGS[9..13] {
        says(
            Trap::Settings(settings),
            "build",
            2,
            &["tempo.toml:2:1", "leads out of the project", "--out-dir DIR"],
        );
    }
    for settings in &SETTINGS[15..17] {
        says(Trap::Settings(settings), "build", 2, &["cannot write"]);
    }
    says(
        Trap::Settings(SETTINGS[17]),
        "build",
        2,
        &["tempo.toml:2: ../victim.asm: it is not in the project"],
    );
}

/// A path that the user types is written as given.
#[test]
fn typed_paths_follow_links() {
    let scratch = plant(Trap::Link);
    let ran = tempo(&scratch, "asm x.asm -o x.prg");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(scratch.read(".bashrc")[..2], [1, 8]);
    let scratch = plant(Trap::Hard);
    assert_eq!(tempo(&scratch, "asm x.asm -o x.prg").code, Some(0));
    let scratch = plant(Trap::Folder);
    assert_eq!(tempo(&scratch, "build --out-dir build").code, Some(0));
    assert!(scratch.path("main.prg").exists());
    assert_eq!(tempo(&scratch, "asm far.asm --allow-outside").code, Some(0));
}

/// Commands that write while the folder of their outputs becomes a link and a folder again.
#[test]
fn a_link_that_is_swapped_in_while_a_command_writes_leads_nowhere() {
    let scratch = Scratch::new(&[
        ("shared/keep", "kept"),
        ("shared/main.prg", "mine"),
        ("repo/tempo.toml", ""),
        ("repo/main.asm", "*=$1000\n        rts\n"),
        ("repo/build/main.prg", ""),
    ]);
    let before = outside(&scratch);
    let (repo, is_over) = (scratch.path("repo"), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (build, aside, link) = (repo.join("build"), repo.join("aside"), repo.join("link"));
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                symlink("../shared", &link).expect("a link");
                let _ = std::fs::rename(&build, &aside);
                let _ = std::fs::rename(&link, &build);
                std::thread::sleep(std::time::Duration::from_micros(200));
                let _ = std::fs::remove_file(&build);
                let _ = std::fs::remove_file(&link);
                let _ = std::fs::rename(&aside, &build);
                let _ = std::fs::remove_dir_all(&aside);
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        });
        for turn in 0..40 {
            let line = if turn % 2 == 0 { "build" } else { "build --symbols kick,vice" };
            let ran = tempo(&scratch, line);
            assert!(matches!(ran.code, Some(0..=2)), "{line}: {:?}\n{}", ran.code, ran.err);
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(outside(&scratch), before);
}

/// Files outside do not depend on the user's umask or on who runs the tests.
#[test]
fn the_watch_over_the_outside_sees_changes() {
    let scratch = plant(Trap::Link);
    let before = outside(&scratch);
    std::fs::write(Path::new(&scratch.path("shared/new")), "").expect("a writable folder");
    assert_ne!(outside(&scratch), before);
}
