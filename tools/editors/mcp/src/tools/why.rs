//! `debug_why`: which instructions made a value, from the last one back, and which branches led there.

use std::collections::{HashSet, VecDeque};

use serde_json::{Value, json};
use tempo_debug::{Debugger, Maker, Subject, Writer};
use tempo_diagnostics::hex_address;

use super::{Desk, Effect, Lane, Tool, members, text};
use crate::answer::Answer;

pub const WHY: Tool = Tool {
    name: "debug_why",
    title: "Who made this value",
    description: "Answers which instructions made the value of a register, flag, address or symbol: the last write, what it used, who made that, and the branches that led there, with source lines. At most ten.",
    arguments: || {
        json!({
            "session": text("from debug_open"),
            "what": text("a, x, y, sp, a flag (c z n v), a label, $ADDR, label+2 or (pointer),y"),
        })
    },
    required: &["session", "what"],
    answer: || members("subject string, value integer, chain array"),
    effect: Effect::Reads,
    lane: Lane::Debugger,
    run: why,
};

/// Links of a chain.
const MOST_LINKS: usize = 10;
/// Links about data before branches are looked at: a wrong branch is as good a reason as a wrong value.
const DATA_FIRST: usize = 6;
/// Branches in a chain.
const MOST_BRANCHES: usize = 3;
/// Questions about the past.
const MOST_QUESTIONS: usize = 120;

/// A step of the chain.
struct Link {
    kind: Kind,
    time: u64,
    pc: u16,
    text: String,
}

enum Kind {
    /// An instruction made this value.
    Made { subject: Subject, maker: Maker },
    /// A branch led there.
    Branch(Maker),
    /// Bytes of the program that nothing has written.
    Data(Subject),
}

/// The search: what is still to be asked, and what was found.
struct Search<'a> {
    desk: &'a Desk<'a>,
    debugger: &'a Debugger,
    asked: VecDeque<(Subject, u64)>,
    known: HashSet<(Subject, u64)>,
    links: Vec<Link>,
    said: Vec<String>,
    questions: usize,
}

fn why(desk: &Desk<'_>) -> Result<Answer, String> {
    let mut sessions = desk.server.sessions();
    let session = sessions.get(desk.arguments.text("session").unwrap_or_default())?;
    let debugger = &session.debugger;
    let what = desk.arguments.text("what").unwrap_or_default();
    let subject =
        tempo_console::subject(debugger, what).map_err(|why| format!("{why}. `symbols` lists labels"))?;
    let value = value_of(debugger, subject, debugger.time());
    let mut search = Search {
        desk,
        debugger,
        asked: VecDeque::from([(subject, debugger.time())]),
        known: HashSet::new(),
        links: Vec::new(),
        said: Vec::new(),
        questions: 0,
    };
    search.follow(DATA_FIRST)?;
    search.add_branches()?;
    search.follow(MOST_LINKS - 1)?;
    search.find_interrupt()?;
    let Search { links, said, .. } = search;
    let chain: Vec<Value> = links.iter().map(|link| data(debugger, link)).collect();
    let mut answer = Answer::new(json!({ "subject": subject.to_string(), "value": value, "chain": chain }));
    answer.line(format!("{subject} is ${value:02X}"));
    answer.lines(links.iter().map(|link| line(debugger, link)));
    answer.lines(said);
    if links.is_empty() {
        answer.line("no instruction of the recording made it. Next: debug_look");
    }
    super::debug::warn_of_changes(&mut answer, session, desk);
    Ok(answer)
}

impl Search<'_> {
    /// Asks who made values, those nearest to the question first, until the limit of links.
    fn follow(&mut self, most: usize) -> Result<(), String> {
        while self.links.len() < most && self.questions < MOST_QUESTIONS {
            let Some((subject, time)) = self.asked.pop_front() else { break };
            if !self.known.insert((subject, time)) {
                continue;
            }
            self.desk.token.check()?;
            self.questions += 1;
            match self.debugger.why_at(subject, time) {
                Writer::Nobody => self.add_data(subject),
                Writer::Outside { value, .. } => {
                    let who = if self.debugger.test.is_some() { "the test" } else { "the user" };
                    let line = format!("{subject} = ${value:02X} was stored by {who}");
                    if self.said.len() < 4 && !self.said.contains(&line) {
                        self.said.push(line);
                    }
                }
                Writer::Instruction(maker) => {
                    self.asked.extend(maker.uses.iter().map(|(used, _)| (*used, maker.time)));
                    let Maker { time, pc, .. } = *maker;
                    // A loop makes a value again and again; its line is said once.
                    if self.links.iter().all(|link| link.pc != pc) {
                        let text = maker.text.clone();
                        let kind = Kind::Made { subject, maker: *maker };
                        self.links.push(Link { kind, time, pc, text });
                    }
                }
            }
        }
        Ok(())
    }

    /// Looks on for a value that an interrupt made, however often a loop made others: it is the least expected.
    fn find_interrupt(&mut self) -> Result<(), String> {
        let is_in = |link: &Link| match &link.kind {
            Kind::Made { maker, .. } => maker.calls.iter().any(|call| call.kind.is_interrupt()),
            _ => false,
        };
        while !self.links.iter().any(is_in) && self.questions < MOST_QUESTIONS && !self.asked.is_empty() {
            let known = self.links.len();
            self.follow(known + 1)?;
            if self.links.len() > known && !self.links[known..].iter().any(is_in) {
                self.links.truncate(known);
            }
        }
        Ok(())
    }

    /// Bytes that are as they were loaded: the statement that they come from.
    fn add_data(&mut self, subject: Subject) {
        let Subject::Byte(address) = subject else {
            if self.links.is_empty() {
                self.said.push(format!("{subject} has been so since the start"));
            }
            return;
        };
        let debugger = self.debugger;
        let own = debugger.map.around(address, &|at| debugger.machine().peek(at));
        match own.filter(|_| self.links.iter().all(|link| link.pc != address)) {
            Some(statement) => {
                let file = &self.debugger.map.files[statement.file];
                let text = file.source.line(statement.line).trim().to_owned();
                self.links.push(Link { kind: Kind::Data(subject), time: 0, pc: address, text });
            }
            None if self.links.is_empty() => {
                self.said.push(format!("{subject} has been so since the start"));
            }
            None => {}
        }
    }

    /// Branches before the first instruction of the chain, or before the stop, and the flags that they looked at.
    fn add_branches(&mut self) -> Result<(), String> {
        let first = self.links.iter().find(|link| matches!(link.kind, Kind::Made { .. }));
        let mut from = vec![self.debugger.time()];
        from.extend(first.map(|link| link.time));
        let mut seen = Vec::new();
        for (number, mut time) in from.into_iter().rev().enumerate() {
            // The stop comes second: one branch before it is enough.
            let most = if number == 0 { MOST_BRANCHES - 1 } else { 1 };
            for _ in 0..most {
                self.desk.token.check()?;
                let Some(maker) = self.debugger.branch_before(time, &seen) else { break };
                time = maker.time;
                seen.push(maker.pc);
                self.asked.extend(maker.uses.iter().map(|(used, _)| (*used, maker.time)));
                let (pc, text) = (maker.pc, maker.text.clone());
                self.links.push(Link { kind: Kind::Branch(maker), time, pc, text });
            }
        }
        Ok(())
    }
}

fn value_of(debugger: &Debugger, subject: Subject, time: u64) -> u8 {
    match subject {
        Subject::Byte(address) => debugger.byte_at(time, address),
        Subject::Register(name) => {
            let registers = debugger.machine().registers();
            match name {
                'a' => registers.a,
                'x' => registers.x,
                'y' => registers.y,
                _ => registers.s,
            }
        }
        Subject::Flag(mask) => u8::from(debugger.machine().registers().p.byte() & mask != 0),
    }
}

/// The statement of a link.
fn place(debugger: &Debugger, link: &Link) -> Option<(String, u32)> {
    let statement = match link.kind {
        Kind::Data(_) => debugger.map.around(link.pc, &|at| debugger.machine().peek(at))?,
        _ => debugger.map.at(link.pc, &|at| debugger.byte_at(link.time, at))?,
    };
    Some((debugger.map.files[statement.file].path.clone(), statement.line))
}

/// The value of a subject before the instruction.
fn old(debugger: &Debugger, subject: Subject, maker: &Maker) -> u8 {
    let registers = &maker.registers;
    match subject {
        Subject::Byte(address) => debugger.byte_at(maker.time, address),
        Subject::Register('a') => registers.a,
        Subject::Register('x') => registers.x,
        Subject::Register('y') => registers.y,
        Subject::Register(_) => registers.s,
        Subject::Flag(mask) => u8::from(registers.p.byte() & mask != 0),
    }
}

fn data(debugger: &Debugger, link: &Link) -> Value {
    let mut data = json!({ "pc": link.pc, "text": link.text });
    if let Some((file, line)) = place(debugger, link) {
        data["file"] = json!(file);
        data["line"] = json!(line);
    }
    match &link.kind {
        Kind::Made { subject, maker } => {
            data["kind"] = json!("made");
            data["cycle"] = json!(maker.cycles);
            data["of"] = json!(subject.to_string());
            data["old"] = json!(old(debugger, *subject, maker));
            data["new"] = json!(maker.value);
        }
        Kind::Branch(maker) => {
            data["kind"] = json!("branch");
            data["cycle"] = json!(maker.cycles);
            data["taken"] = json!(maker.value != 0);
        }
        Kind::Data(subject) => {
            data["kind"] = json!("data");
            data["of"] = json!(subject.to_string());
        }
    }
    data
}

fn line(debugger: &Debugger, link: &Link) -> String {
    let at = match place(debugger, link) {
        Some((file, line)) => format!("{file}:{line}"),
        None => hex_address(link.pc),
    };
    let during = |maker: &Maker| match maker.calls.iter().any(|call| call.kind.is_interrupt()) {
        true => ", in an interrupt",
        false => "",
    };
    match &link.kind {
        Kind::Made { subject, maker } => {
            let old = old(debugger, *subject, maker);
            let uses: Vec<String> =
                maker.uses.iter().map(|(used, value)| format!("{used}=${value:02X}")).collect();
            let from = if uses.is_empty() { String::new() } else { format!(", from {}", uses.join(" ")) };
            let (new, cycle) = (maker.value, maker.cycles);
            format!(
                "{subject} ${old:02X}->${new:02X}: {} at {at}, cycle {cycle}{}{from}",
                link.text,
                during(maker)
            )
        }
        Kind::Branch(maker) => {
            let taken = if maker.value != 0 { "taken" } else { "not taken" };
            format!("branch {taken}: {} at {at}, cycle {}{}", link.text, maker.cycles, during(maker))
        }
        Kind::Data(subject) => format!("{subject} is data of the program: {} at {at}", link.text),
    }
}
