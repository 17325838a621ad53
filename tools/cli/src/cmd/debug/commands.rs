//! Commands of the debugger, as they are typed: one function per word, text in and lines out. Knows no terminal.

use tempo_dap::Attached;
use tempo_debug::{
    Debugger, Exception, Granularity, Hits, Origin, Place, Point, Reason, StepKind, Stopped, Subject, Watch,
    Writer, parse_number,
};

/// A command: its words, what it takes, what it does.
pub const COMMANDS: [(&str, &str, &str); 27] = [
    ("next", "n", "over the line; `next i` an instruction"),
    ("step", "s", "into calls and macros; `step i` an instruction"),
    ("out", "o", "out of the routine or macro"),
    ("continue", "c", "run until something stops"),
    ("back", "b", "a line back; `back i` an instruction"),
    ("reverse", "rc", "run back to the last breakpoint"),
    ("start", "", "to the start of the recording"),
    ("goto", "g", "ADDR|LABEL: set PC there"),
    ("at", "", "TIME: to a moment, as `why` and `last` name it"),
    ("break", "br", "LABEL|ADDR|FILE:LINE|line N[, cycle N] [if CONDITION] [hits N]"),
    ("log", "", "LABEL|ADDR|FILE:LINE TEXT: print it there with {expressions}"),
    ("watch", "wa", "PLACE [read|write|change] [if CONDITION]: stop at accesses"),
    ("catch", "", "[[no] irq|nmi|uninit|stack|selfmod|trap|brk|…]: stop there, too"),
    ("delete", "del", "[N]: remove a breakpoint, or all"),
    ("points", "", "the breakpoints"),
    ("why", "w", "PLACE|a|x|y|sp|FLAG: who made this value; `why` again goes there"),
    ("last", "", "CONDITION: when it was last true; goes there"),
    ("print", "p", "EXPRESSION"),
    ("set", "", "PLACE = EXPRESSION"),
    ("show", "", "EXPRESSION: keep it in sight"),
    ("hide", "", "EXPRESSION: not any more"),
    ("memory", "m", "ADDR: show memory from there"),
    ("list", "d", "[ADDR]: disassembly"),
    ("calls", "bt", "the call stack"),
    ("trace", "", "[N]: the last instructions"),
    ("keys", "", "TEXT: type on the C64"),
    ("help", "h", "this list"),
];

/// Cycles of a run between two looks at the keyboard.
pub const SLICE: u64 = 400_000;

/// Commands that need the past, which a machine in VICE does not have.
const BACKWARDS: [&str; 7] = ["back", "reverse", "start", "at", "why", "last", "trace"];

/// A debugger with its commands, and the lines they say.
pub struct Console {
    pub debugger: Debugger,
    /// The machine in VICE, if that is the one; the debugger has a copy of it.
    vice: Option<Attached>,
    lines: Vec<String>,
    /// Expressions to keep in sight.
    pub shown: Vec<String>,
    /// Where memory is shown from.
    pub memory: u16,
    /// The moment that the last `why` named.
    pub cause: Option<u64>,
    /// Whether a command set the machine running; the caller runs it.
    pub is_running: bool,
    /// Runs end before a command returns.
    is_patient: bool,
}

type Done = Result<(), String>;

impl Console {
    pub fn new(debugger: Debugger, vice: Option<Attached>) -> Console {
        Console {
            debugger,
            vice,
            lines: Vec::new(),
            shown: Vec::new(),
            memory: 0,
            cause: None,
            is_running: false,
            is_patient: true,
        }
    }

    /// Commands return before a run ends; [`Console::is_running`] tells.
    pub fn impatient(mut self) -> Console {
        self.is_patient = false;
        self
    }

    pub fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// Says where and why the machine stands.
    pub fn note(&mut self, stopped: &Stopped) {
        for line in self.debugger.take_log() {
            self.say(line);
        }
        let why = match &stopped.reason {
            Reason::Entry => "ready".to_string(),
            Reason::Step | Reason::Goto | Reason::Start => String::new(),
            Reason::Points(ids, _) => {
                let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
                format!("breakpoint {}", ids.join(", "))
            }
            Reason::Exception(exception) => exception.label().to_string(),
            Reason::Pause => "paused".to_string(),
            Reason::Ended(_) => "the end".to_string(),
        };
        let parts: Vec<&str> =
            [why.as_str(), stopped.text.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
        let place = self.place_line();
        let line = if parts.is_empty() { place } else { format!("{}; {place}", parts.join(": ")) };
        self.say(line);
    }

    fn place_line(&self) -> String {
        let registers = self.debugger.machine().registers();
        // On a screen they are in sight.
        let shown = match self.is_patient {
            true => format!(
                "A={:02x} X={:02x} Y={:02x} SP={:02x} {} | ",
                registers.a, registers.x, registers.y, registers.s, registers.p
            ),
            false => String::new(),
        };
        match self.debugger.top_place() {
            Some(place) => {
                format!("{} | {shown}cycle {}", self.source_line(&place), self.debugger.machine().cycles())
            }
            None => {
                let row = self.debugger.listing(registers.pc, 0, 1);
                let text = row.first().map_or("", |row| row.text.as_str()).to_string();
                format!("${:04x} {text} | {shown}cycle {}", registers.pc, self.debugger.machine().cycles())
            }
        }
    }

    /// `main.asm:12  inc counter`
    fn source_line(&self, place: &Place) -> String {
        let short = place.path.rsplit(['/', '\\']).next().unwrap_or("");
        format!("{short}:{} {}", place.line, self.text_of(place).trim())
    }

    /// The text of a line.
    pub fn text_of(&self, place: &Place) -> String {
        if let Some(file) = self.debugger.map.file(&place.path) {
            return self.debugger.map.files[file].source.line(place.line).to_string();
        }
        let test = self.debugger.test.as_ref();
        let line =
            test.and_then(|test| test.source.text().lines().nth(place.line.saturating_sub(1) as usize));
        line.unwrap_or("").to_string()
    }

    /// Runs until something stops.
    pub fn run_to_stop(&mut self) -> Result<Stopped, String> {
        loop {
            if let Some(stopped) = self.run()? {
                return Ok(stopped);
            }
        }
    }

    /// Runs for a moment; an error means that VICE is gone.
    pub fn run(&mut self) -> Result<Option<Stopped>, String> {
        let result = match &mut self.vice {
            None => return Ok(self.debugger.run(SLICE)),
            Some(vice) => vice.work(&mut self.debugger),
        };
        self.kept(result)
    }

    /// Makes the machine stand.
    pub fn pause(&mut self) -> Result<Stopped, String> {
        let result = match &mut self.vice {
            None => return Ok(self.debugger.pause()),
            Some(vice) => vice.pause(&mut self.debugger),
        };
        self.kept(result)
    }

    /// The session is over: VICE goes on without us.
    pub fn leave(&mut self) {
        if let Some(mut vice) = self.vice.take() {
            let _ = vice.leave();
        }
    }

    /// After a failure there is no machine in VICE any more, only the copy.
    fn kept<T>(&mut self, result: Result<T, String>) -> Result<T, String> {
        if result.is_err() {
            self.vice = None;
            self.is_running = false;
        }
        result
    }

    /// Brings the breakpoints into VICE. One that it refuses is taken away, and why is said.
    fn place_points(&mut self) -> Done {
        let Some(vice) = &mut self.vice else { return Ok(()) };
        let result = vice.place(&self.debugger, false);
        let refused = self.kept(result)?;
        let Some((id, problem)) = refused.first() else { return Ok(()) };
        self.debugger.points.retain(|point| point.id != *id);
        let problem = problem.clone();
        self.place_points()?;
        Err(problem)
    }

    /// Brings a change of the copy into VICE: bytes, or the registers.
    fn write_back(&mut self, place: Option<(u16, usize)>) -> Done {
        let Some(vice) = &mut self.vice else { return Ok(()) };
        let result = vice.write_back(&self.debugger, place);
        self.kept(result)
    }

    fn finish(&mut self, stopped: Option<Stopped>) -> Done {
        match stopped {
            Some(stopped) => self.note(&stopped),
            None if self.is_patient => {
                let stopped = self.run_to_stop()?;
                self.note(&stopped);
            }
            None => self.is_running = true,
        }
        Ok(())
    }

    fn address(&self, text: &str) -> Result<u16, String> {
        let value = match parse_number(text).or_else(|| self.debugger.names.get(text, "")) {
            Some(value) => value,
            None => self.debugger.value(text)?,
        };
        u16::try_from(value).map_err(|_| format!("{text} is outside of memory"))
    }

    /// Runs a command.
    pub fn command(&mut self, text: &str) -> Done {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let known =
            COMMANDS.iter().find(|(name, short, _)| *name == word || (!short.is_empty() && *short == word));
        let Some((name, _, _)) = known else {
            let near = tempo_diagnostics::nearest(word, COMMANDS.iter().map(|(name, _, _)| *name));
            return Err(match near {
                Some(near) => format!("there is no command `{word}`; did you mean `{near}`?"),
                None => format!("there is no command `{word}`"),
            });
        };
        if self.vice.is_some() && BACKWARDS.contains(name) {
            return Err(format!("`{name}` needs the past, and VICE has none"));
        }
        let length = if rest == "i" { Granularity::Instruction } else { Granularity::Line };
        match *name {
            "next" => self.step(StepKind::Over, length),
            "step" => self.step(StepKind::In, length),
            "out" => self.step(StepKind::Out, length),
            "continue" => {
                self.debugger.resume();
                if let Some(vice) = &mut self.vice {
                    let result = vice.resume();
                    self.kept(result)?;
                }
                self.finish(None)
            }
            "back" => {
                let stopped = self.debugger.step_back(length);
                self.finish(Some(stopped))
            }
            "reverse" => {
                self.debugger.begin_reverse();
                self.finish(None)
            }
            "start" => {
                let stopped = self.debugger.go_to(0);
                self.finish(Some(stopped))
            }
            "at" => {
                let time = rest.parse::<u64>().map_err(|_| "at TIME".to_string())?;
                self.debugger.recorded(time)?;
                self.travel(time)
            }
            "goto" => {
                let address = self.address(rest)?;
                let stopped = self.debugger.jump(address);
                self.write_back(None)?;
                self.finish(Some(stopped))
            }
            "break" => self.add_break(rest).and_then(|()| self.place_points()),
            "log" => self.add_log(rest).and_then(|()| self.place_points()),
            "catch" => self.catch(rest),
            "watch" => self.add_watch(rest).and_then(|()| self.place_points()),
            "delete" => self.delete(rest).and_then(|()| self.place_points()),
            "points" => {
                let lines: Vec<String> = self
                    .debugger
                    .points
                    .iter()
                    .map(|point| format!("{:>3} {}", point.id, point.name))
                    .collect();
                self.lines.extend(lines);
                Ok(())
            }
            "why" => self.why(rest),
            "last" => {
                let condition = self.debugger.compile(rest).map_err(|err| err.0)?;
                let time = self.debugger.last_true(&condition).ok_or("it was never true in the recording")?;
                self.travel(time)
            }
            "print" => {
                let answer = self.debugger.evaluate(rest)?;
                self.say(answer.text);
                Ok(())
            }
            "set" => {
                let (place, value) = rest.split_once('=').ok_or("set PLACE = EXPRESSION")?;
                let (bytes, before) = (self.debugger.place_of(place), *self.debugger.machine().registers());
                let (shown, dropped) = self.debugger.assign(place, value)?;
                let is_register = before != *self.debugger.machine().registers();
                self.write_back(bytes.filter(|_| !is_register))?;
                self.say(shown);
                if dropped {
                    self.say("the recorded future was dropped: the past was changed");
                }
                Ok(())
            }
            "show" => {
                self.debugger.evaluate(rest)?;
                self.shown.push(rest.to_string());
                Ok(())
            }
            "hide" => {
                self.shown.retain(|known| known != rest);
                Ok(())
            }
            "memory" => {
                self.memory = match self.debugger.place_of(rest) {
                    Some((address, _)) => address,
                    None => self.address(rest)?,
                };
                for row in 0..if self.is_patient { 4_u16 } else { 0 } {
                    let start = self.memory.wrapping_add(row * 16);
                    let bytes: Vec<String> = (0..16)
                        .map(|at| format!("{:02x}", self.debugger.machine().peek(start.wrapping_add(at))))
                        .collect();
                    self.say(format!("{start:04x}: {}", bytes.join(" ")));
                }
                Ok(())
            }
            "list" => {
                let start = if rest.is_empty() {
                    self.debugger.machine().registers().pc
                } else {
                    self.address(rest)?
                };
                for row in self.debugger.listing(start, 0, 12) {
                    let label = row.label.map_or(String::new(), |label| format!("{label}: "));
                    self.say(format!("{:04x}  {label}{}", row.address, row.text));
                }
                Ok(())
            }
            "calls" => {
                for frame in self.debugger.frames(true) {
                    let place = frame
                        .place
                        .as_ref()
                        .map_or(String::new(), |place| format!("  {}", self.source_line(place)));
                    self.say(format!("{}{place}", frame.name));
                }
                Ok(())
            }
            "trace" => {
                let rows = self.debugger.trace(rest.parse().unwrap_or(16));
                for row in rows {
                    self.say(format!("{:>10} {} {}", row.cycles, row.registers, row.text));
                }
                Ok(())
            }
            "keys" => {
                if let Some(vice) = &mut self.vice {
                    let result = vice.type_text(rest);
                    return self.kept(result);
                }
                if self.debugger.machine().board().is_none() {
                    return Err("this machine has no keyboard".to_string());
                }
                let keys = tempo_c64::Keys::parse(rest).map_err(|err| err.to_string())?;
                self.debugger.change(tempo_debug::Input::Keys(keys));
                Ok(())
            }
            "help" => {
                self.lines.extend(COMMANDS.map(|(name, short, what)| format!("{name:<9}{short:<4}{what}")));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, kind: StepKind, length: Granularity) -> Done {
        let stopped = match &mut self.vice {
            None => self.debugger.step(kind, length),
            Some(vice) => vice.step(&mut self.debugger, kind, length)?,
        };
        self.finish(stopped)
    }

    fn travel(&mut self, time: u64) -> Done {
        let stopped = self.debugger.go_to(time);
        self.finish(Some(stopped))
    }

    /// `PLACE [if CONDITION] [hits N]`
    fn conditions(&self, point: &mut Point, text: &str) -> Done {
        let (condition, hits) = match (text.strip_prefix("hits "), text.split_once(" hits ")) {
            (Some(hits), _) => ("", Some(hits)),
            (None, Some((condition, hits))) => (condition, Some(hits)),
            (None, None) => (text, None),
        };
        let condition = condition.trim().strip_prefix("if ").unwrap_or(condition).trim();
        if !condition.is_empty() {
            point.condition = Some(
                self.debugger
                    .compile(condition)
                    .map_err(|err| format!("the condition `{condition}`: {err}"))?,
            );
        }
        if let Some(hits) = hits {
            point.hits = Some(
                Hits::parse(hits).ok_or_else(|| format!("the hit count `{hits}` is none of 5, >= 5, % 3"))?,
            );
        }
        Ok(())
    }

    /// The breakpoint that a text begins with, and the rest of the text.
    fn point_at<'a>(&self, text: &'a str) -> Result<(Point, &'a str, &'a str), String> {
        let is_elsewhere = self.vice.is_some().then_some(tempo_emu::c64::Model::Pal);
        let model = self.debugger.machine().board().map(|board| board.model()).or(is_elsewhere);
        let end = [" if ", " hits "].iter().filter_map(|word| text.find(word)).min().unwrap_or(text.len());
        if let Some(watch) = Watch::parse_raster(text[..end].trim(), model) {
            let point = Point::new(Origin::Function, watch?);
            return Ok((point, text[..end].trim(), text[end..].trim_start()));
        }
        let (place, more) = text.split_once(' ').unwrap_or((text, ""));
        let point =
            match place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?))) {
                Some((path, line)) => {
                    let file = self
                        .debugger
                        .map
                        .file(path)
                        .ok_or_else(|| format!("{path} is not a part of the program"))?;
                    let places = self.debugger.map.line_places(file, line, None);
                    let places = places
                        .ok_or_else(|| format!("there is no code on line {line} or the ten after it"))?;
                    let mut point = Point::new(Origin::Line, Watch::Code(places.addresses));
                    point.line = Some((file, places.line));
                    point
                }
                None => Point::new(Origin::Function, Watch::Code(vec![self.address(place)?])),
            };
        Ok((point, place, more))
    }

    fn add_break(&mut self, rest: &str) -> Done {
        let (mut point, place, more) = self.point_at(rest)?;
        point.name = rest.to_string();
        self.conditions(&mut point, more)?;
        // A line without code stands for the next one with code.
        let line = point.line.map(|(_, line)| line.to_string());
        let moved = line.filter(|line| !place.ends_with(&format!(":{line}")));
        let id = self.debugger.add_point(point);
        let moved = moved.map_or(String::new(), |line| format!(": the code is on line {line}"));
        self.say(format!("breakpoint {id} at {place}{moved}"));
        Ok(())
    }

    fn add_log(&mut self, rest: &str) -> Done {
        let (mut point, place, text) = self.point_at(rest)?;
        if text.trim().is_empty() {
            return Err("log PLACE TEXT".to_string());
        }
        let address = if let Watch::Code(all) = &point.watch { all.first().copied() } else { None };
        point.log = Some(self.debugger.message(text.trim(), address)?);
        point.name = format!("log {rest}");
        let id = self.debugger.add_point(point);
        self.say(format!("breakpoint {id} prints at {place}"));
        Ok(())
    }

    /// `irq` stops at interrupts from now on, `no irq` does not; nothing lists what stops.
    fn catch(&mut self, rest: &str) -> Done {
        if rest.is_empty() {
            for exception in Exception::ALL {
                let state = if self.debugger.exceptions.has(exception) { "stops" } else { "     " };
                self.say(format!("{state}  {:<14}{}", exception.id(), exception.label()));
            }
            return Ok(());
        }
        let (name, is_on) = rest.strip_prefix("no ").map_or((rest, true), |name| (name.trim(), false));
        let exception = Exception::from_id(name).ok_or_else(|| {
            let near = tempo_diagnostics::nearest(name, Exception::ALL.into_iter().map(Exception::id));
            match near {
                Some(near) => format!("there is no exception `{name}`; did you mean `{near}`?"),
                None => format!("there is no exception `{name}`; `catch` lists them"),
            }
        })?;
        if self.vice.is_some() {
            return Err("VICE stops at breakpoints and jam opcodes only".to_string());
        }
        let all = self.debugger.exceptions;
        self.debugger.exceptions = if is_on { all.with(exception) } else { all.without(exception) };
        Ok(())
    }

    fn add_watch(&mut self, rest: &str) -> Done {
        let mut words = rest.splitn(2, ' ');
        let place = words.next().unwrap_or("");
        let more = words.next().unwrap_or("").trim();
        let (kind, more) = match more.split_once(' ') {
            Some((kind, more)) if ["read", "write", "change"].contains(&kind) => (kind, more),
            _ if ["read", "write", "change"].contains(&more) => (more, ""),
            _ => ("write", more),
        };
        let (first, width) = match self.debugger.place_of(place) {
            Some(place) => place,
            None => (self.address(place)?, 1),
        };
        let last = u16::try_from(usize::from(first) + width - 1)
            .map_err(|_| format!("{place} reaches beyond $ffff"))?;
        let watch = Watch::Data {
            first,
            last,
            read: kind == "read",
            write: kind != "read",
            on_change: kind == "change",
        };
        let mut point = Point::new(Origin::Data, watch);
        self.conditions(&mut point, more)?;
        point.name = format!("{kind} {place}");
        let id = self.debugger.add_point(point);
        let range = if first == last { String::new() } else { format!("-${last:04x}") };
        self.say(format!("breakpoint {id}: {kind} of ${first:04x}{range}"));
        Ok(())
    }

    fn delete(&mut self, rest: &str) -> Done {
        if rest.is_empty() {
            self.debugger.points.retain(|point| point.origin == Origin::Source);
            return Ok(());
        }
        let id: u32 = rest.parse().map_err(|_| "delete N".to_string())?;
        self.debugger.points.get(id).ok_or_else(|| format!("there is no breakpoint {id}"))?;
        self.debugger.points.retain(|point| point.id != id);
        Ok(())
    }

    /// A breakpoint at a line, or none any more.
    pub fn toggle(&mut self, path: &str, line: u32) -> Done {
        let file = self.debugger.map.file(path).ok_or("there is no code here")?;
        let places = self
            .debugger
            .map
            .line_places(file, line, None)
            .ok_or("there is no code on this line or the ten after it")?;
        let here = Some((file, places.line));
        if self.debugger.points.iter().any(|point| point.line == here) {
            self.debugger.points.retain(|point| point.line != here);
            return self.place_points();
        }
        let short = path.rsplit(['/', '\\']).next().unwrap_or(path);
        self.add_break(&format!("{short}:{}", places.line))
            .or_else(|_| self.add_break(&format!("{path}:{}", places.line)))?;
        self.place_points()
    }

    fn why(&mut self, rest: &str) -> Done {
        if rest.is_empty() {
            let time = self.cause.ok_or("why PLACE, or a register or flag")?;
            return self.travel(time);
        }
        let subject = match Subject::parse(rest) {
            Some(subject) => subject,
            None => Subject::Byte(match self.debugger.place_of(rest) {
                Some((address, _)) => address,
                None => self.address(rest)?,
            }),
        };
        match self.debugger.why(subject) {
            Writer::Nobody => self.say(format!("{subject}: not written since the start")),
            Writer::Outside { time, value } => {
                let who = if self.debugger.test.is_some() { "the test" } else { "you" };
                self.say(format!("{subject} = ${value:02x}: stored by {who} at time {time}"));
                self.cause = Some(time);
            }
            Writer::Instruction(maker) => {
                self.say(format!(
                    "{subject} = ${:02x}: {} at {}, cycle {}, time {}",
                    maker.value,
                    maker.text,
                    self.debugger.place(maker.pc),
                    maker.cycles,
                    maker.time
                ));
                for call in maker.calls.iter().rev().take(4) {
                    let line = format!("  called from {}", self.debugger.place(call.from));
                    self.say(line);
                }
                let used: Vec<String> =
                    maker.uses.iter().map(|(subject, value)| format!("{subject} = ${value:02x}")).collect();
                if !used.is_empty() {
                    self.say(format!("  used {}", used.join(", ")));
                }
                self.cause = Some(maker.time);
            }
        }
        Ok(())
    }

    /// What a command line could go on with.
    pub fn complete(&self, text: &str) -> Vec<String> {
        let start =
            text.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map_or(0, |at| at + 1);
        let prefix = &text[start..];
        let head = &text[..start];
        if start == 0 {
            return COMMANDS
                .iter()
                .filter(|(name, _, _)| name.starts_with(prefix))
                .map(|(name, _, _)| (*name).to_string())
                .collect();
        }
        self.debugger.complete(prefix, 50).into_iter().map(|name| format!("{head}{name}")).collect()
    }
}
