//! Random sessions: edits, files that change on the disk, and requests in any order. Every request is answered, and in
//! the end the server says the same as a fresh one that has read the texts as they are then.

use lsp_server::{Message, RequestId};
use serde_json::{Value, json};
use tempo_testing::fuzz::Target;
use tempo_testing::tries;

use super::{Client, PATIENCE};

const FILES: [(&str, &str); 3] = [
    (
        "main.asm",
        "#import \"lib.asm\"\n*=$1000\n.const SPEED = 3\nstart: {\n  ldx #SPEED\nloop: jsr sub // é 😀\n  dex\n  \
         bne loop\n  Wait(2)\n  rts\n}\n.byte <start, >start\n",
    ),
    (
        "lib.asm",
        "#importonce\nsub: inc $d020\n  rts\n.macro Wait(count) {\n  .for (var i = 0; i < count; i++) nop\n}\n",
    ),
    (
        "s.6502",
        "suites { suite(\"s\") { assemble(\"main.asm\") test(\"t\", \"t\") { jsr([start]) assert(x == 0) } } }\n",
    ),
];

/// The typed texts: pieces of the language, and pieces that break it.
const TYPED: [&str; 20] = [
    "\n",
    " ",
    "x",
    "start",
    "sub",
    "{",
    "}",
    "\"",
    "/*",
    "*/",
    "//",
    "#if X\n",
    "#endif\n",
    "lda ",
    "#",
    "Wait(1)\n",
    ".byte 1\n",
    "é😀",
    "!:",
    "lib.asm",
];

/// Requests about a place, or about a file.
const ASKED: [&str; 16] = [
    "hover",
    "definition",
    "completion",
    "documentHighlight",
    "signatureHelp",
    "references",
    "prepareRename",
    "rename",
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "formatting",
    "codeLens",
    "documentLink",
    "diagnostic",
    "codeAction",
];

struct Session {
    client: Client,
    texts: Vec<String>,
    waiting: Vec<RequestId>,
    faults: Vec<String>,
}

impl Session {
    fn start(texts: &[String]) -> Session {
        let files: Vec<(&str, &str)> =
            FILES.iter().zip(texts).map(|(&(name, _), text)| (name, text.as_str())).collect();
        let mut client = Client::plain(&files);
        for (name, text) in files {
            client.open(name, text);
        }
        Session { client, texts: texts.to_vec(), waiting: Vec::new(), faults: Vec::new() }
    }

    fn params(&self, method: &str, file: usize, line: u32, character: u32) -> Value {
        let mut params = self.client.at(FILES[file].0, line, character);
        params["newName"] = json!("other");
        params["context"] =
            json!({"includeDeclaration": true, "triggerKind": 1, "isRetrigger": false, "diagnostics": []});
        params["options"] = json!({"tabSize": 4, "insertSpaces": true});
        if method == "codeAction" {
            let place = params["position"].clone();
            params["range"] = json!({"start": place, "end": place});
        }
        params
    }

    /// Four bytes are a step.
    fn step(&mut self, [kind, at, length, what]: [u8; 4]) {
        let file = usize::from(kind >> 6) % FILES.len();
        let name = FILES[file].0;
        match kind & 0x1f {
            0..=13 => {
                let text = &self.texts[file];
                let start = boundary(text, usize::from(at) * text.len() / 255);
                let end = boundary(text, start + if kind & 1 == 0 { 0 } else { usize::from(length) % 20 });
                let typed = TYPED[usize::from(what) % TYPED.len()];
                let range = json!({"start": position(text, start), "end": position(text, end)});
                self.texts[file].replace_range(start..end, typed);
                self.client.change(name, json!([{"range": range, "text": typed}]));
            }
            14 => {
                self.texts[file] = FILES[file].1.to_owned();
                self.client.change(name, json!([{"text": FILES[file].1}]));
            }
            15 => {
                let uri = self.client.uri(name);
                std::fs::write(self.client.folder.path().join(name), &self.texts[file]).unwrap();
                self.client.tell("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
                self.client
                    .tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": 2}]}));
            }
            16 => {
                // Closed, what is on the disk counts; then the text is back.
                let uri = self.client.uri(name);
                self.client.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
                let text = self.texts[file].clone();
                self.client.open(name, &text);
            }
            17 => {
                if let Some(id) = self.waiting.last() {
                    let id = id.clone();
                    self.client.tell("$/cancelRequest", json!({"id": id}));
                }
            }
            18 => self.settle(),
            _ => {
                let method = ASKED[usize::from(what) % ASKED.len()];
                let params = self.params(method, file, u32::from(at) % 20, u32::from(length) % 40);
                self.waiting.push(self.client.send(&format!("textDocument/{method}"), params));
            }
        }
    }

    /// Waits for all answers. The text may have changed since the question, it may have been cancelled, and a rename may be
    /// impossible; nothing else is an error.
    fn settle(&mut self) {
        // Answers come in any order.
        while !self.waiting.is_empty() {
            match self.client.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) => {
                    self.waiting.retain(|id| *id != response.id);
                    if let Err(error) = response.response_result
                        && ![-32800, -32801, -32802, -32803].contains(&error.code)
                    {
                        self.faults.push(format!("{}: {error:?}", response.id));
                    }
                }
                other => self.client.keep(other),
            }
        }
    }

    /// The server's answers about the texts, with the folder left out.
    fn picture(&mut self) -> Vec<String> {
        let folder = self.client.uri("");
        let mut all = Vec::new();
        for file in 0..FILES.len() {
            for method in
                ["diagnostic", "documentSymbol", "semanticTokens/full", "foldingRange", "formatting"]
            {
                all.push(self.say(method, file, 0, 0));
            }
            for (line, character) in [(0, 3), (4, 8), (5, 14), (8, 4), (1, 2)] {
                for method in ["hover", "definition", "references"] {
                    all.push(self.say(method, file, line, character));
                }
            }
        }
        let path = self.client.folder.path().canonicalize().unwrap().display().to_string();
        all.iter_mut().for_each(|line| *line = line.replace(&folder, "").replace(&path, ""));
        all
    }

    fn say(&mut self, method: &str, file: usize, line: u32, character: u32) -> String {
        let params = self.params(method, file, line, character);
        let mut answer = self.client.ask(&format!("textDocument/{method}"), params);
        if let Some(answer) = answer.as_object_mut() {
            // Numbers of results count what was asked before.
            answer.remove("resultId");
            if let Some(Value::Array(items)) = answer.get_mut("items") {
                items.sort_by_key(Value::to_string);
            }
        }
        format!("{method} {} {line}:{character} {answer}", FILES[file].0)
    }
}

/// The next place between characters.
fn boundary(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
    json!({"line": before.matches('\n').count(), "character": line.encode_utf16().count()})
}

#[test]
fn an_edited_workspace_is_the_same_as_a_fresh_one() {
    let check = |input: &[u8]| {
        let texts: Vec<String> = FILES.iter().map(|(_, text)| (*text).to_owned()).collect();
        let mut session = Session::start(&texts);
        for &bytes in input.as_chunks::<4>().0.iter().take(60) {
            session.step(bytes);
        }
        session.settle();
        // What is on the disk is what a fresh server sees as well.
        for file in 0..FILES.len() {
            session.step([15 | (file as u8) << 6, 0, 0, 0]);
        }
        let edited = session.picture();
        let mut fresh = Session::start(&session.texts);
        let wanted = fresh.picture();
        let mut faults = std::mem::take(&mut session.faults);
        // While a program has errors, hovers show the values from before them, and say so; a fresh server has none.
        let is_old = |line: &str| line.contains("Values are those before the last edits.");
        for (edited, wanted) in edited.iter().zip(&wanted) {
            if edited != wanted && !is_old(edited) {
                faults.push(format!("edited {edited}\nfresh  {wanted}"));
            }
        }
        session.client.stop();
        fresh.client.stop();
        (!faults.is_empty()).then(|| faults.join("\n"))
    };
    let every: Vec<u8> = (0..40_u8)
        .flat_map(|index| [index * 6, index.wrapping_mul(37), index.wrapping_mul(11), index * 3])
        .collect();
    let asks: Vec<u8> = (0..40_u8)
        .flat_map(|index| [((index % 3) << 6) | (19 + index % 9), index * 5, index.wrapping_mul(7), index])
        .collect();
    let words: &[&[u8]] =
        &[b"\x0e\0\0\0", b"\x0f\0\0\0", b"\x10\0\0\0", b"\x12\0\0\0", b"\x4e\0\0\0", b"\x01\x80\x13\x01"];
    let target = Target { name: "lsp-sessions", seeds: vec![every, asks], words, check: &check };
    match target.run(tries(5)) {
        Ok(tried) => eprintln!("lsp-sessions: {tried} sessions"),
        Err(message) => panic!("{message}"),
    }
}
