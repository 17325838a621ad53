//! `tempo mcp` as a client meets it: both eras of the protocol, broken messages, paths that lead out, and programs with a
//! planted bug that are repaired with the tools alone.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::common::{PATIENCE, Scratch, feed, tempo};

/// A client of a server in a folder.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    count: u64,
}

impl Client {
    fn new(folder: &Path, options: &[&str]) -> Client {
        let words = [&["mcp"], options].concat();
        let mut child = tempo(&words).current_dir(folder).spawn().expect("the server starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Client { child, input, output, count: 0 }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line:?}"))
    }

    /// The answer to a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.count, "method": method, "params": params }).to_string(),
        );
        loop {
            let answer = self.receive();
            if answer["id"] == json!(self.count) {
                return answer;
            }
        }
    }

    /// The result of a tool.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        answer.get("result").cloned().unwrap_or_else(|| panic!("{tool}: {answer}"))
    }

    /// Closes the input: the exit code.
    fn leave(mut self) -> Option<i32> {
        drop(self.input.take());
        let end = Instant::now() + Duration::from_secs(PATIENCE);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().expect("it can be ended");
        panic!("the server does not end");
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

fn is_error(result: &Value) -> bool {
    result["isError"] == json!(true)
}

const MODERN: &str = "2026-07-28";

fn meta() -> Value {
    json!({ "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {} })
}

const SUM: &str = "*=$1000\n// Sum - A = A + X\nSum: {\n stx $02\n clc\n adc $02\n rts\n}\n";
const SUITE: &str = "suites {\n suite(\"sum\") {\n  assemble(\"main.asm\")\n  test(\"adds\", \"three and four\") {\n   a = 3\n   x = 4\n   jsr([Sum])\n   assert(a == 7)\n  }\n }\n}\n";

#[test]
fn both_eras_are_served_on_one_connection() {
    let scratch = Scratch::new(&[("main.asm", SUM), ("main.6502", SUITE)]);
    let mut client = Client::new(scratch.0.path(), &[]);
    for (asked, given) in
        [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")]
    {
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let answer = client.ask("initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], json!(given));
        assert_eq!(answer["result"]["serverInfo"]["name"], json!("tempo"));
    }
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(client.ask("ping", json!({ "_meta": meta() }))["error"]["code"], json!(-32601));
    let found = client.ask("server/discover", json!({ "_meta": meta() }));
    assert_eq!(found["result"]["supportedVersions"][0], json!(MODERN));
    assert!(found.to_string().len() <= 1536, "{}", found.to_string().len());
    let list = client.ask("tools/list", json!({ "_meta": meta() }));
    assert_eq!(list["result"]["resultType"], json!("complete"));
    assert!(list["result"]["ttlMs"].is_u64() && list["result"]["cacheScope"].is_string());
    assert!(list.to_string().len() <= 12 << 10, "{}", list.to_string().len());
    let old = client.ask("tools/list", json!({}));
    assert_eq!(old["result"]["tools"], list["result"]["tools"]);
    assert_eq!(old["result"].get("resultType"), None);
    let build = client.ask("tools/call", json!({ "name": "build", "arguments": {}, "_meta": meta() }));
    assert_eq!(build["result"]["structuredContent"]["ok"], json!(true), "{build}");
    assert!(scratch.path("build/main.prg").exists());
    let missing = client.ask("resources/read", json!({ "uri": "tempo://nothing" }));
    assert_eq!(missing["error"]["code"], json!(-32002));
    let missing = client.ask("resources/read", json!({ "uri": "tempo://nothing", "_meta": meta() }));
    assert_eq!(missing["error"]["code"], json!(-32602));
    let unknown = client.ask("tools/call", json!({ "name": "shell", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], json!(-32602));
    for uri in ["tempo://book/testing", "tempo://project", "tempo://opcodes/lda", "tempo://c64/d011"] {
        let answer = client.ask("resources/read", json!({ "uri": uri }));
        assert!(answer["result"]["contents"][0]["text"].is_string(), "{answer}");
    }
    let prompt = client.ask("prompts/get", json!({ "name": "fix-test", "arguments": { "test": "adds" } }));
    assert!(
        prompt["result"]["messages"][0]["content"]["text"].as_str().is_some_and(|it| it.contains("adds"))
    );
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn broken_lines_end_nothing() {
    let scratch = Scratch::new(&[("main.asm", SUM)]);
    let mut client = Client::new(scratch.0.path(), &[]);
    let mut random = tempo_random::Random::new(tempo_testing::seed());
    let whole = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "help", "arguments": { "query": "x" } } }).to_string();
    let words: Vec<&[u8]> = vec![b"\"id\":", b"null", b"{", b"tools/list", b"params", b"[", b"\"\\ud800\""];
    for _ in 0..400 {
        let mut line = tempo_testing::damage(&mut random, whole.as_bytes(), &words);
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        client.input.as_mut().expect("open").write_all(&line).expect("the server reads");
    }
    client.send(&"x".repeat((1 << 20) + 10));
    client.send(r#"{"jsonrpc":"2.0","id":"last","method":"tools/list"}"#);
    // Every line of the output is a message; the last request is answered.
    let mut too_long = false;
    loop {
        let answer = client.receive();
        assert_eq!(answer["jsonrpc"], json!("2.0"));
        too_long |= answer.to_string().contains("at most 1048576 bytes");
        if answer["id"] == json!("last") {
            break;
        }
    }
    assert!(too_long);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_is_asked_at_the_end_is_answered() {
    let scratch = Scratch::new(&[("main.asm", SUM), ("main.6502", SUITE)]);
    let lines: String =
        [("1", "test", json!({})), ("2", "build", json!({})), ("3", "explain", json!({ "code": "E0301" }))]
            .iter()
            .map(|(id, name, arguments)| {
                let params = json!({ "name": name, "arguments": arguments });
                format!(
                    "{}\n",
                    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
                )
            })
            .collect();
    let output = feed(tempo(&["mcp"]).current_dir(scratch.0.path()), lines);
    assert_eq!(output.status.code(), Some(0));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    let mut ids: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a message")["id"].clone())
        .collect();
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [json!("1"), json!("2"), json!("3")]);
}

#[test]
fn a_call_that_is_taken_back_is_not_answered() {
    let loop_for_ever = "BasicUpstart2(start)\n*=$1000\nstart: inc $d020\n jmp start\n";
    let scratch = Scratch::new(&[("main.asm", loop_for_ever)]);
    let mut client = Client::new(scratch.0.path(), &[]);
    let params = json!({ "name": "run", "arguments": { "frames": 3000 } });
    client.send(
        &json!({ "jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params }).to_string(),
    );
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long"}}"#);
    let answer = client.call("explain", json!({ "code": "W0101" }));
    assert!(!is_error(&answer));
    drop(client.input.take());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut client.output, &mut rest).expect("the end");
    assert_eq!(rest, "");
    assert_eq!(client.child.wait().expect("a status").code(), Some(0));
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    let outside = Scratch::new(&[
        ("secret.asm", ".print \"SECRET\"\n"),
        ("secret.6502", "SECRET"),
        ("x.prg", "SECRET"),
    ]);
    let scratch = Scratch::new(&[
        ("p/main.asm", SUM),
        ("p/bad.asm", ".import source \"../secret.asm\"\n"),
        ("secret.asm", ".print \"SECRET\"\n"),
    ]);
    let root = scratch.path("p");
    let secret = outside.path("secret.asm").to_string_lossy().into_owned();
    let mut paths: Vec<String> = vec![
        secret,
        "../secret.asm".into(),
        "./../secret.asm".into(),
        "a/../../secret.asm".into(),
        "..\\secret.asm".into(),
        "/etc/passwd".into(),
        "//etc/passwd".into(),
        "/proc/self/environ".into(),
        "~/secret.asm".into(),
        "c:/secret.asm".into(),
        "bad.asm".into(),
        "main.asm\0".into(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path("secret.asm"), root.join("link.asm")).expect("a link");
        std::os::unix::fs::symlink(outside.0.path(), root.join("folder")).expect("a link");
        paths.extend(
            ["link.asm", "folder/secret.asm", "folder/secret.6502", "folder/x.prg"].map(String::from),
        );
    }
    let mut client = Client::new(&root, &[]);
    for path in paths {
        let calls = [
            ("build", json!({ "file": path })),
            ("test", json!({ "path": path })),
            ("run", json!({ "file": path })),
            ("symbols", json!({ "file": path })),
            ("disassemble", json!({ "file": path })),
            ("debug_open", json!({ "target": path })),
            ("cycles", json!({ "file": path, "routine": "a" })),
            ("prove", json!({ "routines": [format!("{path}:a")], "claim": "ends" })),
        ];
        for (tool, arguments) in calls {
            let result = client.call(tool, arguments);
            let failed = is_error(&result) || result["structuredContent"]["ok"] == json!(false);
            assert!(failed, "{tool} {path}: {result}");
            assert!(!result.to_string().contains("SECRET"), "{tool} {path}: {result}");
            let real = outside.0.path().to_string_lossy().into_owned();
            assert!(path.contains(&real) || !result.to_string().contains(&real), "{tool} {path}: {result}");
        }
    }
    let list = client.call("test", json!({ "path": "folder" }));
    assert!(is_error(&list), "{list}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_server_that_only_reads_writes_nothing() {
    let scratch = Scratch::new(&[("main.asm", SUM)]);
    let mut client = Client::new(scratch.0.path(), &["--read-only"]);
    let built = client.call("build", json!({}));
    assert_eq!(built["structuredContent"]["ok"], json!(true));
    assert_eq!(built["structuredContent"]["written"], json!(false));
    assert!(!scratch.path("build").exists());
}

#[test]
fn the_same_calls_have_the_same_answers() {
    let c64 = "BasicUpstart2(start)\n*=$1000\nstart: inc $0400\n jmp start\n";
    let failing = SUITE.replace("== 7", "== 8");
    let scratch = Scratch::new(&[("main.asm", SUM), ("main.6502", &failing), ("c64.asm", c64)]);
    let calls = [
        ("build", json!({})),
        ("test", json!({})),
        ("debug_open", json!({ "target": "main.6502" })),
        ("debug_why", json!({ "session": "s1", "what": "a" })),
        ("debug_go", json!({ "session": "s1", "how": "reverse", "place": "Sum" })),
        ("debug_go", json!({ "session": "s1", "how": "line" })),
        (
            "debug_look",
            json!({ "session": "s1", "memory": "$02, 4", "expressions": ["a", "x + 1", "nothing"] }),
        ),
        ("disassemble", json!({ "session": "s1" })),
        ("symbols", json!({ "query": "su" })),
        ("cycles", json!({ "routine": "Sum", "inputs": ["a=0..9"] })),
        (
            "prove",
            json!({ "routines": ["main.asm:Sum"], "inputs": ["n = A", "m = X"], "claim": "A == (n + m) % 256" }),
        ),
        ("run", json!({ "system": "cpu" })),
        ("run", json!({ "file": "c64.asm", "screen": "image", "keys": "A", "frames": 9 })),
        ("help", json!({ "query": "forall" })),
        ("debug_open", json!({ "target": "main.asm", "stop": "a == 0" })),
    ];
    let all = || {
        let mut client = Client::new(scratch.0.path(), &[]);
        let answers: Vec<Value> =
            calls.iter().map(|(tool, arguments)| client.call(tool, arguments.clone())).collect();
        assert_eq!(client.leave(), Some(0));
        answers
    };
    let first = all();
    for ((tool, arguments), answer) in calls.iter().zip(&first) {
        assert!(!is_error(answer), "{tool} {arguments}: {}", text(answer));
        assert!(answer["structuredContent"].is_object());
    }
    assert!(first == all(), "two servers say different things");
    assert!(text(&first[3]).contains("adc $02 at main.asm:6"), "{}", text(&first[3]));
    assert_eq!(first[4]["structuredContent"]["state"]["line"], json!(4));
    assert_eq!(first[10]["structuredContent"]["verdict"], json!("proved"));
    assert_eq!(first[12]["content"][1]["mimeType"], json!("image/png"));
}

#[test]
fn four_machines_are_kept_and_changed_sources_are_noticed() {
    let scratch = Scratch::new(&[("main.asm", SUM)]);
    let mut client = Client::new(scratch.0.path(), &[]);
    for number in 1..=5 {
        let opened = client.call("debug_open", json!({ "target": "main.asm" }));
        assert_eq!(opened["structuredContent"]["session"], json!(format!("s{number}")));
    }
    let gone = client.call("debug_look", json!({ "session": "s1" }));
    assert!(is_error(&gone) && text(&gone).contains("debug_open"), "{gone}");
    scratch.write("main.asm", SUM.replace("clc", "sec").as_bytes());
    let moved = client.call("debug_go", json!({ "session": "s2", "how": "step" }));
    assert_eq!(moved["structuredContent"]["sourcesChanged"], json!(["main.asm"]));
}

#[test]
fn init_tells_agents_how() {
    let scratch = Scratch::new(&[("tempo.toml", "")]);
    let ran = scratch.tempo("init --agents");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(scratch.path("AGENTS.md")).expect("it is written");
    let list: Vec<&str> = tempo_mcp_tools();
    for tool in ["build", "test", "debug_open", "debug_why"] {
        assert!(list.contains(&tool) && text.contains(&format!("`{tool}`")), "{tool}");
    }
    assert_eq!(scratch.tempo("init --agents").code, Some(2));
}

/// The names of all tools.
fn tempo_mcp_tools() -> Vec<&'static str> {
    vec![
        "build",
        "explain",
        "test",
        "run",
        "cycles",
        "prove",
        "disassemble",
        "symbols",
        "debug_open",
        "debug_go",
        "debug_look",
        "debug_why",
        "help",
    ]
}

#[test]
fn the_list_of_tools_is_known() {
    let scratch = Scratch::new(&[]);
    let mut client = Client::new(scratch.0.path(), &[]);
    let list = client.ask("tools/list", json!({}));
    let names: Vec<&str> = list["result"]["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, tempo_mcp_tools());
    let docs = tempo_testing::text(&tempo_testing::root().join("docs/hub.md"));
    for name in names {
        assert!(docs.contains(&format!("| `{name}` |")), "docs/hub.md lacks `{name}`");
    }
}

// --- planted bugs -------------------------------------------------------------------------------------------

/// Source lines that the tools suspect for the first failure of a program: those of the chain of every place that the
/// failed statement names, and of A, nearest first.
fn suspects(client: &mut Client) -> Vec<usize> {
    let tested = client.call("test", json!({ "path": "main.6502" }));
    let failure = tested["structuredContent"]["failures"][0].clone();
    let statement = failure["statement"].as_str().expect("a statement").to_owned();
    let target = json!({ "target": "main.6502", "test": failure["id"] });
    let opened = client.call("debug_open", target);
    let session = opened["structuredContent"]["session"].clone();
    let mut lines: Vec<usize> = Vec::new();
    for what in places(&statement) {
        let why = client.call("debug_why", json!({ "session": session, "what": what }));
        let chain = why["structuredContent"]["chain"].as_array().cloned().unwrap_or_default();
        assert!(chain.len() <= 10, "{why}");
        for link in chain {
            let line = link["line"].as_u64().filter(|_| link["file"] == json!("main.asm"));
            if let Some(line) = line.map(|line| line as usize)
                && !lines.contains(&line)
            {
                lines.push(line);
            }
        }
    }
    lines
}

/// The places that a statement such as `assert(peekbyte([Score] + 2) == top)` looks at.
fn places(statement: &str) -> Vec<String> {
    let inner = statement.trim_start_matches("assert(");
    let left = inner.split("==").next().unwrap_or(inner).trim();
    if matches!(left, "a" | "x" | "y") || left.starts_with("a ") {
        return vec![left[..1].to_owned()];
    }
    // All labels in brackets, with the offset after them.
    let mut places = Vec::new();
    for part in left.split('[').skip(1) {
        let Some((label, rest)) = part.split_once(']') else { continue };
        let rest = rest.trim_start();
        let offset: String = match rest.strip_prefix('+') {
            Some(rest) => rest.trim().chars().take_while(char::is_ascii_digit).collect(),
            None => String::new(),
        };
        let offset = if offset.is_empty() { offset } else { format!("+{offset}") };
        places.push(format!("{label}{offset}"));
        places.push(format!("{label}+1"));
    }
    if places.is_empty() {
        // An address that is not named: what was written last, by all registers.
        places.extend(["a", "x", "y"].map(String::from));
    }
    places
}

/// A line with each of the usual slips undone.
fn changes(line: &str, source: &str) -> Vec<String> {
    const GROUPS: &[&[&str]] = &[
        &["bne", "beq", "bcc", "bcs", "bpl", "bmi", "bvc", "bvs"],
        &["clc", "sec"],
        &["cld", "sed"],
        &["inx", "dex", "iny", "dey"],
        &["tax", "tay"],
        &["lda", "ldx", "ldy"],
        &["inc", "dec"],
    ];
    let code = line.split("//").next().unwrap_or(line).trim_end();
    let mut all = Vec::new();
    for word in code.split_whitespace() {
        for group in GROUPS.iter().filter(|group| group.contains(&word)) {
            all.extend(
                group.iter().filter(|other| **other != word).map(|other| code.replacen(word, other, 1)),
            );
        }
    }
    match code.contains(" #") {
        true => all.extend([code.replacen(" #", " ", 1), code.replacen(" #", " #$", 1)]),
        false => {
            if let Some(at) = code
                .rfind("  ")
                .and_then(|margin| code[margin..].trim_start().find(' ').map(|at| (margin, at)))
            {
                let start = code.len() - code[at.0..].trim_start().len() + at.1 + 1;
                all.push(format!("{}#{}", &code[..start], &code[start..]));
            }
        }
    }
    all.push(format!("{code} + 1"));
    all.push(code.replacen("+ 1", "+ 2", 1));
    // Another number of the program in the place of one here.
    let numbers = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '$')
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '$'))
            .map(str::to_owned)
            .collect()
    };
    for number in numbers(code) {
        all.extend(
            numbers(source)
                .into_iter()
                .filter(|other| *other != number)
                .map(|other| code.replacen(&number, &other, 1)),
        );
    }
    all.push(String::new());
    all.retain(|changed| changed != code);
    all
}

/// Tries changes of suspected lines until all tests pass: how many calls of `test` it took.
fn repair(client: &mut Client, scratch: &Scratch, source: &str, suspects: &[usize]) -> Option<usize> {
    let lines: Vec<&str> = source.lines().collect();
    let mut tries = 0;
    for &number in suspects {
        for changed in changes(lines[number - 1], source) {
            let mut all = lines.clone();
            all[number - 1] = &changed;
            tries += 1;
            if passes(client, scratch, &all) {
                return Some(tries);
            }
        }
    }
    // Two lines in the wrong order.
    for (at, &one) in suspects.iter().enumerate() {
        for &other in &suspects[at + 1..] {
            let mut all = lines.clone();
            all.swap(one - 1, other - 1);
            if passes(client, scratch, &all) {
                return Some(tries);
            }
        }
    }
    None
}

/// Whether the tests pass with these lines.
fn passes(client: &mut Client, scratch: &Scratch, lines: &[&str]) -> bool {
    scratch.write("main.asm", format!("{}\n", lines.join("\n")).as_bytes());
    let tested = client.call("test", json!({ "path": "main.6502", "limit": 1 }));
    !is_error(&tested) && tested["structuredContent"]["failed"] == json!(0)
}

/// Every planted bug is named by the statement that fails, the chains have the faulty line in most, and a script that
/// changes one suspected line after the other repairs them.
#[test]
fn planted_bugs_are_found_with_the_tools_alone() {
    let folder = tempo_testing::fixtures().join("mcp/tasks");
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .expect("the tasks")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{} tasks", names.len());
    let (mut in_chain, mut repaired, mut told) = (0, 0, String::new());
    for name in &names {
        let task = folder.join(name);
        let source = tempo_testing::text(&task.join("main.asm"));
        let suite = tempo_testing::text(&task.join("main.6502"));
        let about: Value = serde_json::from_str(&tempo_testing::text(&task.join("task.json"))).expect("JSON");
        let bad = about["replace"].as_str().expect("a text");
        assert!(source.contains(bad), "{name:?}");
        let scratch = Scratch::new(&[("main.asm", &source), ("main.6502", &suite)]);
        let mut client = Client::new(scratch.0.path(), &[]);
        let suspects = suspects(&mut client);
        let first = source[..source.find(bad).expect("it is there")].lines().count() + 1;
        let faulty: Vec<usize> = (first..first + bad.lines().count()).collect();
        let has_line = suspects.iter().any(|line| faulty.contains(line));
        in_chain += usize::from(has_line);
        let tries = repair(&mut client, &scratch, &source, &suspects);
        repaired += usize::from(tries.is_some());
        told += &format!("{name:?}: {has_line}, {tries:?}, suspects {suspects:?} of {faulty:?}\n");
        assert_eq!(tempo_testing::text(&scratch.path("main.6502")), suite);
    }
    println!("{told}");
    assert!(in_chain >= 9, "the chain has the line in {in_chain} of {}\n{told}", names.len());
    assert!(repaired >= 9, "{repaired} of {} are repaired\n{told}", names.len());
}
