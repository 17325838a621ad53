//! Where a debugged machine stands, as text and as data.

use serde_json::{Value, json};
use tempo_debug::{Debugger, Place, Reason, Stopped};
use tempo_diagnostics::hex_address;
use tempo_emu::Registers;

use crate::answer::Answer;

/// Callers that are listed.
const MOST_CALLS: usize = 8;
/// Lines before and after the one that is next.
const AROUND: u32 = 2;

/// Registers as data.
pub fn registers(registers: &Registers) -> Value {
    let Registers { a, x, y, s, p, pc, .. } = *registers;
    json!({ "a": a, "x": x, "y": y, "sp": s, "p": p.byte(), "pc": pc })
}

/// Registers in a line.
pub fn registers_line(registers: &Registers) -> String {
    let Registers { a, x, y, s, p, pc, .. } = registers;
    format!("A=${a:02X} X=${x:02X} Y=${y:02X} SP=${s:02X} {p} PC=${pc:04X}")
}

/// One word for why the machine is stopped, and what there is to say about it.
pub fn why(stopped: &Stopped) -> (&'static str, String) {
    let word = match &stopped.reason {
        Reason::Entry => "entry",
        Reason::Step => "step",
        Reason::Points(..) => "breakpoint",
        Reason::Exception(exception) => exception.label(),
        Reason::Pause => "paused",
        Reason::Goto => "moved",
        Reason::Start => "start of the recording",
        Reason::Ended(_) => "end",
    };
    (word, stopped.text.clone())
}

/// The state as data.
pub fn data(debugger: &Debugger, stopped: &Stopped) -> Value {
    let (word, text) = why(stopped);
    let mut data = json!({
        "why": word,
        "pc": debugger.machine().registers().pc,
        "registers": registers(debugger.machine().registers()),
        "cycle": debugger.machine().cycles(),
    });
    if !text.is_empty() {
        data["text"] = json!(text);
    }
    let frames = debugger.frames(true);
    if let Some(place) = frames.first().and_then(|frame| frame.place.as_ref()) {
        data["file"] = json!(place.path);
        data["line"] = json!(place.line);
    }
    let calls: Vec<Value> = frames
        .iter()
        .take(MOST_CALLS)
        .map(|frame| {
            let mut call = json!({ "label": frame.name });
            if let Some(place) = &frame.place {
                call["file"] = json!(place.path);
                call["line"] = json!(place.line);
            }
            call
        })
        .collect();
    data["calls"] = json!(calls);
    if let Reason::Ended(code) = stopped.reason {
        data["exit"] = json!(code);
    }
    data
}

/// Adds the state as text.
pub fn tell(answer: &mut Answer, debugger: &Debugger, stopped: &Stopped) {
    let (word, text) = why(stopped);
    let colon = if text.is_empty() { "" } else { ": " };
    answer.line(format!("{word}{colon}{text}"));
    match debugger.top_place() {
        Some(place) => answer.lines(listing(debugger, &place)),
        None => {
            let pc = debugger.machine().registers().pc;
            let rows = debugger.listing(pc, 0, 3);
            answer.lines(rows.iter().map(|row| {
                format!("{} {}", hex_address(u16::try_from(row.address).unwrap_or_default()), row.text)
            }));
        }
    }
    let cycle = debugger.machine().cycles();
    answer.line(format!("{} cycle {cycle}", registers_line(debugger.machine().registers())));
    let frames = debugger.frames(true);
    if frames.len() > 1 {
        let shown: Vec<String> = frames
            .iter()
            .take(MOST_CALLS)
            .map(|frame| match &frame.place {
                Some(place) => format!("{} {}:{}", frame.name, place.path, place.line),
                None => frame.name.clone(),
            })
            .collect();
        answer.line(format!("calls: {}", shown.join(" < ")));
    }
}

/// The lines around a place.
fn listing(debugger: &Debugger, place: &Place) -> Vec<String> {
    let mut lines = vec![format!("{}:{} {}", place.path, place.line, label(debugger))];
    for line in place.line.saturating_sub(AROUND).max(1)..=place.line + AROUND {
        let text = debugger.text_of(&Place { line, ..place.clone() }).trim_end().to_owned();
        if !text.is_empty() || line == place.line {
            let mark = if line == place.line { '>' } else { ' ' };
            lines.push(format!("{mark}{line:5} {text}"));
        }
    }
    lines
}

fn label(debugger: &Debugger) -> String {
    let machine = debugger.machine();
    match machine.is_in_code() {
        true => format!("({})", debugger.names.describe(machine.registers().pc)),
        false => String::new(),
    }
}
