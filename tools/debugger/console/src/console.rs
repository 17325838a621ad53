//! From a typed line to an answer.

use tempo_debug::{Debugger, Place, Reason, Stopped, Subject, parse_number};

use crate::answer::{Answer, Change, Kind, Line, Problem, Then};
use crate::desk::Desk;
use crate::word::{Word, find, words};

/// The end of a command.
pub(crate) type Done = Result<(), Problem>;

/// Aliases that name a register or a flag: where expressions are typed, `c` alone and `c == 1` are about the value.
const VALUES: [&str; 4] = ["b", "c", "n", "p"];

/// The state that a console keeps from command to command.
#[derive(Debug, Clone, Default)]
pub struct Console {
    /// Expressions to keep in sight.
    pub shown: Vec<String>,
    /// Where memory is shown from.
    pub memory: u16,
    /// Whether registers, memory and the expressions to keep in sight are on a screen beside the lines.
    pub has_screen: bool,
    /// Whether a letter alone, or before an operator, is a register or flag, and not the short form of a command.
    pub prefers_values: bool,
    /// Whether calls are listed without the macros around them.
    pub hides_macros: bool,
    /// The moment that the last `why` named.
    pub(crate) cause: Option<u64>,
    /// Breakpoints that were set here, with the lines that set them.
    pub(crate) set: Vec<(u32, String)>,
}

/// A line as it is understood.
#[derive(Clone, Copy)]
pub enum Input<'t> {
    /// A command, and the text after its word.
    Word(&'static Word, &'t str),
    /// An expression, or an assignment.
    Expression(&'t str),
}

impl Console {
    /// A console where mostly expressions are typed, as in editors.
    pub fn of_expressions() -> Console {
        Console { prefers_values: true, ..Console::default() }
    }

    /// A console beside a screen that shows the machine.
    pub fn beside_screen() -> Console {
        Console { has_screen: true, ..Console::default() }
    }

    /// Reads a line: a command if its first word is one, else an expression.
    pub fn read<'t>(&self, text: &'t str) -> Input<'t> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let is_value = self.prefers_values && VALUES.contains(&word) && goes_on(rest.trim());
        match find(word) {
            Some(word) if !is_value => Input::Word(word, rest.trim()),
            _ => Input::Expression(text),
        }
    }

    /// Does what a line asks for.
    pub fn command(&mut self, desk: Desk<'_>, text: &str) -> Result<Answer, Problem> {
        let input = self.read(text);
        let text = text.trim();
        let word = if let Input::Word(word, _) = input { Some(word) } else { None };
        let mut turn = Turn { console: self, desk, answer: Answer::default(), word, text };
        match input {
            Input::Word(word, rest) => turn.run(word, rest)?,
            Input::Expression(text) => turn.expression(text)?,
        }
        let Turn { desk, mut answer, .. } = turn;
        if let Then::Stopped(stopped) = &answer.then {
            let lines = self.stop_lines(desk.debugger, stopped);
            answer.lines.extend(lines);
        }
        Ok(answer)
    }

    /// The lines that tell a stop: messages of breakpoints, the reason and the place, expressions to keep in sight.
    pub fn stop_lines(&self, debugger: &mut Debugger, stopped: &Stopped) -> Vec<Line> {
        let mut lines: Vec<Line> =
            debugger.take_log().into_iter().map(|text| Line::new(Kind::Log, text)).collect();
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
        let place = self.place_line(debugger);
        let text = if parts.is_empty() { place } else { format!("{}; {place}", parts.join(": ")) };
        let line = Line::new(Kind::Stop, text).at(debugger.machine().registers().pc);
        lines.push(line.on(debugger.top_place()).when(debugger.time()));
        if !self.has_screen {
            lines.extend(self.shown.iter().map(|expression| shown_line(debugger, expression)));
        }
        lines
    }

    fn place_line(&self, debugger: &Debugger) -> String {
        let registers = debugger.machine().registers();
        let shown = match self.has_screen {
            false => format!(
                "A={:02X} X={:02X} Y={:02X} SP={:02X} {} | ",
                registers.a, registers.x, registers.y, registers.s, registers.p
            ),
            true => String::new(),
        };
        let cycles = debugger.machine().cycles();
        match debugger.top_place() {
            Some(place) => format!("{} | {shown}cycle {cycles}", source_line(debugger, &place)),
            None => {
                let row = debugger.listing(registers.pc, 0, 1);
                let text = row.first().map_or("", |row| row.text.as_str());
                format!("${:04X} {text} | {shown}cycle {cycles}", registers.pc)
            }
        }
    }

    /// Sets the breakpoints of this console again, in a debugger that has none of them. Returns what cannot be set.
    pub fn set_again(&mut self, desk: &mut Desk<'_>) -> Vec<Line> {
        let mut lines = Vec::new();
        for (_, text) in std::mem::take(&mut self.set) {
            let remote = desk.remote.as_mut().map(|remote| &mut **remote as _);
            let again = Desk { debugger: &mut *desk.debugger, remote, files: desk.files };
            if let Err(problem) = self.command(again, &text) {
                lines.push(Line::new(Kind::Text, format!("{text}: {problem}")));
            }
        }
        lines
    }
}

/// Whether a text goes on with an expression, or ends it.
fn goes_on(rest: &str) -> bool {
    rest.is_empty()
        || rest.starts_with(|c: char| "=!<>+-*/&|^%".contains(c))
        || ["and ", "or ", "in ", "not in "].iter().any(|word| rest.starts_with(word))
}

/// A line of the source as it is shown: `main.asm:12 inc counter`.
pub(crate) fn source_line(debugger: &Debugger, place: &Place) -> String {
    let short = place.path.rsplit(['/', '\\']).next().unwrap_or("");
    format!("{short}:{} {}", place.line, debugger.text_of(place).trim())
}

/// An expression to keep in sight, with its value.
pub(crate) fn shown_line(debugger: &Debugger, expression: &str) -> Line {
    let value = debugger.evaluate(expression).map_or_else(|err| err, |answer| answer.text);
    Line::new(Kind::Shown, format!("{expression} = {value}"))
}

/// The subject of a question for an origin: a register, a flag, or a byte.
pub fn subject(debugger: &Debugger, text: &str) -> Result<Subject, String> {
    if let Some(subject) = Subject::parse(text) {
        return Ok(subject);
    }
    place(debugger, text).map(|(address, _)| Subject::Byte(address))
}

/// The address that a text means: a number, a name, or the value of an expression.
pub(crate) fn address(debugger: &Debugger, text: &str) -> Result<u16, String> {
    let value = match parse_number(text).or_else(|| debugger.names.get(text, "")) {
        Some(value) => value,
        None => debugger.value(text)?,
    };
    u16::try_from(value).map_err(|_| format!("{text} is outside of memory"))
}

/// The place in memory that a text means, and its width.
pub(crate) fn place(debugger: &Debugger, text: &str) -> Result<(u16, usize), String> {
    match debugger.place_of(text) {
        Some(place) => Ok(place),
        None => Ok((address(debugger, text)?, 1)),
    }
}

/// The two sides of `[score] = 5`; a comparison is none.
pub fn assignment(text: &str) -> Option<(&str, &str)> {
    let at = text.find('=')?;
    let before = text[..at].chars().last()?;
    let is_comparison = text[at + 1..].starts_with('=') || matches!(before, '<' | '>' | '!' | '=');
    (!is_comparison).then(|| (text[..at].trim(), text[at + 1..].trim()))
}

/// A command while it runs.
pub(crate) struct Turn<'c, 'd> {
    pub console: &'c mut Console,
    pub desk: Desk<'d>,
    pub answer: Answer,
    pub word: Option<&'static Word>,
    /// The whole line.
    pub text: &'c str,
}

impl Turn<'_, '_> {
    fn run(&mut self, word: &'static Word, rest: &str) -> Done {
        if word.needs_past && self.desk.remote.is_some() {
            return Err(format!("`{}` needs the past, and VICE has none", word.name).into());
        }
        (word.run)(self, rest)
    }

    /// Evaluates a line without a command, or assigns.
    fn expression(&mut self, text: &str) -> Done {
        if text.is_empty() {
            return Ok(());
        }
        let done = match assignment(text) {
            Some((target, value)) => self.assign(target, value),
            None => self.evaluate(text),
        };
        // A slip in a command is more likely than an expression that begins with almost the same word.
        let first = text.split(char::is_whitespace).next().unwrap_or("");
        match (done, tempo_diagnostics::nearest(first, words().map(|word| word.name))) {
            (Err(_), Some(near)) => {
                Err(format!("there is no command `{first}`; did you mean `{near}`?").into())
            }
            (done, _) => done,
        }
    }

    pub fn evaluate(&mut self, text: &str) -> Done {
        let value = self.desk.debugger.evaluate(text)?;
        let mut line = Line::new(Kind::Value, value.text.clone());
        line.address = value.address;
        self.answer.lines.push(line);
        self.answer.value = Some(value);
        Ok(())
    }

    pub fn assign(&mut self, target: &str, value: &str) -> Done {
        let bytes = self.desk.debugger.place_of(target);
        let before = *self.desk.debugger.machine().registers();
        let (shown, dropped) = self.desk.debugger.assign(target, value)?;
        let is_register = before != *self.desk.debugger.machine().registers();
        self.say(Kind::Value, shown);
        self.changed(bytes.filter(|_| !is_register), dropped)
    }

    pub fn say(&mut self, kind: Kind, text: impl Into<String>) {
        self.answer.lines.push(Line::new(kind, text));
    }

    pub fn push(&mut self, line: Line) {
        self.answer.lines.push(line);
    }

    /// The way the word is used, for one that is used wrongly.
    pub fn misused(&self) -> Problem {
        let text = self.word.map_or(String::new(), |word| {
            format!("`{}` is used as {}; for example {}", word.name, word.usage(), word.example)
        });
        Problem::from(text)
    }

    pub fn address(&self, text: &str) -> Result<u16, Problem> {
        Ok(address(self.desk.debugger, text)?)
    }

    pub fn place(&self, text: &str) -> Result<(u16, usize), Problem> {
        Ok(place(self.desk.debugger, text)?)
    }

    /// Brings bytes, or the registers, to a machine elsewhere.
    pub fn write_back(&mut self, bytes: Option<(u16, usize)>) -> Done {
        let Some(remote) = &mut self.desk.remote else { return Ok(()) };
        remote.write_back(self.desk.debugger, bytes).map_err(Problem::lost)
    }

    /// Bytes or registers were changed: a machine elsewhere gets them, and the answer tells it.
    pub fn changed(&mut self, bytes: Option<(u16, usize)>, dropped: bool) -> Done {
        self.write_back(bytes)?;
        self.answer.change = Some(Change { bytes, dropped });
        if dropped {
            self.say(Kind::Text, "the recorded future was dropped: the past was changed");
        }
        Ok(())
    }

    /// The machine has moved, or runs now.
    pub fn moved(&mut self, stopped: Option<Stopped>) -> Done {
        self.answer.then = stopped.map_or(Then::Runs, Then::Stopped);
        Ok(())
    }

    /// Goes to a recorded moment.
    pub fn travel(&mut self, time: u64) -> Done {
        let stopped = self.desk.debugger.go_to(time);
        self.moved(Some(stopped))
    }
}
