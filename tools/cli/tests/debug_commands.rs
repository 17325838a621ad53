//! `tempo debug` and `tempo dap` as processes: the worked example of docs/debugging.md, the terminal through tmux, the
//! protocol on a pipe and on a socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tempo_framing::{Reader, frame};

const TEMPO: &str = env!("CARGO_BIN_EXE_tempo");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a kind").is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).expect("a file");
            }
        }
    }
}

/// A copy of the chess program and its suites with one line taken out.
fn planted() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root().join("asm"), &folder.path().join("asm"));
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).expect("a folder");
    for file in ["ai_rules.6502", "common.6502", "program.6502", "squares.6502"] {
        std::fs::copy(root().join("tests").join(file), tests.join(file)).expect("a suite");
    }
    let source = folder.path().join("asm/position/public.asm");
    let text = std::fs::read_to_string(&source).expect("the source");
    let good = "        sta zpArgTo\n        tay\n        lda castlerights\n";
    assert!(text.contains(good), "the line that the example takes out is there");
    std::fs::write(&source, text.replace(good, "        sta zpArgTo\n        lda castlerights\n"))
        .expect("written");
    folder
}

/// The commands and what they print, out of the page.
fn example() -> (Vec<String>, String) {
    let page = std::fs::read_to_string(root().join("docs/debugging.md")).expect("the page");
    let block = page.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let (first, rest) = block.split_once('\n').expect("a command");
    let words = first.strip_prefix("$ tempo ").expect("a command of tempo");
    let mut arguments = Vec::new();
    let mut quoted = false;
    let mut word = String::new();
    for character in words.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => arguments.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    arguments.push(word);
    (arguments, rest.to_string())
}

/// Words with a digit in them, such as addresses, lines and cycles, change with the program; the story does not.
fn without_numbers(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words = line.split(' ').map(|word| match word.contains(|c: char| c.is_ascii_digit()) {
            true => "#",
            false => word,
        });
        // Names of places are in brackets, and labels move, too.
        words.filter(|word| !word.starts_with('(')).collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// With UPDATE=1 the page is brought up to date.
#[test]
fn the_worked_example_finds_the_planted_bug() {
    let folder = planted();
    let (arguments, wanted) = example();
    let output = Command::new(TEMPO).args(&arguments).current_dir(folder.path()).output().expect("it runs");
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if std::env::var_os("UPDATE").is_some() {
        let page = root().join("docs/debugging.md");
        let text = std::fs::read_to_string(&page).expect("the page");
        std::fs::write(page, text.replace(&wanted, &found)).expect("written");
        return;
    }
    assert_eq!(
        without_numbers(&found),
        without_numbers(&wanted),
        "UPDATE=1 brings docs/debugging.md up to date"
    );
    // The answer: Y is not the square.
    assert!(found.contains(": ldy SearchDepth at public.asm:"), "{found}");
}

const MAIN: &str = "*=$1000\nmain: ldx #3\nloop: jsr sub\n  dex\n  bne loop\n  rts\nsub: inc counter\n  rts\ncounter: .byte 0\n";

fn program() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("main.asm"), MAIN).expect("a source");
    folder
}

/// Files are named from where the user is, and the assembler's messages are shown as they are.
#[test]
fn a_source_may_lie_in_another_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("src");
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(inner.join("main.asm"), "#import \"more.asm\"\n*=$1000\nmain: Nothing()\n  rts\n")
        .expect("a source");
    std::fs::write(inner.join("more.asm"), ".macro Nothing() {\n  nop\n}\n").expect("a source");
    std::fs::write(inner.join("bad.asm"), "*=$1000\n  lda nobody\n").expect("a source");
    let run = |file: &str| {
        let words = ["debug", file, "-x", "step"];
        let output = Command::new(TEMPO).args(words).current_dir(folder.path()).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, out, err) = run("src/main.asm");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("> step\nmore.asm:2 nop"), "{out}");
    let (code, _, err) = run("src/bad.asm");
    assert_eq!((code, err.matches("error").count()), (Some(1), 1), "{err}");
    assert!(err.contains("bad.asm:2:7: error: "), "{err}");
}

#[test]
fn commands_are_run_one_after_the_other() {
    let folder = program();
    let run = |arguments: &[&str]| {
        let output =
            Command::new(TEMPO).args(arguments).current_dir(folder.path()).output().expect("it runs");
        let code = output.status.code();
        (
            code,
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, out, _) = run(&[
        "debug",
        "main.asm",
        "--break",
        "sub",
        "-x",
        "continue",
        "-x",
        "out",
        "-x",
        "back",
        "-x",
        "why [counter]",
    ]);
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines.iter().any(|line| line.contains("breakpoint 1: sub; main.asm:7 sub: inc counter")),
        "{out}"
    );
    assert!(out.contains("> back\nmain.asm:7 sub: inc counter"), "{out}");
    assert!(out.ends_with("$100D: not written since the start\n"), "{out}");
    let (_, out, err) = run(&["debug", "main.asm", "-x", "break main.asm:1", "-x", "at 99999999999"]);
    assert!(out.contains("breakpoint 1 at main.asm:1: the code is on line 2\n"), "{out}");
    assert_eq!(err, "error: time 99999999999 is not recorded: that is 0 to 0\n");
    let (_, _, err) = run(&["debug", "main.asm", "-x", "keys HELLO"]);
    assert_eq!(err, "error: this machine has no keyboard\n");
    let (_, out, _) = run(&["debug", "main.asm", "-x", "watch [counter].w", "-x", "continue", "-x", "help"]);
    assert!(out.contains("breakpoint 1: write of $100D-$100E\n"), "{out}");
    assert!(out.contains("\nwhy      w   PLACE|a|x|y|sp|FLAG"), "{out}");
    let (code, _, err) = run(&["debug", "main.asm", "-x", "brek sub"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: there is no command `brek`; did you mean `break`?\n"));
    let (code, _, err) = run(&["debug", "none.asm"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: there is no file none.asm\n"));
    let (code, _, err) = run(&["debug", "."]);
    assert_eq!((code, err.as_str()), (Some(2), "error: . is a folder; name the file in it\n"));
    let (code, _, err) = run(&["debug", "main.asm", "--test", "sum", "-x", "next"]);
    let refusal = "error: main.asm is not a suite (.6502), so it has no test `sum`\n";
    assert_eq!((code, err.as_str()), (Some(1), refusal));
    let (code, _, err) = run(&["debug", "main.asm"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("needs a terminal"));
    std::fs::write(folder.path().join("bad.asm"), "  lda #nobody\n").expect("a source");
    let (code, _, err) = run(&["debug", "bad.asm", "-x", "next"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("nobody"), "{err}");
}

/// Questions of a C64 programmer: the raster line, a register of the VIC, interrupts forward and back, messages.
#[test]
fn a_c64_stops_at_lines_registers_and_interrupts() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: sei
  lda #<irq
  sta $0314
  lda #>irq
  sta $0315
  lda #$1b
  sta $d011
  lda #100
  sta $d012
  lda #$7f
  sta $dc0d
  lda #1
  sta $d01a
  cli
loop: inx
  jmp loop
irq: inc $d019
  inc $d000
  jmp $ea81
";
    std::fs::write(folder.path().join("main.asm"), source).expect("a source");
    let run = |words: &[&str]| {
        let mut command = Command::new(TEMPO);
        command.args(["debug", "main.asm", "--system", "c64"]).current_dir(folder.path());
        let output = command.args(words.iter().flat_map(|word| ["-x", *word])).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let out = run(&["break line 150", "continue", "print raster", "reverse"]);
    assert!(out.contains("breakpoint 1: line 150; main.asm:1"), "{out}");
    assert!(out.contains("> print raster\n$96 150"), "{out}");
    assert!(out.contains("> reverse\nstart of recording; main.asm:3 start: sei"), "{out}");
    let out = run(&[
        "watch [$d000]",
        "continue",
        "why [$d000]",
        "catch irq",
        "delete",
        "continue",
        "back i",
        "calls",
    ]);
    assert!(out.contains("$D000: $00 → $01, by inc at main.asm:20 (irq+3)"), "{out}");
    assert!(out.contains("> catch irq\n> delete\n> continue\nInterrupt entry"), "{out}");
    let tail = out.split("> back i\n").nth(1).expect("a step back");
    assert!(tail.starts_with("main.asm:17") || tail.starts_with("main.asm:18"), "back in the loop: {out}");
    assert!(!tail.contains("[irq]"), "{out}");
    let out = run(&["log irq sprite at {[$d000]:d}", "break line 20 hits 3", "continue"]);
    assert!(out.contains("sprite at 0\nsprite at 1\n"), "{out}");
}

/// A project whose program needs what its `tempo.toml` says.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write(
        "tempo.toml",
        "[project]\nmain = \"src/game.asm\"\n\n[build]\nlib-dirs = [\"lib\"]\ndefines = [\"FAST\"]\n\
         vars = { speed = \"7\" }\n",
    );
    write(
        "src/game.asm",
        "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\nstart:\n#if FAST\n  \
         lda #cmdLineVars.get(\"speed\").asNumber()\n#endif\n  sta Border\n#import \"names.asm\"\n  rts\n",
    );
    write("lib/names.asm", "#importonce\n.label Border = $d020\n");
    write(
        "tests/game.6502",
        "suites {\n  suite(\"s\") {\n    assemble(\"../src/game.asm\")\n    test(\"t\", \"\") {\n      jsr([start])\n      \
         assert(a == 8, \"eight\")\n    }\n  }\n}\n",
    );
    folder
}

/// The debugger follows `tempo.toml`, too: program, libraries, symbols, variables and machine.
#[test]
fn the_project_tells_the_debugger_what_to_assemble() {
    let folder = project();
    let run = |at: &str, words: &[&str]| {
        let output =
            Command::new(TEMPO).arg("debug").args(words).current_dir(folder.path().join(at)).output();
        let output = output.expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    // The program of the project, on the project's machine, which has a beam.
    for at in [".", "src", "tests"] {
        let (code, out, err) = run(at, &["-x", "next", "-x", "print a", "-x", "print raster"]);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("> print a\n$07 7"), "{out}");
    }
    // Flags win.
    let (_, out, _) = run(".", &["--var", "speed=9", "--system", "6502", "-x", "next", "-x", "print a"]);
    assert!(out.contains("> print a\n$09 9"), "{out}");
    let (code, _, err) = run(".", &["--system", "6502", "-x", "print raster"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: this machine has no raster beam\n"));
    // A suite.
    let (_, out, err) = run(".", &["tests/game.6502", "-x", "why a"]);
    assert!(out.contains("A = $07: lda #$07"), "{out}{err}");
    // What is wrong with it is said.
    std::fs::write(folder.path().join("tempo.toml"), "[project]\nmian = \"x\"\n").expect("a file");
    let (code, _, err) = run(".", &["-x", "next"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("unknown key `mian`"), "{err}");
}

/// An editor may start the adapter anywhere: the project is the one around the file.
#[test]
fn an_editor_gets_the_project_around_its_file() {
    let folder = project();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("src/game.asm").to_string_lossy().into_owned();
    let launch = |at: &Path, arguments: Value| {
        let mut child = Command::new(TEMPO)
            .arg("dap")
            .current_dir(at)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut input = child.stdin.take().expect("a pipe");
        for (seq, (command, arguments)) in
            [("initialize", json!({})), ("launch", arguments), ("disconnect", json!({}))]
                .into_iter()
                .enumerate()
        {
            let message =
                json!({"seq": seq + 1, "type": "request", "command": command, "arguments": arguments});
            input.write_all(&frame(&message)).expect("sent");
        }
        let mut bytes = Vec::new();
        child.stdout.take().expect("a pipe").read_to_end(&mut bytes).expect("read");
        child.wait().expect("it ends");
        let mut reader = Reader::default();
        reader.push(&bytes);
        let mut messages = std::iter::from_fn(|| reader.message().expect("messages"));
        messages.find(|message| message["command"] == "launch").expect("an answer")
    };
    assert_eq!(launch(elsewhere.path(), json!({"program": source}))["success"], true);
    assert_eq!(launch(folder.path(), json!({}))["success"], true);
    let answer = launch(elsewhere.path(), json!({}));
    assert_eq!(answer["message"], "neither `program` nor `suite` is given");
    std::fs::write(folder.path().join("tempo.toml"), "[project]\nmian = \"x\"\n").expect("a file");
    let answer = launch(elsewhere.path(), json!({"program": source}));
    let message = answer["message"].as_str().expect("a reason");
    assert!(message.contains("tempo.toml:2:1: error: unknown key `mian`"), "{message}");
}

/// The terminal, through tmux: break, step, back, why.
#[test]
fn the_terminal_breaks_steps_goes_back_and_says_why() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("SKIPPED: tmux is not installed");
        return;
    }
    let folder = program();
    let socket = format!("tempo-debug-{}", std::process::id());
    let tmux = |arguments: &[&str]| {
        let output = Command::new("tmux").args(["-L", &socket]).args(arguments).output().expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let command = format!("cd '{}' && '{TEMPO}' debug main.asm", folder.path().display());
    tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", &command]);
    let captured = |capture: &[&str], wanted: &str| {
        let mut screen = String::new();
        for _ in 0..20 * crate::common::PATIENCE {
            screen = tmux(capture);
            if screen.contains(wanted) {
                return screen;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        tmux(&["kill-server"]);
        panic!("`{wanted}` does not appear:\n{screen}");
    };
    let shows = |wanted: &str| captured(&["capture-pane", "-p"], wanted);
    let screen = shows("▶");
    assert!(screen.lines().count() <= 24);
    // Without colours the place still stands out.
    let plain = format!("cd '{}' && NO_COLOR=1 '{TEMPO}' debug main.asm", folder.path().display());
    tmux(&["new-session", "-d", "-s", "plain", "-x", "80", "-y", "24", &plain]);
    let bare = captured(&["capture-pane", "-e", "-p", "-t", "plain"], "▶");
    tmux(&["kill-session", "-t", "plain"]);
    let coloured = bare.split('\x1b').find(|part| {
        let code: String = part.chars().skip(1).take_while(char::is_ascii_digit).collect();
        code.parse::<u8>().is_ok_and(|code| (30..38).contains(&code) || (40..48).contains(&code))
    });
    assert!(bare.contains("\x1b[7m") && coloured.is_none(), "{bare:?}");
    tmux(&["send-keys", ":break sub", "Enter"]);
    shows("breakpoint 1 at sub");
    tmux(&["send-keys", "c"]);
    let screen = shows("sub: inc counter | ");
    assert!(screen.contains("●   7▶sub: inc counter"), "{screen}");
    assert!(screen.trim_end().ends_with("? keys"), "{screen}");
    tmux(&["send-keys", "n"]);
    shows("main.asm:8 rts");
    tmux(&["send-keys", "w"]);
    tmux(&["send-keys", "[coun", "Tab", "]", "Enter"]);
    shows("$100D = $01: inc counter at main.asm:7");
    tmux(&["send-keys", "b"]);
    let screen = shows("> back");
    assert!(screen.contains("   7▶sub: inc counter"), "{screen}");
    tmux(&["send-keys", "?"]);
    shows("run back to a breakpoint");
    tmux(&["send-keys", "x"]);
    shows("set PC there");
    tmux(&["send-keys", "x"]);
    shows("type on the C64");
    tmux(&["send-keys", "x"]);
    tmux(&["send-keys", "q"]);
    tmux(&["kill-server"]);
}

/// A conversation on a stream: requests out, messages in until the last one asked for.
struct Conversation<R, W> {
    reader: R,
    writer: W,
    bytes: Reader,
    seq: i64,
}

impl<R: Read, W: Write> Conversation<R, W> {
    fn send(&mut self, command: &str, arguments: Value) {
        self.seq += 1;
        let request = json!({"seq": self.seq, "type": "request", "command": command, "arguments": arguments});
        self.writer.write_all(&frame(&request)).expect("written");
        self.writer.flush().expect("flushed");
    }

    fn until(&mut self, matches: impl Fn(&Value) -> bool) -> Value {
        let mut buffer = [0; 4096];
        loop {
            while let Some(message) = self.bytes.message().expect("a message") {
                if matches(&message) {
                    return message;
                }
            }
            let count = self.reader.read(&mut buffer).expect("bytes");
            assert!(count > 0, "the adapter ended");
            self.bytes.push(&buffer[..count]);
        }
    }

    fn answer(&mut self, command: &str, arguments: Value) -> Value {
        self.send(command, arguments);
        let seq = self.seq;
        self.until(|message| message["type"] == "response" && message["request_seq"] == seq)
    }

    /// From launch to a breakpoint, a pause at full speed, and goodbye.
    fn talk(&mut self, path: &str) {
        self.answer("initialize", json!({"adapterID": "tempo"}));
        assert_eq!(self.answer("launch", json!({"program": path}))["success"], true);
        let set =
            self.answer("setBreakpoints", json!({"source": {"path": path}, "breakpoints": [{"line": 8}]}));
        assert_eq!(set["body"]["breakpoints"][0]["verified"], true);
        self.send("configurationDone", json!({}));
        let stopped = self.until(|message| message["event"] == "stopped");
        assert_eq!(stopped["body"]["reason"], "breakpoint");
        let stack = self.answer("stackTrace", json!({"threadId": 1}));
        assert_eq!(stack["body"]["stackFrames"][0]["source"]["path"], path);
        assert_eq!(stack["body"]["stackFrames"][0]["line"], 8);
        assert_eq!(self.answer("disconnect", json!({}))["success"], true);
    }
}

#[test]
fn the_adapter_speaks_on_a_pipe_and_on_a_socket() {
    let folder = program();
    let path = folder.path().canonicalize().expect("a path").join("main.asm").to_string_lossy().into_owned();
    let mut child = Command::new(TEMPO)
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let (reader, writer) = (child.stdout.take().expect("output"), child.stdin.take().expect("input"));
    Conversation { reader, writer, bytes: Reader::default(), seq: 0 }.talk(&path);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));

    let mut child =
        Command::new(TEMPO).args(["dap", "--listen", "0"]).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("messages")).read_line(&mut line).expect("the address");
    let address = line.trim().strip_prefix("listening on ").expect("the address");
    let stream = std::net::TcpStream::connect(address).expect("a connection");
    let reader = stream.try_clone().expect("a reader");
    Conversation { reader, writer: stream, bytes: Reader::default(), seq: 0 }.talk(&path);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_client_that_leaves_or_talks_nonsense_ends_the_adapter() {
    let mut child = Command::new(TEMPO)
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    let mut child = Command::new(TEMPO)
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("input").write_all(b"Content-Length: 3\r\n\r\n{]}").expect("written");
    let mut text = String::new();
    child.stderr.take().expect("messages").read_to_string(&mut text).expect("a message");
    assert!(text.starts_with("error: a message is not JSON"), "{text}");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}
