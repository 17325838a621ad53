//! Clients that differ: in what they can do, in what they tell, and in how they end.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Client, PATIENCE, codes};
use crate::End;
use lsp_server::{Message, Request, RequestId};

fn errors(list: &[Value]) -> Vec<&str> {
    let errors = list.iter().filter(|problem| problem["severity"] == 1);
    errors.filter_map(|problem| problem["message"].as_str()?.lines().next()).collect()
}

#[test]
fn texts_without_a_file_are_sources_like_others() {
    let mut client = Client::plain(&[("lib.asm", "sub: rts\n")]);
    let uri = "untitled:Untitled-1";
    let text = "#import \"lib.asm\"\n*=$1000\nstart: jsr sub\n jmp strat\n";
    let open = |language: &str, uri: &str, text: &str| {
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        json!({"textDocument": item})
    };
    client.tell("textDocument/didOpen", open("kickassembler", uri, text));
    let list = client.wait_for(uri, |list| codes(list).contains(&"E0301"));
    assert_eq!(list[0]["range"]["start"], json!({"line": 3, "character": 5}));
    let at = |line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let definition = client.ask("textDocument/definition", at(2, 12));
    assert_eq!(definition[0]["uri"], client.uri("lib.asm"));
    let mut rename = at(2, 12);
    rename["newName"] = json!("routine");
    let change = json!([{"range": {"start": {"line": 3, "character": 5}, "end": {"line": 3, "character": 10}}, "text": "start"}]);
    let document = json!({"uri": uri, "version": 2});
    client.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": change}));
    client.wait_for(uri, |list| errors(list).is_empty());
    let edit = client.ask("textDocument/rename", rename);
    assert_eq!(edit["changes"][uri].as_array().map(Vec::len), Some(1), "{edit}");
    client.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": " lda #\n"}]}),
    );
    client.wait_for(uri, |list| !errors(list).is_empty());
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    client.wait_for(uri, |list| list.is_empty());
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32602);
    // The language says what it is, since there is no extension.
    let suite = "suites {\n  suite(\"s\") {\n    test(\"t\", \"\") {\n      assert(a == 0)\n    }\n  }\n}\n";
    client.tell("textDocument/didOpen", open("tempo-suite", "untitled:Untitled-2", suite));
    let tests = client.ask("tempo/tests", json!({"uri": "untitled:Untitled-2"}));
    assert_eq!(tests[0]["children"][0]["id"], "t", "{tests}");
    assert_eq!(client.stop(), End::Proper);
}

#[test]
fn changes_of_one_message_apply_in_order_whatever_ends_the_lines() {
    let mut client = Client::plain(&[]);
    client.open("main.asm", "gone: rts\r\n");
    let range = |from: (u32, u32), to: (u32, u32)| json!({"start": {"line": from.0, "character": from.1}, "end": {"line": to.0, "character": to.1}});
    client.change(
        "main.asm",
        json!([
            {"range": range((0, 0), (1, 0)), "text": "never: rts\r\n"},
            {"text": "one: rts\r\ntwo: rts\rthree: rts\n"},
            {"range": range((1, 0), (1, 3)), "text": "second"},
            {"range": range((2, 99), (99, 0)), "text": "\r\nfour: rts"},
        ]),
    );
    let document = json!({"textDocument": {"uri": client.uri("main.asm")}});
    let symbols = client.ask("textDocument/documentSymbol", document);
    let found: Vec<(&str, u64)> = (symbols.as_array().unwrap().iter())
        .map(|symbol| {
            let line = symbol["location"]["range"]["start"]["line"].as_u64().unwrap();
            (symbol["name"].as_str().unwrap(), line)
        })
        .collect();
    assert_eq!(found, [("one", 0), ("second", 1), ("three", 2), ("four", 3)]);
    client.stop();
}

#[test]
fn a_closed_document_is_what_is_on_disk() {
    let main = "#import \"lib.asm\"\n*=$1000\n jsr sub\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("lib.asm", "sub: rts\n")]);
    client.open("main.asm", main);
    client.open("lib.asm", "other: rts\n");
    client.wait("main.asm", |list| codes(list).contains(&"E0301"));
    let document = json!({"textDocument": {"uri": client.uri("lib.asm")}});
    client.tell("textDocument/didClose", document.clone());
    client.wait("main.asm", |list| errors(list).is_empty());
    // A source that was never saved is forgotten with its text.
    client.open("new.asm", "#import \"lib.asm\"\n");
    let (main_uri, new_uri) = (client.uri("main.asm"), client.uri("new.asm"));
    assert_eq!(client.ask("tempo/roots", document.clone()), json!([main_uri, new_uri]));
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": new_uri}}));
    assert_eq!(client.ask("tempo/roots", document), json!([main_uri]));
    client.stop();
}

#[test]
fn files_that_come_and_go_are_noticed() {
    let main = "#import \"parts/later.asm\"\n*=$1000\n jsr later\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("parts/x.asm", "x: rts\n")]);
    client.open("main.asm", main);
    client.wait("main.asm", |list| !errors(list).is_empty());
    let tell = |client: &mut Client, name: &str, kind: u32| {
        let changes = json!([{"uri": client.uri(name), "type": kind}]);
        client.tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    };
    let path = client.folder.path().join("parts/later.asm");
    std::fs::write(&path, "later: rts\n").unwrap();
    tell(&mut client, "parts/later.asm", 1);
    client.wait("main.asm", |list| errors(list).is_empty());
    let roots = json!({"textDocument": {"uri": client.uri("parts/later.asm")}});
    // It is part of the program that waited for it, and no program of its own.
    client.open("parts/later.asm", "later: rts\n");
    assert_eq!(client.ask("tempo/roots", roots.clone()), json!([client.uri("main.asm")]));
    client.tell("textDocument/didClose", roots.clone());
    std::fs::remove_file(&path).unwrap();
    tell(&mut client, "parts/later.asm", 3);
    client.wait("main.asm", |list| !errors(list).is_empty());
    // What is neither a source nor a suite does not become one by changing.
    std::fs::write(client.folder.path().join("notes.txt"), "notALabel: rts\n").unwrap();
    tell(&mut client, "notes.txt", 2);
    assert_eq!(client.ask("workspace/symbol", json!({"query": "notALabel"})), json!([]));
    client.stop();
}

#[test]
fn clients_that_watch_nothing_are_served_when_they_save() {
    let main = "#import \"lib.asm\"\n*=$1000\n jsr sub\n rts\n";
    let mut client = Client::plain(&[("main.asm", main), ("lib.asm", "sub: rts\n")]);
    client.open("main.asm", main);
    client.wait("main.asm", |list| errors(list).is_empty());
    std::fs::write(client.folder.path().join("lib.asm"), "renamed: rts\n").unwrap();
    let document = json!({"textDocument": {"uri": client.uri("main.asm")}});
    client.tell("textDocument/didSave", document);
    client.wait("main.asm", |list| codes(list).contains(&"E0301"));
    client.stop();
}

#[test]
fn settings_are_fetched_again_when_they_change() {
    let main = "#if !DEMO\n.error \"no demo\"\n#endif\n rts\n";
    let capabilities = json!({"workspace": {"configuration": true, "didChangeConfiguration": {"dynamicRegistration": true}}});
    let options = json!({"diagnostics": {"delayMs": 0}});
    let mut client = Client::start(&[("main.asm", main)], capabilities, options);
    client.configuration = json!({"defines": ["DEMO"]});
    client.open("main.asm", main);
    client.wait("main.asm", |list| errors(list).is_empty());
    // Whatever is sent along, the client is asked; and what it sets no longer is not set.
    client.configuration = json!({});
    client.tell("workspace/didChangeConfiguration", json!({"settings": {"tempo": {"defines": ["DEMO"]}}}));
    let list = client.wait("main.asm", |list| !errors(list).is_empty());
    assert_eq!(errors(&list), ["no demo"]);
    assert!(client.registered.contains(&"workspace/didChangeConfiguration".to_owned()));
    client.stop();
}

#[test]
fn a_trace_is_what_was_asked_for() {
    let mut client = Client::plain(&[]);
    client.ask("workspace/symbol", json!({"query": "x"}));
    assert!(client.traced.is_empty());
    client.tell("$/setTrace", json!({"value": "verbose"}));
    client.ask("workspace/symbol", json!({"query": "xyz"}));
    client.ask("workspace/symbol", json!({"query": ""}));
    assert!(client.traced.iter().any(|line| line.contains("workspace/symbol")), "{:?}", client.traced);
    assert!(client.traced.iter().any(|line| line.contains("xyz")), "{:?}", client.traced);
    client.tell("$/setTrace", json!({"value": "off"}));
    client.ask("workspace/symbol", json!({"query": ""}));
    client.traced.clear();
    // The setting is the same for those who have no such command.
    client.tell("workspace/didChangeConfiguration", json!({"settings": {"tempo": {"trace": "messages"}}}));
    client.ask("workspace/symbol", json!({"query": "xyz"}));
    client.ask("workspace/symbol", json!({"query": ""}));
    assert!(
        !client.traced.is_empty() && client.traced.iter().all(|line| !line.contains("xyz")),
        "{:?}",
        client.traced
    );
    client.tell("workspace/didChangeConfiguration", json!({"settings": {"tempo": {"trace": "off"}}}));
    client.ask("workspace/symbol", json!({"query": ""}));
    let count = client.traced.len();
    client.ask("workspace/symbol", json!({"query": ""}));
    assert_eq!(client.traced.len(), count);
    client.stop();
}

#[test]
fn every_request_can_be_cancelled_and_is_answered_once() {
    let main = "*=$1000\nstart: lda #1\n.for (var i = 0; i < 2000; i++) { nop }\n jmp start\n";
    let mut client = Client::plain(&[("main.asm", main)]);
    client.open("main.asm", main);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}});
    let mut params = client.at("main.asm", 1, 2);
    for (key, value) in [
        ("range", range),
        ("newName", json!("again")),
        ("previousResultId", json!("0")),
        ("previousResultIds", json!([])),
        ("query", json!("s")),
        ("ch", json!("}")),
        ("options", json!({"tabSize": 8, "insertSpaces": true})),
        ("positions", json!([{"line": 1, "character": 2}])),
        (
            "context",
            json!({"includeDeclaration": true, "diagnostics": [], "isRetrigger": false, "triggerKind": 1}),
        ),
        // Clients may send these with every request.
        ("workDoneToken", json!("w")),
        ("partialResultToken", json!(7)),
    ] {
        params[key] = value;
    }
    let document = "hover definition declaration references documentHighlight documentSymbol foldingRange selectionRange \
        documentLink codeLens codeAction completion signatureHelp prepareRename rename formatting rangeFormatting \
        onTypeFormatting inlayHint semanticTokens/full semanticTokens/full/delta semanticTokens/range documentColor \
        prepareCallHierarchy diagnostic";
    let document = document.split_whitespace().map(|name| format!("textDocument/{name}"));
    let others = [
        "workspace/symbol",
        "workspace/diagnostic",
        "tempo/roots",
        "tempo/listing",
        "tempo/memoryMap",
        "tempo/expand",
        "tempo/cycles",
    ];
    let methods: Vec<String> = document.chain(others.map(str::to_owned)).collect();
    for is_late in [false, true] {
        let mut waiting: Vec<RequestId> = Vec::new();
        for method in &methods {
            waiting.push(client.send(method, params.clone()));
            if !is_late {
                client.tell("$/cancelRequest", json!({"id": client.next}));
            }
        }
        if is_late {
            for id in 1..=client.next {
                client.tell("$/cancelRequest", json!({"id": id}));
            }
        }
        while !waiting.is_empty() {
            match client.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) => {
                    let place = waiting.iter().position(|id| *id == response.id);
                    waiting.remove(place.expect("each request is answered once"));
                    if let Err(error) = response.response_result {
                        assert!(matches!(error.code, -32800 | -32802 | -32803), "{error:?}");
                    }
                }
                other => client.keep(other),
            }
        }
    }
    let hover = client.ask("textDocument/hover", client.at("main.asm", 1, 8));
    assert!(hover.to_string().contains("lda"), "{hover}");
    assert_eq!(client.stop(), End::Proper);
}

#[test]
fn a_session_is_initialized_once_and_ends_with_every_request_answered() {
    let mut client = Client::plain(&[]);
    let again = json!({"processId": null, "rootUri": null, "capabilities": {}});
    assert_eq!(client.refused("initialize", again).0, -32600);
    let main = ".for (var i = 0; i < 100000; i++) { nop }\n";
    client.open("main.asm", main);
    let mut waiting: Vec<RequestId> = Vec::new();
    for _ in 0..20 {
        waiting.push(client.send("textDocument/hover", client.at("main.asm", 0, 1)));
    }
    waiting.push(client.send("shutdown", Value::Null));
    // In any order, but all of them.
    while !waiting.is_empty() {
        match client.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
            Message::Response(response) => waiting.retain(|id| *id != response.id),
            other => client.keep(other),
        }
    }
    client.tell("exit", Value::Null);
    assert_eq!(client.server.take().unwrap().join().unwrap(), End::Proper);
}

#[test]
fn imports_follow_files_and_folders_that_are_renamed() {
    let main = "#import \"parts/lib.asm\"\n*=$1000\n jsr sub\n rts\n";
    let files = [
        ("main.asm", main),
        ("other.asm", "#import \"parts/deep/low.asm\"\n*=$2000\n rts\n"),
        ("parts/lib.asm", "#import \"deep/low.asm\"\nsub: rts\n"),
        ("parts/deep/low.asm", ".const LOW = 1\n"),
    ];
    let mut client = Client::plain(&files);
    client.open("main.asm", main);
    client.wait("main.asm", |list| errors(list).is_empty());
    let rename = |client: &mut Client, old: &str, new: &str| -> Vec<(String, String)> {
        let files = json!([{"oldUri": client.uri(old), "newUri": client.uri(new)}]);
        let edit = client.ask("workspace/willRenameFiles", json!({"files": files}));
        let changes = edit["changes"].as_object().cloned().unwrap_or_default();
        let root = format!("{}/", client.uri(""));
        let mut found: Vec<(String, String)> = (changes.iter())
            .flat_map(|(uri, edits)| {
                let name = uri.strip_prefix(&root).unwrap().to_owned();
                let texts = edits.as_array().unwrap().iter().map(|edit| edit["newText"].as_str().unwrap());
                texts.map(move |text| (name.clone(), text.to_owned())).collect::<Vec<_>>()
            })
            .collect();
        found.sort();
        found
    };
    let own = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
    };
    let moved = rename(&mut client, "parts/lib.asm", "lib/library.asm");
    assert_eq!(moved, own(&[("main.asm", "lib/library.asm"), ("parts/lib.asm", "../parts/deep/low.asm")]));
    // A folder, and a program that is not open.
    let moved = rename(&mut client, "parts/deep", "low");
    assert_eq!(moved, own(&[("other.asm", "low/low.asm"), ("parts/lib.asm", "../low/low.asm")]));
    assert_eq!(rename(&mut client, "nothing", "something"), []);
    client.stop();
}

#[test]
fn folders_come_and_go() {
    let main = "*=$1000\n jsr common\n rts\n";
    let mut client =
        Client::plain(&[("a/main.asm", main), ("b/lib.asm", "#import \"../a/main.asm\"\ncommon: rts\n")]);
    let folder = |client: &Client, name: &str| json!({"uri": client.uri(name), "name": name});
    let (all, a) = (folder(&client, ""), folder(&client, "a"));
    let event = json!({"added": [a], "removed": [all]});
    client.tell("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    client.open("a/main.asm", main);
    client.wait("a/main.asm", |list| codes(list).contains(&"E0301"));
    let event = json!({"added": [folder(&client, "b")], "removed": []});
    client.tell("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    client.wait("a/main.asm", |list| errors(list).is_empty());
    client.stop();
}

#[test]
fn completions_are_what_the_client_can_take() {
    let text = "*=$1000\nstart: lda start\n .fo\n rts\n";
    let item = |can: Value| json!({"textDocument": {"completion": {"completionItem": can}}});
    for (can, has_snippets) in [
        (json!({}), false),
        (
            json!({"snippetSupport": true, "documentationFormat": ["markdown"], "insertReplaceSupport": true}),
            true,
        ),
    ] {
        let mut client = Client::start(&[("main.asm", text)], item(can), json!({}));
        client.open("main.asm", text);
        let list = client.ask("textDocument/completion", client.at("main.asm", 2, 4));
        let snippets: Vec<&Value> =
            list["items"].as_array().unwrap().iter().filter(|item| item["kind"] == 15).collect();
        assert_eq!(!snippets.is_empty(), has_snippets, "{snippets:?}");
        assert!(snippets.iter().all(|item| item["insertTextFormat"] == 2));
        let middle = client.ask("textDocument/completion", client.at("main.asm", 1, 13));
        let found = middle["items"].as_array().unwrap().iter().find(|item| item["label"] == "start").unwrap();
        let edit = &found["textEdit"];
        let end = |range: &Value| range["end"]["character"].clone();
        if has_snippets {
            assert_eq!((end(&edit["insert"]), end(&edit["replace"])), (json!(13), json!(16)), "{edit}");
        } else {
            assert_eq!(end(&edit["range"]), json!(16), "{edit}");
        }
        let mnemonic = client.ask("textDocument/completion", client.at("main.asm", 3, 2));
        let found = mnemonic["items"].as_array().unwrap().iter().find(|item| item["label"] == "rts").unwrap();
        let resolved = client.ask("completionItem/resolve", found.clone());
        let kind = if has_snippets { "markdown" } else { "plaintext" };
        assert_eq!(resolved["documentation"]["kind"], kind, "{resolved}");
        client.stop();
    }
}

#[test]
fn a_client_that_goes_away_ends_the_session() {
    let (server, client) = lsp_server::Connection::memory();
    let thread = std::thread::spawn(move || super::serve(&server, std::sync::Arc::new(super::Disk)));
    let start = json!({"processId": null, "rootUri": null, "capabilities": {"window": 7}});
    client.sender.send(Request::new(RequestId::from(1), "initialize".to_owned(), start).into()).unwrap();
    // A capability that the server does not know is no reason to refuse.
    let Message::Response(response) = client.receiver.recv_timeout(PATIENCE).unwrap() else {
        panic!("no answer")
    };
    assert!(response.response_result.is_ok());
    drop(client);
    assert_eq!(thread.join().unwrap(), End::Deserted);
}

#[test]
fn built_in_names_lead_to_their_text_if_the_client_can_show_it() {
    let text = "BasicUpstart2(start)\n*=$1000\nstart: rts\n";
    for is_shown in [false, true] {
        let mut client = Client::start(&[("main.asm", text)], json!({}), json!({"builtInSources": is_shown}));
        client.open("main.asm", text);
        let found = client.ask("textDocument/definition", client.at("main.asm", 0, 3));
        if !is_shown {
            assert_eq!(found, Value::Null);
            let hover = client.ask("textDocument/hover", client.at("main.asm", 0, 3));
            assert!(hover.to_string().contains("BasicUpstart2"), "{hover}");
            client.stop();
            continue;
        }
        let (uri, range) = (found[0]["uri"].as_str().unwrap(), &found[0]["range"]);
        let source = client.ask("tempo/source", json!({"uri": uri}));
        let line = source.as_str().unwrap().lines().nth(range["start"]["line"].as_u64().unwrap() as usize);
        let at = |end: &str| range[end]["character"].as_u64().unwrap() as usize;
        assert_eq!(&line.unwrap()[at("start")..at("end")], "BasicUpstart2");
        // Opening that text makes it no program.
        let item = json!({"uri": uri, "languageId": "kickassembler", "version": 1, "text": source});
        client.tell("textDocument/didOpen", json!({"textDocument": item}));
        client.wait("main.asm", |list| list.is_empty());
        assert!(!client.problems.contains_key(uri));
        client.stop();
    }
}

#[test]
fn the_first_scan_shows_its_progress() {
    let capabilities = json!({"window": {"workDoneProgress": true}});
    let mut client =
        Client::start(&[("main.asm", " rts\n")], capabilities, json!({"diagnostics.delayMs": 0}));
    client.open("main.asm", " rts\n");
    while client.progress.last().map(String::as_str) != Some("end") {
        let message = client.connection.receiver.recv_timeout(PATIENCE).expect("progress");
        client.keep(message);
    }
    assert_eq!(client.progress, ["begin", "end"]);
    client.stop();
}

#[cfg(unix)]
#[test]
fn files_have_the_names_that_the_client_has_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::fs::write(real.join("main.asm"), "#import \"lib.asm\"\n jsr sub\n").unwrap();
    std::fs::write(real.join("lib.asm"), "sub: lda unknown\n").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let uri = |name: &str| crate::uri::from_path(&link.join(name)).unwrap().as_str().to_owned();
    let (server, connection) = lsp_server::Connection::memory();
    let thread = std::thread::spawn(move || super::serve(&server, std::sync::Arc::new(super::Disk)));
    let send = |id: i32, method: &str, params: Value| {
        connection.sender.send(Request::new(RequestId::from(id), method.to_owned(), params).into()).unwrap();
    };
    let tell = |method: &str, params: Value| {
        let message = lsp_server::Notification::new(method.to_owned(), params);
        connection.sender.send(message.into()).unwrap();
    };
    let link_uri = crate::uri::from_path(&link).unwrap();
    send(1, "initialize", json!({"processId": null, "rootUri": link_uri, "capabilities": {}}));
    tell("initialized", json!({}));
    let text = std::fs::read_to_string(real.join("main.asm")).unwrap();
    let item = json!({"uri": uri("main.asm"), "languageId": "kickassembler", "version": 1, "text": text});
    tell("textDocument/didOpen", json!({"textDocument": item}));
    let mut named = std::collections::BTreeSet::new();
    while !named.contains(&uri("lib.asm")) {
        let message = connection.receiver.recv_timeout(PATIENCE).expect("the problem of the library");
        if let Message::Notification(message) = message
            && message.method == "textDocument/publishDiagnostics"
        {
            named.insert(message.params["uri"].as_str().unwrap().to_owned());
        }
    }
    assert!(named.iter().all(|name| name.contains("/link/")), "{named:?}");
    tell("exit", Value::Null);
    assert_eq!(thread.join().unwrap(), End::Deserted);
}

#[test]
fn the_server_ends_with_the_process_of_its_client() {
    let (server, client) = lsp_server::Connection::memory();
    let thread = std::thread::spawn(move || super::serve(&server, std::sync::Arc::new(super::Disk)));
    let start = json!({"processId": 1, "rootUri": null, "capabilities": {}});
    client.sender.send(Request::new(RequestId::from(1), "initialize".to_owned(), start).into()).unwrap();
    client.receiver.recv_timeout(PATIENCE).unwrap();
    client.sender.send(lsp_server::Notification::new("initialized".to_owned(), json!({})).into()).unwrap();
    assert_eq!(thread.join().unwrap(), End::Deserted);
}

#[test]
fn programs_that_do_not_agree_about_a_file_are_named() {
    let library = "value: lda #SIZE\n .if (SIZE == 2) { .error \"too large\" }\n";
    let program = |size: u32| format!(".const SIZE = {size}\n#import \"lib.asm\"\n*=$1000\n rts\n");
    let files = [("one.asm", &program(1)[..]), ("two.asm", &program(2)), ("lib.asm", library)];
    let mut client = Client::plain(&files);
    client.open("lib.asm", library);
    let list = client.wait("lib.asm", |list| !errors(list).is_empty());
    let problem = list.iter().find(|problem| problem["severity"] == 1).unwrap();
    let message = problem["message"].as_str().unwrap();
    assert!(message.contains("two.asm") && !message.contains("one.asm"), "{message}");
    let changed = library.replace(".error \"too large\"", "nop");
    client.change("lib.asm", json!([{"text": changed}]));
    client.wait("lib.asm", |list| errors(list).is_empty());
    let hover = client.ask("textDocument/hover", client.at("lib.asm", 0, 13));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("one.asm") && text.contains("two.asm"), "{text}");
    assert!(text.contains(".const SIZE = 1") && text.contains(".const SIZE = 2"), "{text}");
    client.stop();
}
