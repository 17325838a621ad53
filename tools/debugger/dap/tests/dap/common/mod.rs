//! A client in memory.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tempo_dap::{MemoryHost, Session};

/// A loop with a macro and a routine.
pub const MAIN: &str = "\
*=$1000
.macro Set(value, to) {
  lda #value
  sta to
}
main: ldx #3
loop: Set(5, $d020)
  jsr sub
  dex
  bne loop
  rts
sub: inc counter
  rts
counter: .byte 0
";

/// A client in a test.
pub struct Client {
    pub session: Session,
    seq: i64,
    pub events: Vec<Value>,
}

impl Client {
    pub fn new(files: &[(&str, &str)]) -> Client {
        let mut client = Client::on(MemoryHost(files.iter().copied().collect()));
        let capabilities = client.ask(
            "initialize",
            json!({"adapterID": "tempo", "supportsMemoryEvent": true, "supportsInvalidatedEvent": true}),
        );
        assert_eq!(capabilities["supportsStepBack"], json!(true));
        client
    }

    /// One that has not said anything yet.
    pub fn on(host: MemoryHost) -> Client {
        Client::of(Session::new(Box::new(host)))
    }

    /// The client of a session.
    pub fn of(session: Session) -> Client {
        Client { session, seq: 0, events: Vec::new() }
    }

    /// A response, with its events kept.
    pub fn send(&mut self, command: &str, arguments: Value) -> Value {
        self.send_unless(command, arguments, &mut || false)
    }

    /// The same, with a client that can cancel the request.
    pub fn send_unless(
        &mut self,
        command: &str,
        arguments: Value,
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> Value {
        self.seq += 1;
        let request = json!({"seq": self.seq, "type": "request", "command": command, "arguments": arguments});
        self.session.handle(&request, is_cancelled);
        let mut response = None;
        for message in self.session.take() {
            match message["type"].as_str() {
                Some("response") => {
                    assert_eq!(message["request_seq"], json!(self.seq));
                    response = Some(message);
                }
                _ => self.events.push(message),
            }
        }
        response.expect("every request is answered")
    }

    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.send(command, arguments);
        assert_eq!(response["success"], json!(true), "{command}: {response}");
        response["body"].clone()
    }

    pub fn refuse(&mut self, command: &str, arguments: Value) -> String {
        let response = self.send(command, arguments);
        assert_eq!(response["success"], json!(false), "{command}: {response}");
        response["message"].as_str().unwrap_or("").to_string()
    }

    /// Runs until an event of this name comes.
    pub fn wait(&mut self, event: &str) -> Value {
        for _ in 0..1000 {
            if let Some(at) = self.events.iter().position(|message| message["event"] == event) {
                return self.events.remove(at)["body"].clone();
            }
            self.session.work();
            let more = self.session.take();
            self.events.extend(more);
        }
        panic!("no event {event}: {:?}", self.events)
    }

    pub fn launched(files: &[(&str, &str)], arguments: Value) -> Client {
        let mut client = Client::new(files);
        client.ask("launch", arguments);
        client.wait("initialized");
        client
    }

    pub fn breakpoints(&mut self, path: &str, lines: Value) -> Value {
        self.ask("setBreakpoints", json!({"source": {"path": path}, "breakpoints": lines}))["breakpoints"]
            .clone()
    }

    pub fn start(&mut self) -> Value {
        self.ask("configurationDone", json!({}));
        self.wait("stopped")
    }

    pub fn go(&mut self, command: &str) -> Value {
        self.ask(command, json!({"threadId": 1}));
        self.wait("stopped")
    }

    pub fn frames(&mut self) -> Vec<(String, i64)> {
        let body = self.ask("stackTrace", json!({"threadId": 1}));
        let frames = body["stackFrames"].as_array().cloned().unwrap_or_default();
        frames
            .iter()
            .map(|frame| {
                (frame["name"].as_str().unwrap_or("").to_string(), frame["line"].as_i64().unwrap_or(0))
            })
            .collect()
    }

    pub fn line(&mut self) -> i64 {
        self.frames()[0].1
    }

    pub fn value(&mut self, expression: &str) -> String {
        let body = self.ask("evaluate", json!({"expression": expression, "context": "watch"}));
        body["result"].as_str().unwrap_or("").to_string()
    }
}
