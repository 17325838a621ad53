//! `debug_open`, `debug_go`, `debug_look`: a machine with its past. Breakpoints are arguments of a move, so that there is
//! nothing to manage.

use serde_json::{Value, json};
use tempo_dap::{Launched, launch};
use tempo_debug::{Debugger, Origin, Point, Reason, Stopped, Watch};
use tempo_diagnostics::{hex_address, hex_bytes};
use tempo_harness::events::{Event, Outcome};
use tempo_harness::run::{NoClock, run};

use super::{Desk, Effect, Lane, Tool, members, number, state, test, text, texts};
use crate::answer::Answer;
use crate::sessions::{Limits, MEGABYTES, Session};
use crate::sources::Launcher;

pub const OPEN: Tool = Tool {
    name: "debug_open",
    title: "Debug",
    description: "Opens a source, .prg or suite in the debugger. A test runs to its failure, with its whole past; a program is stopped at its start, or runs to `stop`. Next: debug_why, debug_look, debug_go.",
    arguments: || {
        json!({
            "target": text("a .asm, .prg or .6502"),
            "test": text("id of a test of the suite [default: the first that fails]"),
            "stop": text("a label, $ADDR, FILE:LINE, or a condition such as x == 3 to run to"),
        })
    },
    required: &["target"],
    answer: || members("session string, state object"),
    effect: Effect::Reads,
    lane: Lane::Debugger,
    run: open,
};

pub const GO: Tool = Tool {
    name: "debug_go",
    title: "Run or step",
    description: "Moves the machine forward or back. line, over: a source line, into or over calls; step, back: one instruction; continue, to, reverse: to `place` or where `until` is true. Answers state, changed bytes.",
    arguments: || {
        json!({
            "session": text("from debug_open"),
            "how": { "enum": ["step", "over", "out", "line", "continue", "back", "back-over", "reverse", "to"] },
            "count": number(1, 1000, "repeat a step [1]"),
            "place": text("a label, $ADDR or FILE:LINE to stop at"),
            "until": text("a condition: x == 3, [lives] == 0; with `place`, it must be true there"),
        })
    },
    required: &["session", "how"],
    answer: || members("session string, state object, changed array, sourcesChanged array"),
    effect: Effect::Reads,
    lane: Lane::Debugger,
    run: go,
};

pub const LOOK: Tool = Tool {
    name: "debug_look",
    title: "Look at the machine",
    description: "Answers values of expressions (registers, labels, [label] for a byte, [label].w for a word), memory, the screen, and the state of a session.",
    arguments: || {
        json!({
            "session": text("from debug_open"),
            "memory": text("a place and a count, as in table, 16 or $0400, 40 (at most 256)"),
            "expressions": texts("what to evaluate"),
            "screen": { "type": "boolean", "description": "the text screen of a whole C64" },
        })
    },
    required: &["session"],
    answer: || members("session string, state object, values array, memory object, screen array"),
    effect: Effect::Reads,
    lane: Lane::Debugger,
    run: look,
};

/// Changed bytes that are listed.
const MOST_CHANGES: usize = 16;

fn open(desk: &Desk<'_>) -> Result<Answer, String> {
    let target = desk.path("target")?.unwrap_or_default();
    let project = desk.host.project()?;
    desk.host.read(&target)?;
    let is_suite = target.to_ascii_lowercase().ends_with(".6502");
    let mut wanted = desk.arguments.text("test").map(str::to_owned);
    if is_suite && wanted.is_none() {
        wanted = first_failure(desk, &project, &target)?;
    }
    let mut request = json!({ "program": target, "history": MEGABYTES });
    if let Some(test) = &wanted {
        request["test"] = json!(test);
    }
    let launcher = Launcher { host: desk.host, project: &project, token: desk.token };
    let launched = launch(&request, &launcher);
    desk.token.check()?;
    let Launched { target: program, lines, .. } = launched.map_err(|(message, lines)| {
        let more: Vec<&str> =
            lines.iter().filter(|line| **line != message).take(4).map(|line| &line[..]).collect();
        let more = if more.is_empty() { String::new() } else { format!("\n{}", more.join("\n")) };
        format!("{message}{more}\nNext: `build`, or `test` for the ids of tests")
    })?;
    let is_test = program.test.is_some();
    let debugger = Debugger::new(program);
    let mut sessions = desk.server.sessions();
    let (session, gone) = sessions.add(debugger);
    let mut limits = Limits::new(desk.token);
    let stopped = match desk.arguments.text("stop") {
        Some(stop) => run_to(session, stop, &mut limits)?,
        None if is_test => {
            session.debugger.resume();
            session.run(&mut limits)?
        }
        None => Stopped { reason: Reason::Entry, text: String::new() },
    };
    let mut answer = Answer::new(json!({
        "session": session.id,
        "state": state::data(&session.debugger, &stopped),
    }));
    answer.line(format!("session {}", session.id));
    answer.lines(
        gone.map(|id| format!("session {id} is closed: {} are open at most", crate::sessions::MOST_SESSIONS)),
    );
    answer.lines(lines.iter().take(5));
    state::tell(&mut answer, &session.debugger, &stopped);
    Ok(answer)
}

/// The first test of a suite that fails; the first of all if none does.
fn first_failure(
    desk: &Desk<'_>,
    project: &tempo_project::Project,
    suite: &str,
) -> Result<Option<String>, String> {
    let plans = test::plan(desk.host, desk.token, project, &[suite.to_owned()])?;
    let mut failed = None;
    let mut options = test::options(project, desk.token);
    options.fail_fast = Some(1);
    run(&plans, &options, &NoClock, &mut |event| {
        if let Event::Test(report) = event
            && report.outcome == Outcome::Failed
            && failed.is_none()
        {
            failed = Some(format!("{}/{}", report.suite_name, report.id));
        }
    });
    desk.token.check()?;
    Ok(failed)
}

/// Sets a breakpoint at a place, or where a condition is true; the numbers it got.
pub fn add_stop(session: &mut Session, stop: &str) -> Result<Vec<u32>, String> {
    match add_place(session, stop, None) {
        Ok(points) => Ok(points),
        Err(problem) => match session.debugger.compile(stop) {
            Ok(_) => add_condition(session, stop),
            Err(_) => Err(format!("{problem}. `symbols` lists labels")),
        },
    }
}

/// Runs to a place, or to where a condition is true.
fn run_to(session: &mut Session, stop: &str, limits: &mut Limits<'_>) -> Result<Stopped, String> {
    let point = add_stop(session, stop)?;
    session.debugger.start();
    let stopped = session.run(limits);
    session.debugger.points.retain(|known| !point.contains(&known.id));
    stopped
}

/// Sets a breakpoint at a place; the numbers it got.
fn add_place(session: &mut Session, place: &str, condition: Option<&str>) -> Result<Vec<u32>, String> {
    if place.contains(['\n', '\r']) {
        return Err("a place is one line".to_owned());
    }
    let before = session.debugger.points.last_id();
    let line = match condition {
        Some(condition) => format!("break {place} if {condition}"),
        None => format!("break {place}"),
    };
    let token = crate::host::Token::default();
    session.command(&line, &mut Limits::new(&token))?;
    Ok(session.debugger.points.iter().map(|point| point.id).filter(|&id| id > before).collect())
}

/// Stops before any instruction at which a condition is true.
fn add_condition(session: &mut Session, condition: &str) -> Result<Vec<u32>, String> {
    let program = session.debugger.compile(condition).map_err(|err| err.0)?;
    let mut point = Point::new(Origin::Console, Watch::Code((0..=0xffff).collect()));
    point.condition = Some(program);
    point.name = condition.to_owned();
    Ok(vec![session.debugger.add_point(point)])
}

fn go(desk: &Desk<'_>) -> Result<Answer, String> {
    let mut sessions = desk.server.sessions();
    let session = sessions.get(desk.arguments.text("session").unwrap_or_default())?;
    let how = desk.arguments.text("how").unwrap_or_default();
    let count = desk.arguments.number("count", 1);
    let (place, until) = (desk.arguments.text("place"), desk.arguments.text("until"));
    let is_run = matches!(how, "continue" | "reverse" | "to");
    if !is_run && (place.is_some() || until.is_some()) {
        return Err(format!("`{how}` takes neither `place` nor `until`; use how=continue or how=reverse"));
    }
    if how == "to" && place.is_none() {
        return Err("how=to needs a `place`: a label, $ADDR or FILE:LINE".to_owned());
    }
    let mut limits = Limits::new(desk.token);
    let before = memory(&session.debugger);
    let stopped = if is_run {
        let points = match (place, until) {
            (Some(place), until) => {
                add_place(session, place, until).map_err(|why| format!("{why}. `symbols` lists labels"))?
            }
            (None, Some(until)) if how == "continue" => {
                add_condition(session, until).map_err(|why| format!("{why}. `symbols` lists labels"))?
            }
            _ => Vec::new(),
        };
        let moved = match (how, place, until) {
            ("reverse", None, Some(condition)) => session.command(&format!("last {condition}"), &mut limits),
            ("reverse", ..) => session.command("reverse", &mut limits),
            _ => session.command("continue", &mut limits),
        };
        session.debugger.points.retain(|point| !points.contains(&point.id));
        moved?
    } else {
        let line = match how {
            "step" => "step i",
            "over" => "next",
            "line" => "step",
            "out" => "out",
            "back" => "back i",
            _ => "back",
        };
        let mut stopped = None;
        for _ in 0..count {
            stopped = session.command(line, &mut limits)?;
            let is_over = stopped.as_ref().is_some_and(|stopped| stopped.reason != Reason::Step);
            if is_over || desk.token.stop.is_cancelled() {
                break;
            }
        }
        stopped
    };
    let stopped = stopped.unwrap_or_else(|| session.debugger.last_stop().clone());
    let mut answer = Answer::new(json!({
        "session": session.id,
        "state": state::data(&session.debugger, &stopped),
    }));
    state::tell(&mut answer, &session.debugger, &stopped);
    tell_changes(&mut answer, &session.debugger, &before);
    warn_of_changes(&mut answer, session, desk);
    Ok(answer)
}

/// Says so if the sources are not any more what the session was opened with.
pub fn warn_of_changes(answer: &mut Answer, session: &Session, desk: &Desk<'_>) {
    let changed = session.changed_sources(desk.host);
    if !changed.is_empty() {
        answer.line(format!("note: {} changed since debug_open; open it again", changed.join(", ")));
        answer.set("sourcesChanged", json!(changed));
    }
}

/// All bytes but those of the stack and of chips.
fn memory(debugger: &Debugger) -> Vec<u8> {
    let machine = debugger.machine();
    let has_chips = machine.computer().is_some();
    (0..=0xffff_u16)
        .map(|address| match address {
            0x0100..=0x01ff => 0,
            0xd000..=0xdfff if has_chips => 0,
            _ => machine.peek(address),
        })
        .collect()
}

fn tell_changes(answer: &mut Answer, debugger: &Debugger, before: &[u8]) {
    let after = memory(debugger);
    let changed: Vec<usize> = (0..before.len()).filter(|&at| before[at] != after[at]).collect();
    let more = changed.len().saturating_sub(MOST_CHANGES);
    let listed: Vec<Value> = changed
        .iter()
        .take(MOST_CHANGES)
        .map(|&at| {
            let mut change = json!({ "address": at, "old": before[at], "new": after[at] });
            if let Some(name) = debugger.names.at(at as u16) {
                change["name"] = json!(name);
            }
            change
        })
        .collect();
    if !changed.is_empty() {
        let shown: Vec<String> = changed
            .iter()
            .take(MOST_CHANGES)
            .map(|&at| {
                let name = debugger.names.at(at as u16).map_or(String::new(), |name| format!(" {name}"));
                format!("${at:04X}{name} ${:02X}->${:02X}", before[at], after[at])
            })
            .collect();
        let rest = if more > 0 { format!(" … {more} more") } else { String::new() };
        answer.line(format!("changed: {}{rest}", shown.join(", ")));
    }
    answer.set("changed", json!(listed));
    if more > 0 {
        answer.set("truncated", json!(true));
    }
}

fn look(desk: &Desk<'_>) -> Result<Answer, String> {
    let mut sessions = desk.server.sessions();
    let session = sessions.get(desk.arguments.text("session").unwrap_or_default())?;
    let debugger = &session.debugger;
    let stopped = debugger.last_stop().clone();
    let mut answer = Answer::new(json!({
        "session": session.id,
        "state": state::data(debugger, &stopped),
    }));
    let expressions = desk.arguments.texts("expressions");
    let has_memory = desk.arguments.has("memory");
    if expressions.is_empty() && !has_memory && !desk.arguments.flag("screen") {
        state::tell(&mut answer, debugger, &stopped);
    }
    let mut values = Vec::new();
    for expression in expressions {
        // Look: an assignment would change the machine.
        match debugger.evaluate(expression) {
            Ok(found) => {
                let mut value = json!({ "expression": expression, "value": found.value, "text": found.text });
                if let Some(address) = found.address {
                    value["address"] = json!(address);
                }
                values.push(value);
                answer.line(format!("{expression} = {}", found.text));
            }
            Err(problem) => {
                values.push(json!({ "expression": expression, "error": problem }));
                answer.line(format!("{expression}: {problem}"));
            }
        }
    }
    answer.set("values", json!(values));
    if let Some(place) = desk.arguments.text("memory") {
        let (start, bytes) = bytes(debugger, place)?;
        answer.set("memory", json!({ "from": start, "hex": hex_bytes(&bytes) }));
        answer.lines(rows(start, &bytes));
    }
    if desk.arguments.flag("screen") {
        if debugger.machine().computer().is_none() {
            return Err("this machine has no screen; the target must run on a whole C64 (`system` of tempo.toml or of the suite)".to_owned());
        }
        let rows = debugger.machine().screen_rows();
        answer.lines(rows.iter().map(|row| row.trim_end()));
        answer.set("screen", json!(rows));
    }
    warn_of_changes(&mut answer, session, desk);
    Ok(answer)
}

/// `place` or `place, count`: where it is, and at most 256 bytes.
pub fn bytes(debugger: &Debugger, text: &str) -> Result<(u16, Vec<u8>), String> {
    let (place, count) = match text.rsplit_once(',') {
        Some((place, count)) if count.trim().parse::<usize>().is_ok() => {
            (place, count.trim().parse().unwrap_or(1))
        }
        _ => (text, 16),
    };
    let named = debugger.place_of(place).map(|(address, _)| address);
    let start = match named {
        Some(address) => address,
        None => {
            let value = debugger.value(place)?;
            u16::try_from(value).map_err(|_| format!("{place} is outside of memory"))?
        }
    };
    let count = count.clamp(1, 256).min(0x10000 - usize::from(start));
    let machine = debugger.machine();
    Ok((start, (0..count).map(|offset| machine.peek(start.wrapping_add(offset as u16))).collect()))
}

/// Sixteen bytes a row.
pub fn rows(start: u16, bytes: &[u8]) -> Vec<String> {
    bytes
        .chunks(16)
        .enumerate()
        .map(|(number, row)| {
            format!("{}: {}", hex_address(start.wrapping_add(16 * number as u16)), hex_bytes(row))
        })
        .collect()
}
