//! The server: lines of a client go in, lines for it come out. Calls of tools are handed to the caller, which runs them on
//! threads of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Map, Value, json};

use crate::answer::problem;
use crate::host::{Host, Token};
use crate::prompts;
use crate::protocol::{self, Fault, LEGACY, Message, Request};
use crate::resources;
use crate::schema::{Arguments, check};
use crate::sessions::Sessions;
use crate::tools::{self, Desk, Lane, Tool};

/// The longest line that is read.
pub const MOST_MESSAGE: usize = 1 << 20;

/// The server.
pub struct Server {
    host: Box<dyn Host>,
    sessions: Mutex<Sessions>,
    /// Calls that are not answered, by the text of their id.
    running: Mutex<HashMap<String, Arc<Token>>>,
    version: &'static str,
}

/// The next step after a line.
pub enum Step {
    /// Nothing.
    Nothing,
    /// This line is the answer.
    Reply(String),
    /// A tool is called: `Call::run` has the answer.
    Call(Call),
}

/// A call of a tool.
pub struct Call {
    request: Request,
    tool: &'static Tool,
    arguments: Map<String, Value>,
    /// The way to end it early.
    pub token: Arc<Token>,
}

impl Call {
    /// Which calls it must wait for.
    pub fn lane(&self) -> Lane {
        self.tool.lane
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A call that panicked is answered with an error; what it left is as good as before.
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Server {
    /// A server for a project. The version is the program's.
    pub fn new(host: Box<dyn Host>, version: &'static str) -> Server {
        Server { host, sessions: Mutex::default(), running: Mutex::default(), version }
    }

    /// The sessions of the debugger.
    pub(crate) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        locked(&self.sessions)
    }

    /// The answer to a line that is longer than [`MOST_MESSAGE`].
    pub fn too_long() -> String {
        let fault =
            Fault::new(-32600, format!("invalid request: a message has at most {MOST_MESSAGE} bytes"));
        protocol::refuse(&Value::Null, &fault)
    }

    /// Takes a line in.
    pub fn receive(&self, line: &str) -> Step {
        if line.trim().is_empty() {
            return Step::Nothing;
        }
        match protocol::read(line) {
            Err(answer) => Step::Reply(answer),
            Ok(Message::Nothing) => Step::Nothing,
            Ok(Message::Cancelled(id)) => {
                if let Some(token) = locked(&self.running).get(&id.to_string()) {
                    token.cancel();
                }
                Step::Nothing
            }
            Ok(Message::Request(request)) if request.method == "tools/call" => self.call(request),
            Ok(Message::Request(request)) => Step::Reply(match self.ask(&request) {
                Ok(result) => protocol::answer(&request, result, &self.info()),
                Err(fault) => protocol::refuse(&request.id, &fault),
            }),
        }
    }

    fn call(&self, request: Request) -> Step {
        let refuse = |fault: Fault| Step::Reply(protocol::refuse(&request.id, &fault));
        let Some(name) = request.params.get("name").and_then(Value::as_str) else {
            return refuse(Fault::parameters("`name` of the tool is missing"));
        };
        let Some(tool) = tools::find(name) else {
            let known: Vec<&str> = tools::TOOLS.iter().map(|tool| tool.name).collect();
            let near = tempo_diagnostics::nearest(name, known.iter().copied());
            let help = near.map_or_else(|| known.join(", "), |near| format!("did you mean `{near}`?"));
            let name = tempo_diagnostics::escaped(name);
            return refuse(Fault::parameters(format!("unknown tool: `{name}`; {help}")));
        };
        let arguments = match request.params.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return refuse(Fault::parameters("`arguments` must be an object")),
        };
        let token = Arc::new(Token::default());
        let mut running = locked(&self.running);
        if running.contains_key(&request.id.to_string()) {
            return refuse(Fault::new(-32600, "invalid request: a call with this id is running"));
        }
        running.insert(request.id.to_string(), token.clone());
        Step::Call(Call { request, tool, arguments, token })
    }

    /// Runs a call; `None` if the client took it back. Progress goes out by `send`.
    pub fn run(&self, call: &Call, send: &(dyn Fn(String) + Sync)) -> Option<String> {
        let progress_token = call.request.params.get("_meta").and_then(|meta| meta.get("progressToken"));
        let progress = |done: u64, total: Option<u64>, message: &str| {
            if let Some(token) = progress_token
                && !call.token.is_cancelled()
            {
                send(protocol::progress(token, done, total, message));
            }
        };
        let desk = Desk {
            server: self,
            host: &*self.host,
            arguments: Arguments(&call.arguments),
            token: &call.token,
            progress: &progress,
        };
        let work = || match check(&call.tool.input(), &call.arguments) {
            Err(message) => Err(message),
            Ok(()) => (call.tool.run)(&desk),
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let line = match result {
            Ok(Ok(answer)) => protocol::answer(&call.request, answer.result(), &self.info()),
            Ok(Err(message)) => protocol::answer(&call.request, problem(&message), &self.info()),
            Err(_) => protocol::refuse(&call.request.id, &Fault::internal()),
        };
        self.close(call).then_some(line)
    }

    /// The answer of a call that does not come to its end; `None` if it has answered or was taken back.
    pub fn give_up(&self, call: &Request, token: &Token) -> Option<String> {
        let is_open = locked(&self.running).remove(&call.id.to_string()).is_some();
        let line = protocol::answer(call, problem(crate::host::TIME_IS_UP), &self.info());
        (is_open && !token.is_cancelled()).then_some(line)
    }

    /// Takes a call off the list; whether it is to be answered.
    fn close(&self, call: &Call) -> bool {
        let mut running = locked(&self.running);
        let is_own =
            running.get(&call.request.id.to_string()).is_some_and(|token| Arc::ptr_eq(token, &call.token));
        if is_own {
            running.remove(&call.request.id.to_string());
        }
        is_own && !call.token.is_cancelled()
    }

    /// Ends all calls: the client has gone.
    pub fn cancel_all(&self) {
        locked(&self.running).values().for_each(|token| token.cancel());
    }

    fn info(&self) -> Value {
        json!({ "name": "tempo", "title": "Tempo", "version": self.version })
    }

    fn ask(&self, request: &Request) -> Result<Value, Fault> {
        let is_modern = request.era == protocol::Era::Modern;
        let capabilities = json!({ "tools": {}, "resources": {}, "prompts": {} });
        let text = |name: &str| request.params.get(name).and_then(Value::as_str);
        match request.method.as_str() {
            "initialize" if !is_modern => {
                let asked = text("protocolVersion").unwrap_or_default();
                let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
                Ok(json!({
                    "protocolVersion": version,
                    "capabilities": capabilities,
                    "serverInfo": self.info(),
                    "instructions": INSTRUCTIONS,
                }))
            }
            "server/discover" if is_modern => Ok(json!({
                "supportedVersions": protocol::supported(),
                "capabilities": capabilities,
                "instructions": INSTRUCTIONS,
            })),
            "ping" if !is_modern => Ok(json!({})),
            "tools/list" => first_page(request).map(|()| json!({ "tools": tools::list() })),
            "resources/list" => first_page(request).map(|()| json!({ "resources": resources::list() })),
            "resources/templates/list" => {
                first_page(request).map(|()| json!({ "resourceTemplates": resources::templates() }))
            }
            "resources/read" => {
                let uri = text("uri").ok_or_else(|| Fault::parameters("`uri` is missing"))?;
                resources::read(&*self.host, uri).ok_or_else(|| {
                    let code = if is_modern { -32602 } else { -32002 };
                    let data = Some(json!({ "uri": uri }));
                    Fault { data, ..Fault::new(code, "resource not found; resources/list has the list") }
                })
            }
            "prompts/list" => first_page(request).map(|()| json!({ "prompts": prompts::list() })),
            "prompts/get" => {
                let name =
                    text("name").ok_or_else(|| Fault::parameters("`name` of the prompt is missing"))?;
                let none = Map::new();
                let arguments = request.params.get("arguments").and_then(Value::as_object).unwrap_or(&none);
                prompts::get(name, arguments).map_err(Fault::parameters)
            }
            method => {
                let method = tempo_diagnostics::escaped(tempo_diagnostics::shortened(method, 80).as_ref())
                    .into_owned();
                Err(Fault::new(-32601, format!("method not found: {method}")))
            }
        }
    }
}

/// Lists have one page, so no cursor of ours exists.
fn first_page(request: &Request) -> Result<(), Fault> {
    match request.params.get("cursor") {
        None | Some(Value::Null) => Ok(()),
        Some(_) => Err(Fault::parameters("`cursor` is not one of this server: its lists have one page")),
    }
}

impl Call {
    /// The request, for [`Server::give_up`].
    pub fn request(&self) -> Request {
        self.request.clone()
    }
}

/// The advice that every client gets. At most 600 characters.
const INSTRUCTIONS: &str = "6502 and C64 programs in Kick Assembler's language, with `.6502` test suites. Loop: edit with \
     your own tools, `build`, `test`, and for a failure `debug_open` (file and test id) then `debug_why` on the wrong \
     register or address before you guess: it names the source lines that made the value. `run` shows the C64's screen, \
     `cycles` measures, `prove` decides for all inputs, `help` searches the manual. Paths are relative to the project's \
     root. Addresses are hexadecimal with $; `debug_*` take symbols, too. No tool changes sources.";

#[cfg(test)]
mod tests {
    #[test]
    fn the_advice_is_short() {
        assert!(super::INSTRUCTIONS.len() <= 600, "{}", super::INSTRUCTIONS.len());
    }
}
