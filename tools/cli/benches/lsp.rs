//! `cargo bench -p tempo --bench lsp`: what a person waits for while typing in the chess program, as 95th percentiles,
//! in the form of the table in docs/editors.md; then the memory of the server after many random edits, and whether it still
//! answers as one that was just started. `EDITS=10000` sets how many, `SEED=1` which. Beside the time by the clock is
//! that of the processor, which says the same on a busy machine.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempo_random::Random;

struct Client {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    /// By the clock and by the processor.
    times: BTreeMap<&'static str, Vec<(f64, f64)>>,
}

impl Client {
    fn start(root: &Path) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tempo"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("tempo starts");
        let input = server.stdin.take().expect("a pipe");
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if let Some(value) = line.strip_prefix("Content-Length: ") {
                        length = value.trim().parse().expect("a length");
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).expect("a body");
                if sender.send(serde_json::from_slice(&body).expect("JSON")).is_err() {
                    return;
                }
            }
        });
        let mut client = Client { server, input, messages, next: 0, times: BTreeMap::new() };
        let uri = format!("file://{}", root.display());
        let capabilities = json!({"textDocument": {"publishDiagnostics": {}}});
        client.ask("initialize", json!({"processId": null, "rootUri": uri, "capabilities": capabilities}));
        client.tell("initialized", json!({}));
        client
    }

    fn write(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        loop {
            self.next += 1;
            let id = self.next;
            self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = loop {
                let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("an answer");
                if message["id"] == json!(id) && message.get("method").is_none() {
                    break message;
                }
            };
            // As clients do when they are told to.
            if answer["error"]["data"] != json!({"retriggerRequest": true}) {
                return answer;
            }
        }
    }

    fn timed(&mut self, row: &'static str, method: &str, params: Value) -> Value {
        let start = self.now();
        let answer = self.ask(method, params);
        self.note(row, start);
        answer
    }

    /// The time, and the milliseconds that the server had a processor until now.
    fn now(&self) -> (Instant, f64) {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.server.id()));
        let nanoseconds = |task: std::fs::DirEntry| -> Option<f64> {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse().ok()
        };
        let used: f64 = tasks.into_iter().flatten().flatten().filter_map(nanoseconds).sum();
        (Instant::now(), used / 1e6)
    }

    fn note(&mut self, row: &'static str, start: (Instant, f64)) {
        let used = self.now().1 - start.1;
        self.times.entry(row).or_default().push((start.0.elapsed().as_secs_f64() * 1000.0, used));
    }

    /// Waits for problems of a file and notes the time since a moment.
    fn problems(&mut self, row: &'static str, uri: &str, start: (Instant, f64)) {
        loop {
            let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("problems");
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri {
                self.note(row, start);
                return;
            }
        }
    }

    fn resident_megabytes(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    }
}

fn percentile(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[(times.len() * 95 / 100).min(times.len() - 1)]
}

fn main() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../asm").canonicalize().expect("the chess program");
    let file = root.join("ai/search.asm");
    let text = std::fs::read_to_string(&file).expect("a source");
    let uri = format!("file://{}", file.display());
    let start = Instant::now();
    let mut client = Client::start(&root);
    let item = json!({"uri": uri, "languageId": "kickassembler", "version": 1, "text": text});
    client.tell("textDocument/didOpen", json!({"textDocument": item}));
    client.problems("start to first diagnostics", &uri, (start, 0.0));

    // Typing a line, letter by letter, in the middle of the file.
    let line = text.lines().count() / 2;
    let typed = "        jsr UnmakeMoveSynced // ä\n";
    let document = json!({"uri": uri});
    let mut version = 1;
    let mut edit = |client: &mut Client, line: usize, from: usize, to: usize, text: &str| {
        version += 1;
        let range =
            json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
        let params = json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": range, "text": text}]});
        client.tell("textDocument/didChange", params);
    };
    let at =
        |column: usize| json!({"textDocument": document, "position": {"line": line, "character": column}});
    let tokens = client.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    let mut id = tokens["result"]["resultId"].clone();
    for round in 0..8 {
        for (column, letter) in typed.trim_end_matches('\n').chars().enumerate() {
            edit(&mut client, line, column, column, &letter.to_string());
            client.timed(
                "`didChange` to tree and bindings",
                "textDocument/documentSymbol",
                json!({"textDocument": document}),
            );
            for method in ["completion", "hover", "definition", "documentHighlight", "signatureHelp"] {
                let method = format!("textDocument/{method}");
                client.timed("completion, hover, definition, highlight, signature", &method, at(column + 1));
            }
            client.timed(
                "symbols, folding, tokens (delta)",
                "textDocument/foldingRange",
                json!({"textDocument": document}),
            );
            let params = json!({"textDocument": document, "previousResultId": id});
            let method = "textDocument/semanticTokens/full/delta";
            let delta = client.timed("symbols, folding, tokens (delta)", method, params);
            id = delta["result"]["resultId"].clone();
        }
        // An error in the line, then none: the list changes both times.
        let length = typed.trim_end_matches('\n').chars().count();
        let start = client.now();
        edit(&mut client, line, 0, length, &format!("        lda unknown{round}"));
        client.problems("last key to diagnostics, of which 60 are waiting", &uri, start);
        let start = client.now();
        let wrong = format!("        lda unknown{round}").len();
        edit(&mut client, line, 0, wrong, "");
        client.problems("last key to diagnostics, of which 60 are waiting", &uri, start);
    }
    let place = text.lines().position(|line| line.trim_start().starts_with("jsr ")).unwrap_or(0);
    let column = text.lines().nth(place).and_then(|line| line.find("jsr ")).unwrap_or(0) + 6;
    let name = json!({"textDocument": document, "position": {"line": place, "character": column}});
    for round in 0..10 {
        let mut references = name.clone();
        references["context"] = json!({"includeDeclaration": true});
        client.timed("references, rename", "textDocument/references", references);
        let mut rename = name.clone();
        rename["newName"] = json!(format!("fresh{round}"));
        client.timed("references, rename", "textDocument/rename", rename);
    }

    let table = [
        ("`didChange` to tree and bindings", 10.0),
        ("completion, hover, definition, highlight, signature", 20.0),
        ("symbols, folding, tokens (delta)", 20.0),
        ("references, rename", 150.0),
        ("last key to diagnostics, of which 60 are waiting", 250.0),
        ("start to first diagnostics", 400.0),
    ];
    let mut is_slow = false;
    println!("| | wanted, ms | clock, ms | processor, ms |\n|---|---|---|---|");
    for (row, wanted) in table {
        let times = client.times.get(row).expect("it was measured");
        let (time, used) =
            (percentile(times.iter().map(|time| time.0)), percentile(times.iter().map(|time| time.1)));
        is_slow |= time > wanted;
        let digits = usize::from(time < 20.0);
        println!("| {row} | {wanted:.0} | {time:.digits$} | {used:.digits$} |");
    }
    println!("\n{}", load());

    let mut random = Random::new(number("SEED", 1));
    let most = edit_randomly(&mut client, &uri, &text, &mut version, &mut random);
    let differences = compare_with_new(client, &root, &uri, &text, version + 1, &mut random);
    if (is_slow || most > 150.0 || differences > 0) && std::env::var_os("CI").is_some() {
        std::process::exit(1);
    }
}

/// Edits the text and tells the memory of the server in between. The most that it had, in MB.
fn edit_randomly(client: &mut Client, uri: &str, text: &str, version: &mut i32, random: &mut Random) -> f64 {
    let edits = number("EDITS", 10_000) as usize;
    let document = json!({"uri": uri});
    let mut sizes = Vec::new();
    for step in 0..edits {
        *version += 1;
        // Now and then everything is undone, so that what is edited stays a program.
        if step % 200 == 199 {
            let changed = json!({"uri": uri, "version": *version});
            let params = json!({"textDocument": changed, "contentChanges": [{"text": text}]});
            client.tell("textDocument/didChange", params);
        } else {
            let (line, column) = (random.index(text.lines().count()), random.index(40));
            let place = |column: usize| json!({"line": line, "character": column});
            let range = json!({"start": place(column), "end": place(column + random.index(6))});
            let changed = json!({"uri": uri, "version": *version});
            let change = json!([{"range": range, "text": WORDS[random.index(WORDS.len())]}]);
            client.tell("textDocument/didChange", json!({"textDocument": changed, "contentChanges": change}));
        }
        if step % 50 == 0 {
            let place = json!({"line": random.index(400), "character": 10});
            client.ask("textDocument/hover", json!({"textDocument": document, "position": place}));
        }
        if (step + 1) % (edits / 5).max(1) == 0 {
            client.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
            client.ask("textDocument/diagnostic", json!({"textDocument": document}));
            sizes.push(client.resident_megabytes().unwrap_or(0.0));
        }
    }
    let shown: Vec<String> = sizes.iter().map(|size| format!("{size:.0}")).collect();
    println!("memory after each fifth of {edits} random edits, MB (150 wanted): {}", shown.join(" "));
    sizes.iter().copied().fold(0.0, f64::max)
}

/// Asks the server that has seen all edits, and a new one, about the same text. How many answers differ.
fn compare_with_new(
    mut client: Client,
    root: &Path,
    uri: &str,
    text: &str,
    version: i32,
    random: &mut Random,
) -> usize {
    let document = json!({"uri": uri});
    let last = text.replacen("jsr ", "jsr  ", 1);
    let changed = json!({"uri": uri, "version": version});
    client
        .tell("textDocument/didChange", json!({"textDocument": changed, "contentChanges": [{"text": last}]}));
    let mut fresh = Client::start(root);
    let item = json!({"uri": uri, "languageId": "kickassembler", "version": version, "text": last});
    fresh.tell("textDocument/didOpen", json!({"textDocument": item}));
    fresh.problems("start to first diagnostics", uri, (Instant::now(), 0.0));
    let (mut count, mut differences) = (0, 0);
    let mut compare = |client: &mut Client, method: &str, params: Value| {
        let method = format!("textDocument/{method}");
        let mut answers = [client.ask(&method, params.clone()), fresh.ask(&method, params)];
        for answer in &mut answers {
            answer["id"] = Value::Null;
            // Each server counts its answers for itself.
            if let Some(result) = answer["result"].as_object_mut() {
                result.remove("resultId");
            }
        }
        count += 1;
        if answers[0] != answers[1] {
            differences += 1;
            println!("{method}: {} but a new server says {}", answers[0], answers[1]);
        }
    };
    for method in
        ["diagnostic", "documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink"]
    {
        compare(&mut client, method, json!({"textDocument": document}));
    }
    for _ in 0..100 {
        let line = random.index(text.lines().count());
        let place = json!({"line": line, "character": random.index(30)});
        let mut params = json!({"textDocument": document, "position": place});
        params["context"] = json!({"includeDeclaration": true});
        for method in ["hover", "definition", "documentHighlight", "references"] {
            compare(&mut client, method, params.clone());
        }
    }
    println!("{differences} of {count} answers differ from those of a new server");
    for mut client in [client, fresh] {
        client.ask("shutdown", Value::Null);
        client.tell("exit", Value::Null);
        let _ = client.server.wait();
    }
    differences
}

/// The characters that random edits write.
const WORDS: [&str; 14] = [
    "",
    "",
    "lda #1\n",
    " }",
    "{ ",
    "\n",
    "loop: ",
    ".byte 1,",
    "!",
    "$d020",
    "\"",
    "/*",
    "jsr MakeMove\n",
    "ä€😀",
];

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// How busy the machine is.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    format!("{cores} cores, load {}", load.split(' ').next().unwrap_or("unknown"))
}
