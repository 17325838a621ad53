//! `disassemble`: instructions with their bytes, cycles, labels and source lines, of a file or of a debugged machine.

use serde_json::{Value, json};
use tempo_dap::launch;
use tempo_debug::Debugger;
use tempo_diagnostics::{hex_address, hex_bytes};

use super::{Desk, Effect, Lane, Tool, members, number, text};
use crate::answer::Answer;
use crate::sources::{Launcher, shown};

pub const DISASSEMBLE: Tool = Tool {
    name: "disassemble",
    title: "Disassemble",
    description: "Lists instructions with bytes, cycles, labels and source lines: of a source or .prg as it is loaded, or of a session as memory is now.",
    arguments: || {
        json!({
            "file": text("[default: the project's program]"),
            "session": text("from debug_open, instead of file"),
            "from": text("a label or $ADDR [default: where it starts or is stopped]"),
            "count": number(1, 200, "[20]"),
        })
    },
    required: &[],
    answer: || members("lines array"),
    effect: Effect::Reads,
    lane: Lane::Debugger,
    run: disassemble,
};

fn disassemble(desk: &Desk<'_>) -> Result<Answer, String> {
    if let Some(id) = desk.arguments.text("session") {
        if desk.arguments.has("file") {
            return Err("give `file` or `session`, not both".to_owned());
        }
        let mut sessions = desk.server.sessions();
        return list(desk, &sessions.get(id)?.debugger);
    }
    let project = desk.host.project()?;
    let file = desk.path("file")?.unwrap_or_else(|| shown(&project.main()));
    desk.host.read(&file)?;
    let launcher = Launcher { host: desk.host, project: &project, token: desk.token };
    let request = json!({ "program": file, "system": "6502", "history": 1 });
    let launched = launch(&request, &launcher).map_err(|(message, _)| format!("{message}\nNext: `build`"))?;
    desk.token.check()?;
    list(desk, &Debugger::new(launched.target))
}

fn list(desk: &Desk<'_>, debugger: &Debugger) -> Result<Answer, String> {
    let from = match desk.arguments.text("from") {
        None => debugger.machine().registers().pc,
        Some(place) => {
            super::debug::bytes(debugger, &format!("{place}, 1"))
                .map_err(|why| format!("{why}. `symbols` lists labels"))?
                .0
        }
    };
    let rows = debugger.listing(from, 0, desk.arguments.number("count", 20) as usize);
    let mut lines: Vec<Value> = Vec::new();
    let mut answer = Answer::default();
    for row in rows {
        let Ok(address) = u16::try_from(row.address) else { continue };
        let mut data = json!({ "address": address, "bytes": hex_bytes(&row.bytes), "text": row.text });
        let instruction = debugger.machine().isa().decode(row.bytes.first().copied().unwrap_or(0));
        let is_code = row.text.starts_with(instruction.mnemonic.name());
        if is_code {
            data["cycles"] = json!(instruction.cycles);
        }
        if let Some(label) = &row.label {
            data["label"] = json!(label);
            answer.line(format!("{label}:"));
        }
        let mut place = String::new();
        if let Some((file, line)) = row.place {
            let path = &debugger.map.files[file].path;
            data["source"] = json!({ "file": path, "line": line });
            place = format!("  {path}:{line}");
        }
        let cycles = if is_code { instruction.cycles.to_string() } else { String::new() };
        answer.line(
            format!(
                "{} {:<9} {cycles:<2} {:<24}{place}",
                hex_address(address),
                hex_bytes(&row.bytes),
                row.text
            )
            .trim_end(),
        );
        lines.push(data);
    }
    answer.set("lines", json!(lines));
    Ok(answer)
}
