//! `--confine` and `TEMPO_CONFINE=1`: what commands and the servers of editors may read of a stranger's project.

use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tempo_framing::frame;

use super::tempo;
use crate::common::{PATIENCE, Scratch};

/// `--confine` and `TEMPO_CONFINE=1` limit reading, in every command that reads what a source names.
#[test]
fn confined_commands_read_nothing_outside() {
    let scratch = Scratch::new(&[
        ("secret", "SECRET"),
        ("shared/lib.asm", "rts\n"),
        ("repo/tempo.toml", "[build]\nlib-dirs = [\"../shared\"]\n"),
        ("repo/main.asm", ".import binary \"../secret\"\n"),
        ("repo/own.asm", "#import \"inner.asm\"\n"),
        ("repo/inner.asm", "rts\n"),
        ("repo/uses.asm", "#import \"lib.asm\"\n"),
        (
            "repo/s.6502",
            "suites { suite(\"s\") { assemble(\"main.asm\") test(\"t\", \"t\") { assert(1 == 1) } } }",
        ),
    ]);
    symlink("../secret", scratch.path("repo/link.asm")).expect("a link");
    for line in [
        "asm main.asm",
        "build",
        "run",
        "run main.asm",
        "test s.6502",
        "cycles main.asm",
        "debug main.asm -x quit",
        "build --main uses.asm",
        "asm link.asm",
    ] {
        for (before, after) in [("", " --confine"), ("--confine ", "")] {
            let ran = tempo(&scratch, &format!("{before}{line}{after}"));
            assert_ne!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
            let said = format!("{}{}", ran.out, ran.err);
            assert!(said.contains("--confine"), "{line}: {said}");
            assert!(
                ["secret", "lib.asm", "link.asm"].iter().any(|name| said.contains(name)),
                "{line}: {said}"
            );
        }
        let ran = scratch.shell(&format!("cd repo && TEMPO_CONFINE=1 $TEMPO {line}"));
        assert_ne!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
    }
    for line in [
        "asm own.asm --confine",
        "asm uses.asm -L ../shared --confine",
        "asm main.asm",
        "sym ../secret --to vice --confine",
    ] {
        let ran = tempo(&scratch, line);
        assert!(!ran.err.contains("--confine"), "{line}: {}", ran.err);
    }
    let ran = scratch.shell("cd repo && TEMPO_CONFINE=0 $TEMPO asm main.asm");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// A server that an editor talks to.
struct Served {
    child: std::process::Child,
    messages: std::sync::mpsc::Receiver<Value>,
}

impl Served {
    fn start(folder: &Path, line: &str, confine: Option<&str>) -> Served {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tempo"));
        command.args(line.split_whitespace()).current_dir(folder).env_remove("TEMPO_CONFINE");
        if let Some(value) = confine {
            command.env("TEMPO_CONFINE", value);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut out = child.stdout.take().expect("a pipe");
        let (send, messages) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut reader = tempo_framing::Reader::default();
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                reader.push(&buffer[..count]);
                while let Some(message) = reader.message().expect("messages") {
                    let _ = send.send(message);
                }
            }
        });
        Served { child, messages }
    }

    fn tell(&mut self, message: &Value) {
        self.child.stdin.as_mut().expect("a pipe").write_all(&frame(message)).expect("it reads");
    }

    /// Waits for a message; what is not it is kept in the list for a failure.
    fn expect(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut others = Vec::new();
        loop {
            match self.messages.recv_timeout(std::time::Duration::from_secs(PATIENCE)) {
                Ok(message) if is_it(&message) => return message,
                Ok(message) => others.push(message),
                Err(err) => panic!("no {what} ({err}) after {others:#?}"),
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a server is told to confine itself, and whether it must be.
const WAYS: [(&str, Option<&str>, bool); 5] = [
    (" --confine", None, true),
    ("", Some("1"), true),
    (" --confine", Some("0"), true),
    ("", Some("0"), false),
    ("", None, false),
];

/// A project with a neighbour that is none of its business.
fn neighbours() -> Scratch {
    let scratch = Scratch::new(&[
        ("secret", "SECRET"),
        ("shared/lib.asm", "Outside: rts\n"),
        ("repo/tempo.toml", "[build]\nlib-dirs = [\"../shared\"]\n"),
        ("repo/main.asm", "        .import binary \"../secret\"\n"),
        ("repo/uses.asm", "#import \"lib.asm\"\n        rts\n"),
        ("repo/linked.asm", "#import \"link.asm\"\n        rts\n"),
        ("repo/own.asm", "#import \"inner.asm\"\n"),
        ("repo/inner.asm", "        rts\n"),
        (
            "repo/s.6502",
            "suites { suite(\"s\") { assemble(\"main.asm\") test(\"t\", \"t\") { assert(1 == 1) } } }",
        ),
    ]);
    symlink("../secret", scratch.path("repo/link.asm")).expect("a link");
    scratch
}

/// The language server reads the folders that the editor has opened and nothing else, wherever it was started.
#[test]
fn a_confined_language_server_reads_nothing_outside() {
    let scratch = neighbours();
    let root = scratch.path("repo").canonicalize().expect("a folder");
    let uri = |name: &str| format!("file://{}/{name}", root.display());
    for (flag, variable, is_confined) in WAYS {
        // Started above the project: the working directory gives no right to read.
        let mut server = Served::start(scratch.0.path(), &format!("lsp{flag}"), variable);
        server.tell(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"capabilities": {}, "rootUri": format!("file://{}", root.display())}}));
        server.expect("answer", |message| message["id"] == 1);
        server.tell(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
        for (name, refused) in
            [("main.asm", "secret"), ("uses.asm", "lib.asm"), ("linked.asm", "link.asm"), ("own.asm", "")]
        {
            let text = scratch.text(&format!("repo/{name}"));
            server.tell(
                &json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": uri(name), "languageId": "kickassembler", "version": 1, "text": text}}}),
            );
            // The project must be read before the library folders are known.
            let is_about = |message: &Value| {
                message["method"] == "textDocument/publishDiagnostics"
                    && message["params"]["uri"] == uri(name)
            };
            let must_refuse = is_confined && !refused.is_empty();
            if must_refuse || name == "linked.asm" {
                let published = server.expect("diagnostics", is_about)["params"]["diagnostics"].to_string();
                assert_eq!(published.contains("--confine"), must_refuse, "{name}: {published}");
                assert!(!must_refuse || published.contains(refused), "{name}: {published}");
            }
        }
        // File names outside are not listed either.
        let text = "#import \"../\"\n";
        server.tell(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri("new.asm"), "languageId": "kickassembler", "version": 1, "text": text}}}));
        server.tell(&json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/completion", "params": {
            "textDocument": {"uri": uri("new.asm")}, "position": {"line": 0, "character": 12}}}));
        let offered = server.expect("answer", |message| message["id"] == 2).to_string();
        assert_eq!(offered.contains("shared"), !is_confined, "{offered}");
        server.tell(&json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}));
        server.expect("answer", |message| message["id"] == 3);
    }
}

/// The debugger reads the project around the folder that it was started in.
#[test]
fn a_confined_debugger_reads_nothing_outside() {
    let scratch = neighbours();
    scratch.write("repo/plain.prg", &[1, 8, 0x60]);
    let repo = scratch.path("repo").canonicalize().expect("a folder");
    let secret = scratch.path("secret");
    let launches = [
        (json!({"program": "main.asm"}), "secret"),
        (json!({"program": repo.join("main.asm")}), "secret"),
        (json!({"program": "uses.asm"}), "lib.asm"),
        (json!({"program": "linked.asm"}), "link.asm"),
        (json!({"suite": "s.6502"}), "secret"),
        (json!({"program": "plain.prg", "symbols": secret}), "secret"),
        (json!({"program": "../shared/lib.asm"}), "lib.asm"),
        (json!({"program": "uses.asm", "libDirs": ["../shared"]}), "lib.asm"),
    ];
    for (flag, variable, is_confined) in WAYS {
        for (launch, refused) in &launches {
            let mut server = Served::start(&repo, &format!("dap{flag}"), variable);
            server.tell(&json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}));
            server.tell(&json!({"seq": 2, "type": "request", "command": "launch", "arguments": launch}));
            let answer = server.expect("answer", |message| message["request_seq"] == 2);
            let said = answer.to_string();
            assert_eq!(said.contains("--confine"), is_confined, "{launch}: {said}");
            if is_confined {
                assert_eq!(answer["success"], false, "{launch}: {said}");
                assert!(said.contains(refused), "{launch}: {said}");
            }
        }
        let mut server = Served::start(&repo, &format!("dap{flag}"), variable);
        server.tell(&json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}));
        server.tell(
            &json!({"seq": 2, "type": "request", "command": "launch", "arguments": {"program": "own.asm"}}),
        );
        let answer = server.expect("answer", |message| message["request_seq"] == 2);
        assert_eq!(answer["success"], true, "{answer}");
    }
}
