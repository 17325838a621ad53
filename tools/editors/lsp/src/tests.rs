//! The server over a connection in memory: what a client sends, and what it gets.

// The files of a test are on the disk.
#![allow(clippy::disallowed_methods)]

mod clients;
mod sessions;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::{End, Entry, Host, Kind, Stamp, serve};

/// The disk of this computer.
#[derive(Debug)]
pub struct Disk;

impl Host for Disk {
    fn read(&self, path: &Path, _: u64) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        let found = std::fs::metadata(path)?;
        Ok(Stamp { modified: found.modified().ok(), len: found.len() })
    }

    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<Entry>> {
        let kind = |found: std::fs::FileType| match found.is_dir() {
            true => Some(Kind::Folder),
            false => found.is_file().then_some(Kind::File),
        };
        let entry = |entry: std::fs::DirEntry| Entry {
            path: entry.path(),
            kind: entry.file_type().ok().and_then(kind),
        };
        Ok(std::fs::read_dir(folder)?.flatten().take(most).map(entry).collect())
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        let found = path.metadata().ok()?;
        Some(if found.is_dir() { Kind::Folder } else { Kind::File })
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn has_ended(&self, _: u32) -> bool {
        true
    }
}

/// Longer than anything takes on a busy machine; a test fails by it, never passes by it.
const PATIENCE: Duration = Duration::from_secs(300);

struct Client {
    connection: Connection,
    server: Option<std::thread::JoinHandle<End>>,
    next: i32,
    folder: tempfile::TempDir,
    problems: HashMap<String, Vec<Value>>,
    /// The messages shown to the user.
    shown: Vec<String>,
    /// The kinds of progress that was told.
    progress: Vec<String>,
    /// The trace, with its details.
    traced: Vec<String>,
    /// The notifications that the server asked for.
    registered: Vec<String>,
    /// The edits that the server asked for.
    applied: Vec<Value>,
    /// The settings that the server is told when it asks.
    configuration: Value,
    version: i32,
}

impl Client {
    fn start(files: &[(&str, &str)], capabilities: Value, options: Value) -> Client {
        Client::start_in(&[], files, capabilities, options)
    }

    /// With some folders in the workspace, instead of the one around all files.
    fn start_in(folders: &[&str], files: &[(&str, &str)], capabilities: Value, options: Value) -> Client {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let (server, connection) = Connection::memory();
        let thread = std::thread::spawn(move || serve(&server, Arc::new(Disk)));
        let mut client = Client {
            connection,
            server: Some(thread),
            next: 0,
            folder,
            problems: HashMap::new(),
            shown: Vec::new(),
            progress: Vec::new(),
            traced: Vec::new(),
            registered: Vec::new(),
            applied: Vec::new(),
            configuration: Value::Null,
            version: 1,
        };
        let root = client.uri("");
        let mut params = json!({
            "processId": null, "rootUri": root, "capabilities": capabilities, "initializationOptions": options,
        });
        if !folders.is_empty() {
            let folders = folders.iter().map(|name| json!({"uri": client.uri(name), "name": name}));
            params["workspaceFolders"] = folders.collect();
        }
        let answer = client.ask("initialize", params);
        assert_eq!(answer["serverInfo"]["name"], "tempo");
        client.tell("initialized", json!({}));
        client
    }

    fn plain(files: &[(&str, &str)]) -> Client {
        Client::start(files, json!({}), json!({"diagnostics": {"delayMs": 0}}))
    }

    fn uri(&self, name: &str) -> String {
        let path = self.folder.path().canonicalize().unwrap();
        let path = if name.is_empty() { path } else { path.join(name) };
        super::uri::from_path(&path).unwrap().as_str().to_owned()
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection.sender.send(Request::new(id.clone(), method.to_owned(), params).into()).unwrap();
        id
    }

    /// The next answer to a request; keeps the problems that come before it.
    fn answer(&mut self, id: &RequestId) -> Response {
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) if response.id == *id => return response,
                other => self.keep(other),
            }
        }
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                let registrations = request.params["registrations"].as_array().into_iter().flatten();
                self.registered
                    .extend(registrations.filter_map(|one| one["method"].as_str()).map(str::to_owned));
                if request.method == "workspace/applyEdit" {
                    self.applied.push(request.params["edit"].clone());
                }
                let is_configuration = request.method == "workspace/configuration";
                let answer = if is_configuration { json!([self.configuration]) } else { Value::Null };
                self.connection.sender.send(Response::new_ok(request.id, answer).into()).unwrap();
            }
            Message::Notification(message) if message.method == "textDocument/publishDiagnostics" => {
                let uri = message.params["uri"].as_str().unwrap().to_owned();
                self.problems.insert(uri, message.params["diagnostics"].as_array().unwrap().clone());
            }
            Message::Notification(message) if message.method == "$/progress" => {
                self.progress.push(message.params["value"]["kind"].as_str().unwrap().to_owned());
            }
            Message::Notification(message) if message.method == "$/logTrace" => {
                self.traced.push(message.params.to_string());
            }
            Message::Notification(message) if message.method == "window/showMessage" => {
                self.shown.push(message.params["message"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        loop {
            let id = self.send(method, params.clone());
            match self.answer(&id).response_result {
                Ok(answer) => return answer,
                // As clients do when they are told to.
                Err(error) if error.data == Some(json!({"retriggerRequest": true})) => {}
                Err(error) => panic!("{method}: {error:?}"),
            }
        }
    }

    fn refused(&mut self, method: &str, params: Value) -> (i32, String) {
        let id = self.send(method, params);
        let error = self.answer(&id).response_result.expect_err("an error");
        (error.code, error.message)
    }

    fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        let item = json!({"uri": uri, "languageId": "kickassembler", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": item}));
    }

    fn change(&mut self, name: &str, changes: Value) {
        self.version += 1;
        let document = json!({"uri": self.uri(name), "version": self.version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}})
    }

    /// Waits until the problems of a file are as wanted.
    fn wait(&mut self, name: &str, is_done: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let uri = self.uri(name);
        self.wait_for(&uri, is_done)
    }

    fn wait_for(&mut self, uri: &str, is_done: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        loop {
            if let Some(list) = self.problems.get(uri)
                && is_done(list)
            {
                return list.clone();
            }
            let message = self.connection.receiver.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|_| panic!("{uri}: {:?}", self.problems.get(uri)));
            self.keep(message);
        }
    }

    fn stop(mut self) -> End {
        let id = self.send("shutdown", Value::Null);
        assert_eq!(self.answer(&id).response_result.unwrap(), Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }
}

fn codes(list: &[Value]) -> Vec<&str> {
    list.iter().filter_map(|problem| problem["code"].as_str()).collect()
}

#[test]
fn a_session_begins_and_ends() {
    let mut client = Client::plain(&[]);
    assert_eq!(client.refused("tempo/nonsense", json!({})).0, -32601);
    assert_eq!(client.refused("textDocument/hover", json!({"position": 3})).0, -32602);
    client.tell("tempo/nonsense", json!({}));
    assert_eq!(client.stop(), End::Proper);
}

#[test]
fn what_is_on_its_way_after_shutdown_does_no_harm() {
    let mut client = Client::plain(&[]);
    let id = client.send("shutdown", Value::Null);
    client.connection.sender.send(Response::new_ok(RequestId::from(7), Value::Null).into()).unwrap();
    assert_eq!(client.answer(&id).response_result.unwrap(), Value::Null);
    assert_eq!(client.refused("textDocument/hover", json!({})).0, -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.server.take().unwrap().join().unwrap(), End::Proper);
}

#[test]
fn files_that_change_meanwhile_do_not_spoil_an_answer() {
    let main = "#import \"lib.asm\"\n*=$1000\nstart: jsr sub\n jmp start\n";
    let mut client = Client::plain(&[("main.asm", main), ("lib.asm", "sub: rts\n")]);
    client.open("main.asm", main);
    let (uri, library) = (client.uri("main.asm"), client.uri("lib.asm"));
    for _ in 0..40 {
        let place = json!({"line": 2, "character": 1});
        let id = client.send(
            "textDocument/rename",
            json!({"textDocument": {"uri": uri}, "position": place, "newName": "again"}),
        );
        let change = json!({"changes": [{"uri": library, "type": 2}]});
        client.tell("workspace/didChangeWatchedFiles", change);
        client.answer(&id).response_result.expect("a rename");
    }
    assert_eq!(client.stop(), End::Proper);
}

#[test]
fn requests_before_initialize_are_refused_and_exit_without_shutdown_fails() {
    let (server, client) = Connection::memory();
    let thread = std::thread::spawn(move || serve(&server, Arc::new(Disk)));
    let request = Request::new(RequestId::from(1), "textDocument/hover".to_owned(), json!({}));
    client.sender.send(request.into()).unwrap();
    let Message::Response(response) = client.receiver.recv_timeout(PATIENCE).unwrap() else {
        panic!("no answer")
    };
    assert_eq!(response.response_result.unwrap_err().code, -32002);
    let start = json!({"processId": null, "rootUri": null, "capabilities": {}});
    client.sender.send(Request::new(RequestId::from(2), "initialize".to_owned(), start).into()).unwrap();
    client.receiver.recv_timeout(PATIENCE).unwrap();
    client.sender.send(Notification::new("initialized".to_owned(), json!({})).into()).unwrap();
    client.sender.send(Notification::new("exit".to_owned(), Value::Null).into()).unwrap();
    assert_eq!(thread.join().unwrap(), End::Deserted);
}

#[test]
fn an_error_in_an_unsaved_library_shows_and_goes() {
    let main = "#import \"lib.asm\"\n*=$1000\n jsr sub\n lda #1\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("lib.asm", "sub: rts\n")]);
    client.open("lib.asm", "sub: rts\n");
    // Alone it would be fine as well, but it is the root that is assembled.
    client.change("lib.asm", json!([{"text": "subs: rts\n"}]));
    let list = client.wait("main.asm", |list| !list.is_empty());
    assert!(codes(&list).contains(&"E0301"), "{list:?}");
    assert_eq!(list[0]["range"]["start"], json!({"line": 2, "character": 5}));
    client.change("lib.asm", json!([{"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 4}}, "text": ""}]));
    client.wait("main.asm", |list| list.is_empty());
    assert_eq!(client.stop(), End::Proper);
}

#[test]
fn columns_are_those_that_were_agreed_on() {
    let text = " /* ä€😀 */ lda unknown\n";
    let cases = [
        (json!(["utf-16"]), 16),
        (json!(["utf-8", "utf-16"]), 21),
        (json!(["utf-32", "utf-16"]), 15),
        (Value::Null, 16),
    ];
    for (encodings, column) in cases {
        let capabilities = json!({"general": {"positionEncodings": encodings}});
        let mut client =
            Client::start(&[("main.asm", text)], capabilities, json!({"diagnostics.delayMs": 0}));
        client.open("main.asm", text);
        let list = client.wait("main.asm", |list| codes(list).contains(&"E0301"));
        assert_eq!(list[0]["range"]["start"]["character"], column);
        client.stop();
    }
}

#[test]
fn pulled_problems_are_not_pushed() {
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client =
        Client::start(&[("main.asm", " lda #\n")], capabilities, json!({"diagnostics.delayMs": 0}));
    client.open("main.asm", " lda #\n");
    let document = json!({"uri": client.uri("main.asm")});
    let report = client.ask("textDocument/diagnostic", json!({"textDocument": document}));
    assert_eq!(report["kind"], "full");
    assert!(!report["items"].as_array().unwrap().is_empty());
    let known = report["resultId"].clone();
    let again =
        client.ask("textDocument/diagnostic", json!({"textDocument": document, "previousResultId": known}));
    assert_eq!(again["kind"], "unchanged");
    let all = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert!(client.problems.is_empty());
    client.stop();
}

#[test]
fn pulled_problems_are_those_of_open_files_if_the_user_says_so() {
    let (main, library) = ("#import \"lib.asm\"\n lda #\n", " lda #\n");
    for (only_open, count) in [(false, 2), (true, 1)] {
        let options = json!({"diagnostics": {"delayMs": 0, "onlyOpenFiles": only_open}});
        let files = [("main.asm", main), ("lib.asm", library)];
        let mut client = Client::start(&files, json!({"textDocument": {"diagnostic": {}}}), options);
        client.open("main.asm", main);
        let all = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
        assert_eq!(all["items"].as_array().unwrap().len(), count, "{all}");
        client.stop();
    }
}

#[test]
fn questions_about_places_are_answered() {
    let main = "#import \"lib.asm\"\n*=$1000\nstart: jsr sub\n lda #1\n jmp start\n";
    let mut client = Client::start(
        &[("main.asm", main), ("lib.asm", "// Does it.\nsub: rts\n")],
        json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}},
               "workspace": {"workspaceEdit": {"documentChanges": true}}}),
        json!({"commands": ["tempo.showReferences"]}),
    );
    client.open("main.asm", main);
    client.wait("main.asm", |_| true);
    let at = client.at("main.asm", 2, 12);
    let hover = client.ask("textDocument/hover", at.clone());
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Does it."), "{hover}");
    let definition = client.ask("textDocument/definition", at.clone());
    assert_eq!(definition[0]["uri"], client.uri("lib.asm"));
    let mut with_context = at.clone();
    with_context["context"] = json!({"includeDeclaration": true});
    assert_eq!(client.ask("textDocument/references", with_context).as_array().unwrap().len(), 2);
    let mut rename = at.clone();
    rename["newName"] = json!("routine");
    let edit = client.ask("textDocument/rename", rename.clone());
    assert_eq!(edit["documentChanges"].as_array().unwrap().len(), 2);
    assert_eq!(edit["documentChanges"][1]["textDocument"]["version"], 1);
    rename["newName"] = json!("start");
    let (code, reason) = client.refused("textDocument/rename", rename);
    assert_eq!(code, -32803);
    assert!(reason.contains("start"), "{reason}");
    let completion = client.ask("textDocument/completion", client.at("main.asm", 4, 5));
    let labels: Vec<&str> =
        completion["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"start") && labels.contains(&"sub"), "{labels:?}");
    let document = json!({"textDocument": {"uri": client.uri("main.asm")}});
    let symbols = client.ask("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "start");
    let lenses = client.ask("textDocument/codeLens", document.clone());
    assert!(lenses.as_array().is_some(), "{lenses}");
    let folds = client.ask("textDocument/foldingRange", document);
    assert!(folds.as_array().is_some());
    // Beyond the text is its end.
    client.ask("textDocument/hover", client.at("main.asm", 9999, 9999));
    client.stop();
}

#[test]
fn deltas_of_tokens_lead_to_the_new_tokens() {
    let text = tempo_testing::text(&tempo_testing::fixtures().join("editor/places/hints.asm"));
    let mut client = Client::plain(&[("main.asm", &text)]);
    client.open("main.asm", &text);
    let document = json!({"uri": client.uri("main.asm")});
    let full = client.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    let mut data: Vec<Value> = full["data"].as_array().unwrap().clone();
    let mut id = full["resultId"].clone();
    let mut random = tempo_random::Random::new(tempo_testing::seed());
    for _ in 0..20 {
        let (line, word) = (random.index(20) as u32, [" nop\n", "x", "/* ", "\"a\"", ""][random.index(5)]);
        let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": random.index(4)}});
        client.change("main.asm", json!([{"range": range, "text": word}]));
        let delta = client.ask(
            "textDocument/semanticTokens/full/delta",
            json!({"textDocument": document, "previousResultId": id}),
        );
        for edit in delta["edits"].as_array().unwrap() {
            let start = edit["start"].as_u64().unwrap() as usize;
            let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
            data.splice(start..end, edit["data"].as_array().unwrap().clone());
        }
        let full = client.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
        assert_eq!(&data, full["data"].as_array().unwrap());
        id = full["resultId"].clone();
    }
    client.stop();
}

#[test]
fn cancelled_and_outdated_requests_are_answered() {
    // A root that keeps a worker busy for a while.
    let slow = ".var x = 0\n.for (var i = 0; i < 1000000; i++) { .eval x = x + i }\nstart: lda #x\n";
    let mut client = Client::plain(&[("main.asm", slow)]);
    client.open("main.asm", slow);
    let hover = client.at("main.asm", 2, 8);
    let id = client.send("textDocument/hover", hover.clone());
    client.tell("$/cancelRequest", json!({"id": client.next}));
    let answer = client.answer(&id).response_result;
    assert!(answer.is_ok() || answer.unwrap_err().code == -32800);
    let id = client.send("textDocument/hover", hover);
    client.change("main.asm", json!([{"text": "start: rts\n"}]));
    let answer = client.answer(&id).response_result;
    assert!(answer.is_ok() || answer.unwrap_err().code == -32801);
    client.wait("main.asm", |list| !codes(list).contains(&"E0905"));
    // An edit of a version that is gone changes nothing.
    let document = json!({"uri": client.uri("main.asm"), "version": 0});
    client.tell(
        "textDocument/didChange",
        json!({"textDocument": document, "contentChanges": [{"text": "broken ("}]}),
    );
    let hover = client.ask("textDocument/hover", client.at("main.asm", 0, 8));
    assert!(hover.to_string().contains("rts"), "{hover}");
    client.stop();
}

/// A library that a program without an end imports, with limits that it does not meet.
fn with_endless_program() -> Client {
    let endless = "#import \"lib.asm\"\n.var x = 0\n.while (true) { .eval x = x + 1 }\n jsr shared\n";
    let files = [("main.asm", MAIN), ("lib.asm", "shared: rts\n"), ("endless.asm", endless)];
    let limits = json!({"iterations": 1_u64 << 60});
    Client::start(&files, json!({}), json!({"diagnostics.delayMs": 0, "limits": limits}))
}

const MAIN: &str = "#import \"lib.asm\"\n*=$1000\nstart: jsr shared\n rts\n";

#[test]
fn the_work_on_a_cancelled_request_ends() {
    let mut client = with_endless_program();
    client.open("main.asm", MAIN);
    client.wait("main.asm", |_| true);
    // Each of them assembles all programs that have the name. There are no more workers than four.
    for _ in 0..8 {
        let mut rename = client.at("main.asm", 2, 13);
        rename["newName"] = json!("common");
        let id = client.send("textDocument/rename", rename);
        // Another one is answered meanwhile, so that the work may have begun.
        client.ask("textDocument/foldingRange", json!({"textDocument": {"uri": client.uri("main.asm")}}));
        client.tell("$/cancelRequest", json!({"id": client.next - 1}));
        assert_eq!(client.answer(&id).response_result.unwrap_err().code, -32800);
    }
    let hover = client.ask("textDocument/hover", client.at("main.asm", 2, 13));
    assert!(hover.to_string().contains("shared"), "{hover}");
    client.stop();
}

#[test]
fn an_edit_ends_what_was_asked_about_the_old_text() {
    let mut client = with_endless_program();
    client.open("main.asm", MAIN);
    client.wait("main.asm", |_| true);
    for round in 0..8 {
        let mut rename = client.at("main.asm", 2, 13);
        rename["newName"] = json!("common");
        let id = client.send("textDocument/rename", rename);
        client.ask("textDocument/foldingRange", json!({"textDocument": {"uri": client.uri("lib.asm")}}));
        client.change("main.asm", json!([{"text": format!("{MAIN} // {round}\n")}]));
        assert_eq!(client.answer(&id).response_result.unwrap_err().code, -32801);
    }
    // The endless program itself, edited again and again: no run holds a worker.
    let endless = ".while (true) { .eval x }\n";
    client.open("endless.asm", endless);
    for round in 0..8 {
        let text = format!(".var x = {round}\n.while (true) {{ .eval x = x + 1 }}\n");
        client.change("endless.asm", json!([{"text": text}]));
        client.ask("textDocument/foldingRange", json!({"textDocument": {"uri": client.uri("endless.asm")}}));
    }
    client.change("endless.asm", json!([{"text": " lda unknown\n"}]));
    client.wait("endless.asm", |list| codes(list).contains(&"E0301"));
    client.stop();
}

#[test]
fn a_root_that_never_ends_gets_one_problem_and_nothing_is_written() {
    let text = ".var f = createFile(\"out.txt\")\n.eval f.writeln(\"x\")\n.while (true) { .byte 1 }\n";
    let options = json!({"diagnostics.delayMs": 0, "limits": {"iterations": 1000}});
    let mut client = Client::start(&[("main.asm", text)], json!({}), options);
    client.open("main.asm", text);
    let list = client.wait("main.asm", |list| !list.is_empty());
    let errors: Vec<&Value> = list.iter().filter(|problem| problem["severity"] == 1).collect();
    assert_eq!(errors.len(), 1, "{list:?}");
    let names: Vec<_> =
        std::fs::read_dir(client.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["main.asm"]);
    client.stop();
}

#[test]
fn the_server_lives_on_after_an_internal_error_and_says_so_once() {
    let mut client = Client::plain(&[("main.asm", "start: rts\n")]);
    client.open("main.asm", "start: rts\n");
    // More often than there are threads that could be lost.
    for _ in 0..10 {
        let (code, message) = client.refused("tempo/panic", json!({}));
        assert_eq!((code, &message[..]), (-32603, "a panic for a test"));
    }
    let hover = client.ask("textDocument/hover", client.at("main.asm", 0, 8));
    assert!(hover.to_string().contains("rts"), "{hover}");
    assert_eq!(client.shown, ["tempo lsp met an internal error and goes on: a panic for a test"]);
    client.stop();
}

#[test]
fn suites_lead_to_their_programs() {
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"main.asm\")\n    test(\"t\", \"adds\") {\n      jsr([Sum])\n      assert(a == 1)\n    }\n  }\n}\n";
    let main = "*=$1000\nSum: lda #1\n rts\n";
    let mut client = Client::start(
        &[("main.asm", main), ("t.6502", suite)],
        json!({}),
        json!({"commands": ["tempo.runTest", "tempo.debugTest"]}),
    );
    client.open("t.6502", suite);
    client.wait("t.6502", |list| list.is_empty());
    let definition = client.ask("textDocument/definition", client.at("t.6502", 4, 12));
    assert_eq!(definition[0]["uri"], client.uri("main.asm"));
    let tests = client.ask("tempo/tests", json!({"uri": client.uri("t.6502")}));
    assert_eq!(tests[0]["children"][0]["id"], "t");
    let mut rename = client.at("t.6502", 4, 12);
    rename["newName"] = json!("Add");
    let edit = client.ask("textDocument/rename", rename);
    assert_eq!(edit["changes"].as_object().unwrap().len(), 2, "{edit}");
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": client.uri("t.6502")}}));
    assert_eq!(lenses.as_array().unwrap().len(), 3, "{lenses}");
    client.change("t.6502", json!([{"text": suite.replace("[Sum]", "[Sun]")}]));
    client.wait("t.6502", |list| !list.is_empty());
    client.stop();
}

#[test]
fn references_and_renames_reach_programs_that_are_not_open() {
    let first = "#import \"lib.asm\"\n*=$1000\nstart: jsr shared\n jmp start\n";
    let second = "#import \"lib.asm\"\n*=$3000\nother: jmp shared\n";
    let third = "*=$4000\nshared: rts\n jmp shared\n";
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"second.asm\")\n    test(\"t\", \"\") {\n      jsr([shared])\n    }\n  }\n}\n";
    let mut client = Client::plain(&[
        ("first.asm", first),
        ("second.asm", second),
        ("third.asm", third),
        ("lib.asm", "shared: rts\n"),
        ("t.6502", suite),
    ]);
    client.open("first.asm", first);
    client.wait("first.asm", |list| list.is_empty());
    let mut references = client.at("first.asm", 2, 13);
    references["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", references);
    let names = |value: &Value| -> Vec<String> {
        let uris = value.as_array().unwrap().iter().map(|place| place["uri"].as_str().unwrap());
        uris.map(|uri| uri.rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&found), ["first.asm", "lib.asm", "second.asm", "t.6502"]);
    let mut rename = client.at("first.asm", 2, 13);
    rename["newName"] = json!("common");
    let edit = client.ask("textDocument/rename", rename);
    assert_eq!(edit["changes"].as_object().unwrap().len(), 4, "{edit}");
    // A name that the other program has already is refused, although this one has no such name.
    let mut rename = client.at("first.asm", 2, 13);
    rename["newName"] = json!("other");
    let (code, text) = client.refused("textDocument/rename", rename);
    assert_eq!(code, -32803);
    assert!(text.contains("The symbol 'other' is already defined"), "{text}");
    client.stop();
}

#[test]
fn the_project_file_says_how_programs_are_assembled() {
    let project = "[project]\nmain = \"game.asm\"\n[build]\ndefines = [\"DEMO\"]\nlib-dirs = [\"parts\"]\nvars = { speed = 3 }\n[lint]\nallow = [\"W0301\"]\n";
    let game = "#import \"part.asm\"\n*=$1000\n#if !DEMO\n.error \"no demo\"\n#endif\n.errorif cmdLineVars.get(\"speed\").asNumber() != 3, \"speed\"\n jsr part\n rts\n";
    let mut client = Client::plain(&[
        ("tempo.toml", project),
        ("game.asm", game),
        // No source imports it, but the program of the project is the game.
        ("check.asm", "#import \"game.asm\"\n"),
        ("parts/part.asm", "part: rts\n"),
    ]);
    client.open("game.asm", game);
    client.wait("game.asm", |list| list.iter().all(|problem| problem["severity"] != 1));
    let roots = client.ask("tempo/roots", json!({"textDocument": {"uri": client.uri("game.asm")}}));
    assert_eq!(roots, json!([client.uri("game.asm")]));
    // A source that the program does not have is a separate program.
    client.open("check.asm", "#import \"game.asm\"\n");
    let roots = client.ask("tempo/roots", json!({"textDocument": {"uri": client.uri("check.asm")}}));
    assert_eq!(roots, json!([client.uri("check.asm")]));
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": client.uri("check.asm")}}));
    let uri = client.uri("tempo.toml");
    let write = |client: &mut Client, text: &str| {
        std::fs::write(client.folder.path().join("tempo.toml"), text).unwrap();
        client.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": 2}]}));
    };
    write(&mut client, &project.replace("DEMO", "FULL"));
    let list = client.wait("game.asm", |list| list.iter().any(|problem| problem["severity"] == 1));
    assert_eq!(list[0]["message"].as_str().unwrap().lines().next(), Some("no demo"), "{list:?}");
    write(&mut client, "[build]\ndefins = []\n");
    let list = client.wait("tempo.toml", |list| !list.is_empty());
    assert_eq!(list[0]["range"]["start"], json!({"line": 1, "character": 0}));
    assert!(list[0]["message"].as_str().unwrap().contains("did you mean `defines`?"), "{list:?}");
    write(&mut client, project);
    client.wait("tempo.toml", |list| list.is_empty());
    client.wait("game.asm", |list| list.iter().all(|problem| problem["severity"] != 1));
    // The client adds to it, and wins.
    client.tell(
        "workspace/didChangeConfiguration",
        json!({"settings": {"tempo": {"vars": {"speed": 4}, "libDirs": ["parts"]}}}),
    );
    let list = client.wait("game.asm", |list| list.iter().any(|problem| problem["severity"] == 1));
    assert!(list[0]["message"].as_str().unwrap().starts_with("speed"), "{list:?}");
    client.stop();
}

#[test]
fn each_folder_has_its_own_project() {
    let project = |define: &str| {
        format!("[project]\nmain = \"main.asm\"\n[build]\ndefines = [\"{define}\"]\nlib-dirs = [\"lib\"]\n")
    };
    let main = |define: &str| {
        format!("#import \"part.asm\"\n#if !{define}\n.error \"no {define}\"\n#endif\n jsr {define}\n rts\n")
    };
    let (one, two, three) = (main("ONE"), main("TWO"), main("THREE"));
    let mut client = Client::start_in(
        &["a", "b"],
        &[
            ("a/tempo.toml", &project("ONE")),
            ("a/main.asm", &one),
            ("a/lib/part.asm", "ONE: rts\n"),
            ("b/tempo.toml", &project("TWO")),
            ("b/main.asm", &two),
            ("b/lib/part.asm", "TWO: rts\n"),
            // A project inside of a folder counts as well.
            ("b/inner/tempo.toml", &project("THREE")),
            ("b/inner/main.asm", &three),
            ("b/inner/lib/part.asm", "THREE: rts\n"),
        ],
        json!({}),
        json!({"diagnostics.delayMs": 0}),
    );
    let is_fine = |list: &[Value]| list.iter().all(|problem| problem["severity"] != 1);
    for (name, text) in [("a/main.asm", &one), ("b/main.asm", &two), ("b/inner/main.asm", &three)] {
        client.open(name, text);
        client.wait(name, is_fine);
        let place = client.at(name, 4, 6);
        let definition = client.ask("textDocument/definition", place);
        let library = name.replace("main", "lib/part");
        assert_eq!(definition[0]["uri"], client.uri(&library));
        let paths = client.ask("textDocument/completion", client.at(name, 0, 9));
        assert!(paths.to_string().contains("part.asm"), "{paths}");
    }
    // A project that is gone leaves its files to the folder around it.
    std::fs::remove_file(client.folder.path().join("b/inner/tempo.toml")).unwrap();
    let gone = json!({"changes": [{"uri": client.uri("b/inner/tempo.toml"), "type": 3}]});
    client.tell("workspace/didChangeWatchedFiles", gone);
    let list = client.wait("b/inner/main.asm", |list| !is_fine(list));
    assert_eq!(list[0]["message"], "Unknown symbol 'THREE'", "{list:?}");
    client.stop();
}

#[test]
fn addresses_have_the_names_of_the_project_s_machine() {
    let project = |system: &str| format!("[project]\nmain = \"main.asm\"\n[run]\nsystem = \"{system}\"\n");
    let main = "*=$1000\n sta $d020\n";
    let mut client = Client::start_in(
        &["a", "b", "c"],
        &[
            ("a/tempo.toml", &project("6502")),
            ("a/main.asm", main),
            ("b/tempo.toml", &project("c64-ntsc")),
            ("b/main.asm", main),
            ("c/main.asm", main),
        ],
        json!({}),
        json!({"diagnostics.delayMs": 0}),
    );
    for (name, has_chips) in [("a/main.asm", false), ("b/main.asm", true), ("c/main.asm", true)] {
        client.open(name, main);
        let hover = client.ask("textDocument/hover", client.at(name, 1, 7)).to_string();
        assert!(hover.contains("53280"), "{name}: {hover}");
        assert_eq!(hover.contains("border"), has_chips, "{name}: {hover}");
    }
    client.stop();
}

#[test]
fn data_that_changes_is_loaded_again() {
    let main =
        "*=$1000\n.var data = LoadBinary(\"data.bin\")\n.errorif data.getSize() != 4, \"size\"\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("data.bin", "1234")]);
    client.open("main.asm", main);
    let is_fine = |list: &[Value]| list.iter().all(|problem| problem["severity"] != 1);
    client.wait("main.asm", is_fine);
    for (data, is_good) in [("123", false), ("4321", true)] {
        std::fs::write(client.folder.path().join("data.bin"), data).unwrap();
        let change = json!({"changes": [{"uri": client.uri("data.bin"), "type": 2}]});
        client.tell("workspace/didChangeWatchedFiles", change);
        client.wait("main.asm", |list| is_fine(list) == is_good);
    }
    client.stop();
}

#[test]
fn actions_are_commands_for_clients_that_know_no_more() {
    let text = "*=$1000\nstart: jsr sub\n rts\nsub: lda #1\n rts\n";
    let range = json!({"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 8}});
    let mut found = Vec::new();
    for capabilities in [json!({}), json!({"workspace": {"applyEdit": true}})] {
        let mut client =
            Client::start(&[("main.asm", text)], capabilities, json!({"diagnostics.delayMs": 0}));
        client.open("main.asm", text);
        let document = json!({"uri": client.uri("main.asm")});
        let params = json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
        let actions = client.ask("textDocument/codeAction", params);
        found.push(actions.as_array().unwrap().len());
        for action in actions.as_array().unwrap() {
            assert_eq!(action["command"], "tempo.server.apply", "{action}");
            let run = json!({"command": action["command"], "arguments": action["arguments"]});
            assert_eq!(client.ask("workspace/executeCommand", run), Value::Null);
        }
        // What the server asks for comes before its answer.
        assert_eq!(client.applied.len(), actions.as_array().unwrap().len());
        let is_tail_call = |edit: &Value| edit.to_string().contains("jmp");
        assert!(client.applied.is_empty() || client.applied.iter().any(is_tail_call), "{:?}", client.applied);
        client.stop();
    }
    assert!(found[0] == 0 && found[1] > 0, "{found:?}");
}

#[test]
fn a_library_that_is_not_found_becomes_one_of_the_project() {
    let main = "#import \"tools/math.asm\"\n nop\n";
    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}},
    });
    let library = ("vendor/lib/tools/math.asm", "Add: rts\n");
    let settings = "[project]\nmain = \"src/main.asm\"\n";
    for settings in [None, Some(settings)] {
        let mut files = vec![("src/main.asm", main), library];
        files.extend(settings.map(|text| ("tempo.toml", text)));
        let mut client = Client::start(&files, capabilities.clone(), json!({"diagnostics.delayMs": 0}));
        client.open("src/main.asm", main);
        let is_missing = |list: &[Value]| list.iter().any(|problem| problem["code"] == "E0112");
        client.wait("src/main.asm", is_missing);
        let at = json!({"line": 0, "character": 12});
        let params = json!({
            "textDocument": {"uri": client.uri("src/main.asm")}, "range": {"start": at, "end": at}, "context": {"diagnostics": []},
        });
        let actions = client.ask("textDocument/codeAction", params);
        let title = "Add \"vendor/lib\" to lib-dirs in tempo.toml";
        let actions: Vec<&Value> =
            actions.as_array().unwrap().iter().filter(|action| action["title"] == title).collect();
        let [action] = actions[..] else { panic!("{actions:?}") };
        assert_eq!(action["isPreferred"], true);
        let changes = action["edit"]["documentChanges"].as_array().unwrap();
        assert_eq!(changes.len(), if settings.is_none() { 2 } else { 1 }, "{action}");
        if settings.is_none() {
            assert_eq!(
                (&changes[0]["kind"], &changes[0]["uri"]),
                (&json!("create"), &json!(client.uri("tempo.toml")))
            );
        }
        let edit = &changes[changes.len() - 1]["edits"][0];
        // It comes at the end of what is there, and the import is found then.
        let text = format!("{}{}", settings.unwrap_or_default(), edit["newText"].as_str().unwrap());
        assert!(text.ends_with("[build]\nlib-dirs = [\"vendor/lib\"]\n"), "{text}");
        std::fs::write(client.folder.path().join("tempo.toml"), text).unwrap();
        let kind = if settings.is_none() { 1 } else { 2 };
        let change = json!({"changes": [{"uri": client.uri("tempo.toml"), "type": kind}]});
        client.tell("workspace/didChangeWatchedFiles", change);
        client.wait("src/main.asm", |list| !is_missing(list));
        client.stop();
    }
}

#[test]
fn kinds_are_those_that_the_client_knows() {
    let text = ".const A = 1\n.enum { B }\n.struct C { d }\nlabel: lda #A\n";
    let all: Vec<u32> = (1..=26).collect();
    let new = json!({
        "textDocument": {
            "documentSymbol": {"symbolKind": {"valueSet": all}},
            "completion": {"completionItemKind": {"valueSet": all}},
        },
        "workspace": {"symbol": {"symbolKind": {"valueSet": all}}},
    });
    for (capabilities, kinds, constant) in [(json!({}), [14, 14, 5, 14], 6), (new, [14, 22, 23, 20], 21)] {
        let mut client = Client::start(&[("main.asm", text)], capabilities, json!({}));
        client.open("main.asm", text);
        let document = json!({"textDocument": {"uri": client.uri("main.asm")}});
        let symbols = client.ask("textDocument/documentSymbol", document);
        let kind = |symbols: &Value, name: &str| {
            let mut all = symbols.as_array().unwrap().iter();
            all.find(|symbol| symbol["name"] == name).map_or(0, |symbol| symbol["kind"].as_u64().unwrap())
        };
        assert_eq!(["A", "B", "C", "label"].map(|name| kind(&symbols, name)), kinds);
        for name in ["B", "C", "label"] {
            let found = client.ask("workspace/symbol", json!({"query": name}));
            assert_eq!(kind(&found, name), kind(&symbols, name), "{name}");
        }
        let items = client.ask("textDocument/completion", client.at("main.asm", 3, 13));
        let mut items = items["items"].as_array().unwrap().iter();
        assert_eq!(items.find(|item| item["label"] == "A").unwrap()["kind"], constant);
        client.stop();
    }
}

#[test]
fn lenses_show_what_tests_took() {
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"main.asm\")\n    test(\"t\", \"adds\", budget = 20) {\n      jsr([Sum])\n    }\n  }\n}\n";
    let mut client =
        Client::plain(&[("main.asm", "*=$1000\nSum: lda #1\n rts\n"), ("lib.inc", ""), ("t.6502", suite)]);
    client.open("t.6502", suite);
    client.wait("t.6502", |list| list.is_empty());
    let document = json!({"textDocument": {"uri": client.uri("t.6502")}});
    let title = |client: &mut Client| {
        let lenses = client.ask("textDocument/codeLens", document.clone());
        lenses[0]["command"]["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(title(&mut client), "at most 20 cycles");
    let tests = json!([{"id": "t", "cycles": 14}, {"id": "other", "cycles": 1}]);
    client.tell("tempo/tested", json!({"uri": client.uri("t.6502"), "tests": tests}));
    assert_eq!(title(&mut client), "14 cycles of 20");
    client.stop();
}

#[test]
fn our_own_requests_can_be_run_as_commands() {
    let main = "#import \"lib.asm\"\n*=$1000\nstart: lda #1\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("lib.asm", ".const A = 1\n")]);
    client.open("lib.asm", ".const A = 1\n");
    client.wait("lib.asm", |_| true);
    let library = json!({"textDocument": {"uri": client.uri("lib.asm")}});
    assert_eq!(client.ask("tempo/roots", library), json!([client.uri("main.asm")]));
    let range = json!({"start": {"line": 2, "character": 0}, "end": {"line": 4, "character": 0}});
    let selection = json!({"textDocument": {"uri": client.uri("main.asm")}, "range": range});
    let run = |command: &str| json!({"command": command, "arguments": [selection]});
    let cycles = client.ask("workspace/executeCommand", run("tempo.server.cycles"));
    assert_eq!(cycles, json!({"min": 8, "max": 8, "bytes": 3}));
    let listing = client.ask("workspace/executeCommand", run("tempo.server.listing"));
    assert!(listing.as_str().unwrap().contains("lda #$01"), "{listing}");
    assert_eq!(client.refused("workspace/executeCommand", run("tempo.server.nonsense")).0, -32602);
    assert_eq!(
        client.refused("workspace/executeCommand", json!({"command": "tempo.server.cycles"})).0,
        -32602
    );
    client.stop();
}

#[test]
fn what_nothing_uses_fades_out_unless_that_is_off() {
    let main = "#import \"lib.asm\"\n*=$1000\n.const never = 1\n rts\n";
    for (off, expected) in [(json!([]), 3), (json!(["unused-import", "Unused-Constant"]), 0)] {
        let capabilities = json!({"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1]}}}});
        let options = json!({"diagnostics": {"delayMs": 0, "off": off}});
        let files = [("main.asm", main), ("lib.asm", ".const spare = 1\n")];
        let mut client = Client::start(&files, capabilities, options);
        client.open("main.asm", main);
        client.open("lib.asm", ".const spare = 1\n");
        let list = client.wait("main.asm", |_| true);
        let library = client.wait("lib.asm", |_| true);
        assert_eq!(list.len() + library.len(), expected, "{list:?} {library:?}");
        for hint in list.iter().chain(&library) {
            assert_eq!((&hint["severity"], &hint["tags"]), (&json!(4), &json!([1])), "{hint}");
        }
        client.stop();
    }
}

#[test]
fn places_beyond_the_text_are_its_end_in_every_request() {
    let text = "start: lda #1\n jmp start\n";
    let mut client = Client::plain(&[("main.asm", text)]);
    client.open("main.asm", text);
    let places = [
        client.at("main.asm", u32::MAX >> 1, u32::MAX >> 1),
        client.at("main.asm", 0, u32::MAX >> 1),
        client.at("none.asm", 3, 3),
    ];
    let methods = [
        "hover",
        "definition",
        "declaration",
        "completion",
        "documentHighlight",
        "signatureHelp",
        "prepareCallHierarchy",
        "references",
        "rename",
        "prepareRename",
    ];
    for place in places {
        for method in methods {
            let mut params = place.clone();
            params["newName"] = json!("other");
            params["context"] = json!({"includeDeclaration": true, "triggerKind": 1, "isRetrigger": false});
            let id = client.send(&format!("textDocument/{method}"), params);
            if let Err(error) = client.answer(&id).response_result {
                assert_eq!(error.code, -32803, "{method}: {}", error.message);
            }
        }
    }
    client.stop();
}

#[test]
fn the_catalogue_of_errors_is_the_same_as_the_commands() {
    let folder = tempo_testing::fixtures().join("asm/err");
    let mut random = tempo_random::Random::new(tempo_testing::seed());
    let all = tempo_testing::files_with_extension(&folder, "asm");
    let count = if std::env::var_os("FUZZ").is_some() { all.len() } else { 25 };
    let mut client = Client::plain(&[]);
    for index in 0..count {
        let path = if count == all.len() { &all[index] } else { &all[random.index(all.len())] };
        if path.with_extension("args").exists() {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        compare(&mut client, path, &text);
    }
    client.stop();
}

/// Opens a source and compares code, line and column of its errors with those of the library.
fn compare(client: &mut Client, path: &Path, text: &str) {
    let uri = super::uri::from_path(&path.canonicalize().unwrap()).unwrap().as_str().to_owned();
    let item = json!({"uri": uri, "languageId": "kickassembler", "version": 1, "text": text});
    client.tell("textDocument/didOpen", json!({"textDocument": item}));
    let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    let place = |problem: &Value| {
        let start = &problem["range"]["start"];
        (
            problem["code"].as_str().unwrap_or("").to_owned(),
            start["line"].as_u64().unwrap(),
            start["character"].as_u64().unwrap(),
        )
    };
    let shown: Vec<_> =
        report["items"].as_array().unwrap().iter().filter(|item| item["severity"] == 1).map(place).collect();
    let files = tempo_assembler::DiskFiles::new(path.parent().unwrap());
    let output = tempo_assembler::assemble(
        &files,
        path.canonicalize().unwrap().to_str().unwrap(),
        &tempo_assembler::Options::default(),
    );
    for diagnostic in output.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let Some(span) = diagnostic.span else { continue };
        let at = tempo_assembler::SourceMap::locate(
            &output.sources,
            span.start,
            tempo_diagnostics::Columns::Utf16,
        )
        .unwrap();
        if Path::new(&at.file) != path.canonicalize().unwrap() {
            continue;
        }
        let expected =
            (diagnostic.code.as_str().to_owned(), u64::from(at.line) - 1, u64::from(at.column) - 1);
        assert!(shown.contains(&expected), "{}: {expected:?} is not in {shown:?}", path.display());
    }
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
}
