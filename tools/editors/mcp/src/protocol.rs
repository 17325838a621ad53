//! JSON-RPC messages of the Model Context Protocol, in both of its eras: with a handshake (to 2025-11-25), and with the
//! version in every request (2026-07-28). Knows the frames of messages and none of the tools.

use serde_json::{Map, Value, json};

/// Versions with a handshake, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The version without one.
pub const MODERN: &str = "2026-07-28";

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// How long a client may keep a list: it is the same as long as the server lives.
const KEPT_MS: u64 = 3_600_000;

/// The era that a request is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With a handshake.
    Legacy,
    /// The version is in every request.
    Modern,
}

/// A message from the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A request.
    Request(Request),
    /// A notification that ends a request.
    Cancelled(Value),
    /// Anything that needs no answer.
    Nothing,
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The client's name for it.
    pub id: Value,
    /// The method.
    pub method: String,
    /// The parameters; an object.
    pub params: Map<String, Value>,
    /// The era.
    pub era: Era,
}

/// An error of the protocol, as opposed to one of the work.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// JSON-RPC's number.
    pub code: i64,
    /// One sentence.
    pub message: String,
    /// Details.
    pub data: Option<Value>,
}

impl Fault {
    /// A fault without details.
    pub fn new(code: i64, message: impl Into<String>) -> Fault {
        Fault { code, message: message.into(), data: None }
    }

    /// Wrong parameters.
    pub fn parameters(message: impl Into<String>) -> Fault {
        Fault::new(-32602, message)
    }

    /// A fault of ours.
    pub fn internal() -> Fault {
        Fault::new(-32603, "internal error: the call failed, and the server goes on")
    }
}

/// Reads a line. An error is the answer to send.
pub fn read(line: &str) -> Result<Message, String> {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        return Err(refuse(&Value::Null, &Fault::new(-32700, "parse error: a line must be one JSON object")));
    };
    let id = message.get("id").cloned();
    let known = id.clone().filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null);
    let invalid = |why: &str| refuse(&known, &Fault::new(-32600, format!("invalid request: {why}")));
    let Some(object) = message.as_object() else {
        return Err(invalid("a message is one JSON object; batches are not served"));
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = object.get("method") else {
        // An answer to a request of ours, and there are none.
        return match object.contains_key("result") || object.contains_key("error") {
            true => Ok(Message::Nothing),
            false => Err(invalid("`method` is missing")),
        };
    };
    let Some(method) = method.as_str() else { return Err(invalid("`method` must be a text")) };
    let Some(id) = id else {
        let cancelled = object.get("params").and_then(|params| params.get("requestId"));
        return Ok(match (method, cancelled) {
            ("notifications/cancelled", Some(id)) => Message::Cancelled(id.clone()),
            _ => Message::Nothing,
        });
    };
    if known.is_null() {
        return Err(invalid("`id` must be a text or a number"));
    }
    let params = match object.get("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params.clone(),
        Some(_) => return Err(refuse(&id, &Fault::parameters("`params` must be an object"))),
    };
    let meta = params.get("_meta");
    let version = meta.and_then(|meta| meta.get(VERSION_KEY));
    let era = if version.is_some() { Era::Modern } else { Era::Legacy };
    if let Some(version) = version {
        if version.as_str() != Some(MODERN) {
            let data = json!({ "supported": supported(), "requested": version });
            let fault =
                Fault { data: Some(data), ..Fault::new(-32022, "this protocol version is not supported") };
            return Err(refuse(&id, &fault));
        }
        if meta.and_then(|meta| meta.get(CAPABILITIES_KEY)).is_none() {
            let fault = Fault::parameters(format!("`_meta` lacks \"{CAPABILITIES_KEY}\""));
            return Err(refuse(&id, &fault));
        }
    }
    Ok(Message::Request(Request { id, method: method.to_owned(), params, era }))
}

/// All versions, newest first.
pub fn supported() -> Vec<&'static str> {
    [MODERN].into_iter().chain(LEGACY).collect()
}

/// Whether a client may keep the result of a method.
fn is_kept(method: &str) -> bool {
    matches!(
        method,
        "server/discover"
            | "tools/list"
            | "resources/list"
            | "resources/templates/list"
            | "resources/read"
            | "prompts/list"
    )
}

/// A successful answer as a line.
pub fn answer(request: &Request, result: Value, server: &Value) -> String {
    let mut result = result;
    if request.era == Era::Modern
        && let Some(result) = result.as_object_mut()
    {
        result.insert("resultType".to_owned(), json!("complete"));
        result.insert("_meta".to_owned(), json!({ SERVER_KEY: server }));
        if is_kept(&request.method) {
            result.insert("ttlMs".to_owned(), json!(KEPT_MS));
            result.insert("cacheScope".to_owned(), json!("private"));
        }
    }
    json!({ "jsonrpc": "2.0", "id": request.id, "result": result }).to_string()
}

/// An error as a line.
pub fn refuse(id: &Value, fault: &Fault) -> String {
    let mut error = json!({ "code": fault.code, "message": fault.message });
    if let Some(data) = &fault.data {
        error["data"] = data.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// A report of progress as a line.
pub fn progress(token: &Value, done: u64, total: Option<u64>, message: &str) -> String {
    let mut params = json!({ "progressToken": token, "progress": done, "message": message });
    if let Some(total) = total {
        params["total"] = json!(total);
    }
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn refused(line: &str) -> Value {
        let answer: Value = serde_json::from_str(&read(line).expect_err("it is refused")).expect("JSON");
        answer
    }

    #[test]
    fn what_is_not_a_request_is_refused_by_number() {
        for (line, code) in [
            ("{", -32700),
            ("[]", -32600),
            ("5", -32600),
            ("{}", -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}"#,
                -32022,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
                -32602,
            ),
        ] {
            assert_eq!(refused(line)["error"]["code"], json!(code), "{line}");
        }
    }

    #[test]
    fn notifications_are_not_answered() {
        assert_eq!(read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), Ok(Message::Nothing));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#), Ok(Message::Nothing));
        let line = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#;
        assert_eq!(read(line), Ok(Message::Cancelled(json!("a"))));
    }
}
