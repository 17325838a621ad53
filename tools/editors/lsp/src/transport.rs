//! Messages on two streams. Broken headers end the session with a reason; a body that is not a message is
//! answered or reported, and the next one is read.

use std::io::{Read, Write};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded, unbounded};
use lsp_server::{Connection, Message, Notification, RequestId, Response};
use serde_json::{Value, json};
use tempo_framing::Reader;

use crate::dispatch;

/// The largest message: a text of 50 MB with every character escaped.
const LIMIT: usize = 400 << 20;

/// A connection over two streams. The thread that is returned ends when everything is written; `complain` is told why
/// nothing more can be read.
pub fn connect(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    complain: impl FnOnce(String) + Send + 'static,
) -> (Connection, JoinHandle<()>) {
    let (sender, outgoing) = unbounded::<Message>();
    // A client that sends faster than we read waits.
    let (incoming, receiver) = bounded(64);
    let answers = sender.clone();
    std::thread::spawn(move || {
        if let Err(reason) = read(input, &incoming, &answers) {
            complain(format!("the client cannot be understood: {reason}"));
        }
    });
    let writer = std::thread::spawn(move || {
        let mut output = output;
        for message in outgoing {
            if message.write(&mut output).is_err() {
                return;
            }
        }
    });
    (Connection { sender, receiver }, writer)
}

/// Reads until the client says `exit` or its stream ends.
fn read(mut input: impl Read, messages: &Sender<Message>, answers: &Sender<Message>) -> Result<(), String> {
    let mut reader = Reader::with_limit(LIMIT);
    let mut piece = vec![0; 64 << 10];
    loop {
        while let Some(body) = reader.body()? {
            match message(&body) {
                Ok(message) => {
                    let is_exit =
                        matches!(&message, Message::Notification(message) if message.method == "exit");
                    if messages.send(message).is_err() || is_exit {
                        return Ok(());
                    }
                }
                Err(answer) => drop(answers.send(answer)),
            }
        }
        match input.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => reader.push(&piece[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// A body as a message, or what the client is told instead.
fn message(body: &[u8]) -> Result<Message, Message> {
    let tell = |reason: String| -> Message {
        let text = format!("tempo lsp got a malformed message: {reason}");
        Notification::new("window/logMessage".to_owned(), json!({"type": 1, "message": text})).into()
    };
    let value: Value = serde_json::from_slice(body).or_else(|error| {
        serde_json::from_slice(&without_halves(body)).map_err(|_| tell(error.to_string()))
    })?;
    let id = value.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
    let is_answer = value.get("result").is_some() || value.get("error").is_some();
    serde_json::from_value(value).map_err(|error| match id {
        Some(id) if !is_answer => Response::new_err(id, dispatch::INVALID_REQUEST, error.to_string()).into(),
        _ => tell(error.to_string()),
    })
}

/// A body with `\ufffd` for each half of a surrogate pair. Editors that keep texts in UTF-16 may have a half alone, and the
/// text around it counts all the same; it is as wide as what stands for it.
fn without_halves(body: &[u8]) -> Vec<u8> {
    let unit = |at: usize| -> Option<u16> {
        let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut out, mut at) = (Vec::with_capacity(body.len()), 0);
    while at < body.len() {
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                out.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // An escaped backslash is not the start of another escape.
            _ if body[at] == b'\\' => 2,
            _ => 1,
        };
        let end = (at + length).min(body.len());
        out.extend_from_slice(&body[at..end]);
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of reading some bytes: the messages, the remarks to the client, and the end.
    fn all(bytes: &[u8]) -> (Vec<Message>, Vec<Message>, Result<(), String>) {
        let (messages, received) = unbounded();
        let (answers, told) = unbounded();
        let end = read(bytes, &messages, &answers);
        drop((messages, answers));
        (received.iter().collect(), told.iter().collect(), end)
    }

    fn framed(bodies: &[&[u8]]) -> Vec<u8> {
        let frame =
            |body: &&[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        bodies.iter().flat_map(frame).collect()
    }

    #[test]
    fn broken_headers_end_the_session() {
        for text in [
            "Length: 2\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 1000000000000000000\r\n\r\n{}",
            "Content-Length: 300000000000\r\n\r\n{}",
        ] {
            let (messages, told, end) = all(text.as_bytes());
            assert!(messages.is_empty() && told.is_empty() && end.is_err(), "{text}");
        }
        assert!(all(&vec![b'x'; 100_000]).2.is_err());
        // A message that never ends is not an error: the client went away.
        assert!(all(b"Content-Length: 100\r\n\r\n{").2.is_ok());
    }

    #[test]
    fn bodies_that_are_no_messages_are_answered_and_the_next_one_is_read() {
        let bodies: [&[u8]; 7] = [
            b"{",
            b"\xff",
            b"[]",
            b"7",
            b"{\"id\":7,\"params\":{}}",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}",
            b"{}",
        ];
        let (messages, told, end) = all(&framed(&bodies));
        assert!(
            matches!(&messages[..], [Message::Notification(message)] if message.method == "a"),
            "{messages:?}"
        );
        assert_eq!((told.len(), end), (6, Ok(())));
        let answered = told.iter().any(|message| matches!(message, Message::Response(response)
            if response.id == RequestId::from(7) && response.response_result.as_ref().is_err_and(|error| error.code == -32600)));
        assert!(answered, "{told:?}");
    }

    #[test]
    fn half_of_a_surrogate_pair_is_a_character_like_others() {
        for (sent, text) in [
            (r#"x\ud800y"#, "x\u{fffd}y"),
            (r#"\ude00\ud83d"#, "\u{fffd}\u{fffd}"),
            (r#"\ud83d\ude00\ud83d"#, "😀\u{fffd}"),
            (r#"\\ud800 \ud800"#, "\\ud800 \u{fffd}"),
        ] {
            let body = format!("{{\"method\":\"a\",\"params\":[\"{sent}\"]}}");
            let (messages, told, _) = all(&framed(&[body.as_bytes()]));
            let [Message::Notification(message)] = &messages[..] else { panic!("{told:?}") };
            assert_eq!(message.params, json!([text]), "{sent}");
        }
        assert_eq!(without_halves(b"\\"), b"\\");
        assert_eq!(without_halves(b"\\ud8"), b"\\ud8");
    }

    #[test]
    fn nothing_is_read_behind_exit() {
        let exit: &[u8] = b"{\"method\":\"exit\"}";
        assert_eq!(all(&framed(&[exit, exit])).0.len(), 1);
    }
}
