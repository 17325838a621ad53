//! `run`: a program on a machine for some frames or to a place, with keys and joysticks, and what the screen shows then.

use serde_json::{Value, json};
use tempo_c64::{Keys, Moves, Picture};
use tempo_dap::{Launched, launch};
use tempo_debug::{Debugger, Input, Reason, Stopped};
use tempo_diagnostics::hex_bytes;

use super::{Desk, Effect, Lane, Tool, debug, members, number, state, text};
use crate::answer::Answer;
use crate::sessions::{Limits, Session};
use crate::sources::{Launcher, shown};

pub const RUN: Tool = Tool {
    name: "run",
    title: "Run a program",
    description: "Runs the project's program, a source or a .prg from its start: for `frames`, or `until` a label, $ADDR, FILE:LINE or condition. Types keys. Answers screen, registers, memory. Nothing is kept.",
    arguments: || {
        let memory = json!({
            "type": "object",
            "properties": {
                "from": { "type": "string", "maxLength": 100 },
                "count": number(1, 256, "[16]")
            },
            "required": ["from"],
            "additionalProperties": false
        });
        json!({
            "file": text("[default: the project's program]"),
            "system": { "enum": ["c64-pal", "c64-ntsc", "cpu"] },
            "frames": number(1, 3000, "[60; 3000 with until]"),
            "until": text("a place or condition to stop at"),
            "keys": text("text, {RETURN}, {F1}, {WAIT 50} frames, {SPACE 50} held"),
            "joystick": text("port 2 by frame: 10:up+fire,20:none"),
            "screen": { "enum": ["text", "image", "none"] },
            "memory": { "type": "array", "maxItems": 8, "items": memory },
        })
    },
    required: &[],
    answer: || members("end object, registers object, screen array, memory array"),
    effect: Effect::Reads,
    lane: Lane::Free,
    run,
};

/// Cycles of a frame on a machine without one.
const FRAME: u64 = 20_000;

fn run(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let file = desk.path("file")?.unwrap_or_else(|| shown(&project.main()));
    if file.to_ascii_lowercase().ends_with(".6502") {
        return Err(format!("{file} is a suite. Next: `test`, or `debug_open` for one of its tests"));
    }
    desk.host.read(&file)?;
    let launcher = Launcher { host: desk.host, project: &project, token: desk.token };
    let is_main = project.is_there() && file == shown(&project.main());
    let system = match desk.arguments.text("system") {
        Some("cpu") => "6502".to_owned(),
        Some(system) => system.to_owned(),
        None if is_main => project.system().name().to_owned(),
        None => "c64-pal".to_owned(),
    };
    let request = json!({ "program": file, "system": system, "history": 1 });
    let launched = launch(&request, &launcher);
    desk.token.check()?;
    let Launched { target, lines, .. } = launched.map_err(|(message, lines)| {
        let more = lines.iter().filter(|line| **line != message).take(4);
        let more: String = more.map(|line| format!("\n{line}")).collect();
        let next = match message.contains("BASIC line") {
            true => "BasicUpstart2(start) in the source writes one; system=cpu runs it without a C64",
            false => "Next: `build`",
        };
        format!("{message}{more}\n{next}")
    })?;
    let mut debugger = Debugger::new(target);
    type_and_move(desk, &mut debugger)?;
    let until = desk.arguments.text("until");
    let frames = desk.arguments.number("frames", if until.is_some() { 3000 } else { 60 });
    let mut session = Session { id: String::new(), debugger, console: tempo_console::Console::default() };
    let stopped = play(desk, &mut session, frames, until)?;
    let debugger = &session.debugger;
    let machine = debugger.machine();
    let (why, said) = state::why(&stopped);
    let mut end = json!({ "why": why, "pc": machine.registers().pc, "cycle": machine.cycles() });
    if let Reason::Ended(code) = stopped.reason {
        end["exit"] = json!(code);
    }
    let mut answer = Answer::new(json!({ "end": end, "registers": state::registers(machine.registers()) }));
    answer.lines(lines.iter().take(10));
    let colon = if said.is_empty() { "" } else { ": " };
    answer.line(format!("{why}{colon}{said} at {}", debugger.place(machine.registers().pc)));
    answer.line(format!("{} cycle {}", state::registers_line(machine.registers()), machine.cycles()));
    show(desk, &mut answer, debugger)?;
    Ok(answer)
}

fn type_and_move(desk: &Desk<'_>, debugger: &mut Debugger) -> Result<(), String> {
    let Some(keys) = desk.arguments.text("keys") else { return Ok(()) };
    let computer = debugger.machine().computer().ok_or("keys need a whole C64: system=c64-pal")?;
    let keys = Keys::parse(keys, computer.keyboard()).map_err(|err| format!("keys: {err}"))?;
    debugger.change(Input::Keys(keys));
    Ok(())
}

/// Runs for some frames, or to a place or condition before that.
fn play(desk: &Desk<'_>, session: &mut Session, frames: u64, until: Option<&str>) -> Result<Stopped, String> {
    let moves = match desk.arguments.text("joystick") {
        None => Moves(Vec::new()),
        Some(_) if session.debugger.machine().computer().is_none() => {
            return Err("a joystick needs a whole C64: system=c64-pal".to_owned());
        }
        Some(text) => Moves::parse(text).map_err(|err| format!("joystick: {err}"))?,
    };
    if let Some(until) = until {
        debug::add_stop(session, until)?;
    }
    let timing = session.debugger.machine().computer().map(|computer| computer.timing());
    let length = timing.map_or(FRAME, |timing| timing.cycles_per_frame());
    let mut limits = Limits::new(desk.token);
    let start = session.debugger.machine().cycles();
    session.debugger.start();
    for frame in 0..frames {
        for (_, joystick) in moves.0.iter().filter(|(at, _)| *at == frame) {
            session.debugger.change(Input::Joystick(2, *joystick));
        }
        let end = start + (frame + 1) * length;
        while session.debugger.machine().cycles() < end {
            let slice = end - session.debugger.machine().cycles();
            if let Some(stopped) = session.debugger.run(slice) {
                return Ok(stopped);
            }
            if let Some(text) = limits.spend(slice) {
                return Ok(Stopped { reason: Reason::Pause, text });
            }
        }
        if frame % 50 == 49 {
            (desk.progress)(frame + 1, Some(frames), "frames");
        }
    }
    let text = match until {
        None => format!("{frames} frames"),
        Some(until) => format!("{frames} frames, and `{until}` was not reached"),
    };
    Ok(Stopped { reason: Reason::Pause, text })
}

fn show(desk: &Desk<'_>, answer: &mut Answer, debugger: &Debugger) -> Result<(), String> {
    let machine = debugger.machine();
    let screen = desk.arguments.text("screen").unwrap_or("text");
    if let Some(computer) = machine.computer().filter(|_| screen != "none") {
        let rows = machine.screen_rows();
        let last = rows.iter().rposition(|row| !row.trim().is_empty()).map_or(0, |last| last + 1);
        answer.line("screen:");
        answer.lines(rows[..last].iter().map(|row| row.trim_end()));
        answer.set("screen", json!(rows));
        if screen == "image" {
            answer.picture(Picture::of(computer).to_png().map_err(|err| err.to_string())?);
        }
    }
    let mut memory: Vec<Value> = Vec::new();
    for wanted in desk.arguments.objects("memory") {
        let place = wanted.text("from").unwrap_or_default();
        let (start, bytes) = debug::bytes(debugger, &format!("{place}, {}", wanted.number("count", 16)))?;
        answer.lines(debug::rows(start, &bytes));
        memory.push(json!({ "from": start, "hex": hex_bytes(&bytes) }));
    }
    if !memory.is_empty() {
        answer.set("memory", json!(memory));
    }
    Ok(())
}
