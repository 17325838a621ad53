//! Breakpoints: where they are, what must hold, and what happens then. They are checked inside the emulator's hook, in
//! the order condition, hit count, log or stop.

use std::sync::Arc;

use tempo_diagnostics::hex;
use tempo_emu::Timing;

use crate::condition::{Fault, Program, Resolve, View};
use crate::hook::{EXECUTE, Flags, READ, WRITE};
use crate::launch::parse_number;

/// The subject of a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    /// Instructions at these addresses.
    Code(Vec<u16>),
    /// Statements of a test's text, by the offsets they start at.
    Text(Vec<u32>),
    /// Accesses to a range of memory.
    Data {
        /// The first address.
        first: u16,
        /// The last address.
        last: u16,
        /// Reads stop.
        read: bool,
        /// Writes stop.
        write: bool,
        /// Only writes of another value.
        on_change: bool,
    },
    /// The beam enters a line, or a cycle of it.
    Raster {
        /// The line.
        line: u16,
        /// The cycle, from 1.
        cycle: u8,
    },
}

impl Watch {
    /// `line 100` or `line 100, cycle 20` on a machine with these frames: the place of the beam, or why it never gets there.
    pub fn parse_raster(text: &str, timing: Option<Timing>) -> Option<Result<Watch, &'static str>> {
        let rest = text.strip_prefix("line ")?;
        let (line, cycle) = rest.split_once(',').map_or((rest, None), |(line, cycle)| (line, Some(cycle)));
        let line = u16::try_from(parse_number(line)?).ok()?;
        let cycle = match cycle {
            Some(cycle) => parse_number(cycle.trim().strip_prefix("cycle ")?)?,
            None => 1,
        };
        let cycle = u8::try_from(cycle).ok().filter(|&cycle| cycle > 0)?;
        Some(match timing {
            None => Err("this machine has no raster beam"),
            Some(timing) if line >= timing.lines || u64::from(cycle) > timing.cycles_per_line => {
                Err("the beam never gets there")
            }
            Some(_) => Ok(Watch::Raster { line, cycle }),
        })
    }
}

/// Who made a breakpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A line of a source.
    Line,
    /// A label.
    Function,
    /// An address.
    Instruction,
    /// A place in memory.
    Data,
    /// `.break` and `.watch` in the source.
    Source,
    /// A command that the user typed.
    Console,
}

/// How often a place must have been reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hits {
    /// At this time and no other.
    Equal(u64),
    /// From this time on.
    AtLeast(u64),
    /// After this time.
    Above(u64),
    /// Every this many times.
    Every(u64),
}

impl Hits {
    /// `5`, `== 5`, `>= 5`, `> 5`, `% 3`.
    pub fn parse(text: &str) -> Option<Hits> {
        let text = text.trim();
        let number = |rest: &str| rest.trim().parse::<u64>().ok();
        if let Some(rest) = text.strip_prefix(">=") {
            return number(rest).map(Hits::AtLeast);
        }
        if let Some(rest) = text.strip_prefix('>') {
            return number(rest).map(Hits::Above);
        }
        if let Some(rest) = text.strip_prefix("==").or(text.strip_prefix('=')) {
            return number(rest).map(Hits::Equal);
        }
        if let Some(rest) = text.strip_prefix('%') {
            return number(rest).filter(|&every| every > 0).map(Hits::Every);
        }
        number(text).map(Hits::Equal)
    }

    fn holds(self, hits: u64) -> bool {
        match self {
            Hits::Equal(wanted) => hits == wanted,
            Hits::AtLeast(wanted) => hits >= wanted,
            Hits::Above(wanted) => hits > wanted,
            Hits::Every(every) => hits.is_multiple_of(every),
        }
    }
}

/// A text with values in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value(Program, char),
}

impl Message {
    /// `{expression}` and `{expression:x}`; `x` hexadecimal, `d` decimal, `b` binary, `c` a character, `s` the text at
    /// that address.
    pub fn parse(text: &str, names: Resolve<'_>) -> Result<Message, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let close =
                rest[open..].find('}').map(|at| at + open).ok_or("a `{` of the message is not closed")?;
            parts.push(Part::Text(rest[..open].to_string()));
            let inner = &rest[open + 1..close];
            let (expression, form) = match inner.rsplit_once(':') {
                Some((expression, form)) if ["x", "d", "b", "c", "s"].contains(&form.trim()) => {
                    (expression, form.trim().chars().next().unwrap_or('x'))
                }
                _ => (inner, ' '),
            };
            let program = Program::compile(expression, names).map_err(|err| format!("{{{inner}}}: {err}"))?;
            parts.push(Part::Value(program, form));
            rest = &rest[close + 1..];
        }
        parts.push(Part::Text(rest.to_string()));
        Ok(Message(parts))
    }

    /// The text now.
    pub fn show(&self, view: &View<'_>) -> String {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Value(program, form) => match program.eval(view) {
                    Err(fault) => out.push_str(&format!("<{fault}>")),
                    Ok(value) => out.push_str(&formatted(value, *form, view)),
                },
            }
        }
        out
    }
}

fn formatted(value: i64, form: char, view: &View<'_>) -> String {
    match form {
        'x' => format!("${value:02X}"),
        'd' => value.to_string(),
        'b' => format!("%{value:08b}"),
        'c' => char::from_u32(value as u32 & 0xff).filter(|c| !c.is_control()).unwrap_or('.').to_string(),
        's' => (0..80_u16)
            .map(|offset| (view.look)((value as u16).wrapping_add(offset)))
            .take_while(|&byte| byte != 0)
            .map(|byte| if (0x20..0x7f).contains(&byte) { byte as char } else { '.' })
            .collect(),
        _ if (0..=0xffff).contains(&value) => hex(value),
        _ => value.to_string(),
    }
}

/// A breakpoint.
#[derive(Debug, Clone)]
pub struct Point {
    /// The number the user knows it by.
    pub id: u32,
    /// Who made it.
    pub origin: Origin,
    /// The watched subject.
    pub watch: Watch,
    /// The condition.
    pub condition: Option<Program>,
    /// How often it must have held.
    pub hits: Option<Hits>,
    /// Printed instead of a stop.
    pub log: Option<Message>,
    /// How often the condition held so far.
    pub count: u64,
    /// Hits are counted from this time on.
    pub since: u64,
    /// The text at a stop, such as the label.
    pub name: String,
    /// The line it is on: file and number.
    pub line: Option<(usize, u32)>,
}

impl Point {
    /// Whether it says the same as another: numbers and counts aside.
    pub fn is_like(&self, other: &Point) -> bool {
        let text = |point: &Point| point.condition.as_ref().map(|condition| condition.text().to_string());
        (self.origin, &self.watch, self.hits, &self.log, &self.name, self.line)
            == (other.origin, &other.watch, other.hits, &other.log, &other.name, other.line)
            && text(self) == text(other)
    }

    /// A breakpoint without conditions. Its number is given by [`Points::add`].
    pub fn new(origin: Origin, watch: Watch) -> Point {
        Point {
            id: 0,
            origin,
            watch,
            condition: None,
            hits: None,
            log: None,
            count: 0,
            since: 0,
            name: String::new(),
            line: None,
        }
    }
}

/// The report of a breakpoint that is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Nothing,
    /// Print this and go on.
    Log(String),
    /// Stop.
    Stop,
    /// Stop: the condition cannot be evaluated.
    Fault(Fault),
}

/// All breakpoints.
#[derive(Default, Clone)]
pub struct Points {
    points: Vec<Point>,
    /// Those on code, by address.
    by_address: Vec<(u16, usize)>,
    /// Shared with runs, so that these need no copy.
    pub(crate) flags: Arc<Flags>,
    last_id: u32,
}

impl Points {
    /// Adds one; the number it got.
    pub fn add(&mut self, mut point: Point) -> u32 {
        self.last_id += 1;
        point.id = self.last_id;
        self.points.push(point);
        self.index();
        self.last_id
    }

    /// The last number that was given.
    pub fn last_id(&self) -> u32 {
        self.last_id
    }

    /// Numbers from here on are above `id`.
    pub fn start_after(&mut self, id: u32) {
        self.last_id = self.last_id.max(id);
    }

    /// Gives a point another number; whether that was free.
    pub fn rename(&mut self, id: u32, new: u32) -> bool {
        let is_free = id == new || self.get(new).is_none();
        if is_free && let Some(point) = self.points.iter_mut().find(|point| point.id == id) {
            point.id = new;
        }
        is_free
    }

    /// Drops those that are not wanted any more.
    pub fn retain(&mut self, keep: impl FnMut(&Point) -> bool) {
        self.points.retain(keep);
        self.index();
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Point> {
        self.points.iter()
    }

    /// One by its number.
    pub fn get(&self, id: u32) -> Option<&Point> {
        self.points.iter().find(|point| point.id == id)
    }

    fn index(&mut self) {
        let mut all = Flags::default();
        self.by_address.clear();
        for (number, point) in self.points.iter().enumerate() {
            match &point.watch {
                Watch::Code(addresses) => {
                    for &address in addresses {
                        all.add(address, EXECUTE);
                        self.by_address.push((address, number));
                    }
                }
                Watch::Data { first, last, read, write, .. } => {
                    let flags = if *read { READ } else { 0 } | if *write { WRITE } else { 0 };
                    for address in *first..=*last {
                        all.add(address, flags);
                    }
                }
                Watch::Raster { .. } | Watch::Text(_) => {}
            }
        }
        self.by_address.sort_unstable();
        self.flags = Arc::new(all);
    }

    /// Instructions at $0000 are seen: a bare program returns there.
    pub(crate) fn watch_zero(&mut self) {
        if self.flags.at(0) & EXECUTE == 0 {
            Arc::make_mut(&mut self.flags).add(0, EXECUTE);
        }
    }

    /// Whether accesses must be watched.
    pub fn needs_accesses(&self) -> bool {
        self.points.iter().any(|point| matches!(point.watch, Watch::Data { .. }))
    }

    /// Whether every instruction must be looked at.
    pub fn needs_all(&self) -> bool {
        self.points.iter().any(|point| matches!(point.watch, Watch::Raster { .. }))
    }

    /// Those at an address, with their numbers in the list.
    #[inline]
    pub(crate) fn at(&self, address: u16) -> &[(u16, usize)] {
        let first = self.by_address.partition_point(|(other, _)| *other < address);
        let count = self.by_address[first..].iter().take_while(|(other, _)| *other == address).count();
        &self.by_address[first..first + count]
    }

    /// Those that count.
    pub(crate) fn counting(&mut self) -> impl Iterator<Item = &mut Point> {
        self.points.iter_mut().filter(|point| point.hits.is_some())
    }

    /// Takes points out, to be put back by [`Points::put_back`] if they are still wanted.
    pub fn take_out(&mut self, mut wanted: impl FnMut(&Point) -> bool) -> Vec<Point> {
        let (out, kept) = std::mem::take(&mut self.points).into_iter().partition(|point| wanted(point));
        self.points = kept;
        self.index();
        out
    }

    /// Puts a point back that [`Points::take_out`] gave, with its number and count.
    pub fn put_back(&mut self, point: Point) {
        self.points.push(point);
        self.index();
    }

    pub(crate) fn by_number(&self, number: usize) -> &Point {
        &self.points[number]
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether the point has a condition that does not hold.
    #[inline]
    pub(crate) fn is_false(&self, number: usize, view: &View<'_>) -> bool {
        self.points[number].condition.as_ref().is_some_and(|condition| condition.eval(view) == Ok(0))
    }

    /// The point is reached: condition, hit count, log or stop.
    pub(crate) fn reached(&mut self, number: usize, view: &View<'_>, time: u64) -> Verdict {
        let point = &mut self.points[number];
        if let Some(condition) = &point.condition {
            match condition.eval(view) {
                Ok(0) => return Verdict::Nothing,
                Ok(_) => {}
                Err(fault) => return Verdict::Fault(fault),
            }
        }
        if point.hits.is_some() && time <= point.since {
            return Verdict::Nothing;
        }
        point.count += 1;
        if point.hits.is_some_and(|hits| !hits.holds(point.count)) {
            return Verdict::Nothing;
        }
        match &point.log {
            Some(message) => Verdict::Log(message.show(view)),
            None => Verdict::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_counts_are_read_as_editors_write_them() {
        assert_eq!(Hits::parse("5"), Some(Hits::Equal(5)));
        assert_eq!(Hits::parse("== 5"), Some(Hits::Equal(5)));
        assert_eq!(Hits::parse(">= 5"), Some(Hits::AtLeast(5)));
        assert_eq!(Hits::parse("> 5"), Some(Hits::Above(5)));
        assert_eq!(Hits::parse("% 3"), Some(Hits::Every(3)));
        assert_eq!(Hits::parse("% 0"), None);
        assert_eq!(Hits::parse("often"), None);
    }

    #[test]
    fn messages_show_values_in_the_form_asked_for() {
        let names = |name: &str| (name == "text").then_some(0x2000_i64);
        let registers = tempo_emu::Registers { a: 65, ..Default::default() };
        let look = |at: u16| {
            if at == 0x2000 {
                b'H'
            } else if at == 0x2001 {
                b'I'
            } else {
                0
            }
        };
        let view = View {
            registers: &registers,
            cycles: 7,
            look: &look,
            bank: None,
            clock: crate::condition::Clock::default(),
        };
        let show = |text: &str| Message::parse(text, &names).map(|message| message.show(&view));
        assert_eq!(
            show("A is {a:d} {a:x} {a:b} {a:c}, {text:s} after {cycles}"),
            Ok("A is 65 $41 %01000001 A, HI after $07".to_string())
        );
        assert!(show("open {a").is_err());
        assert!(show("{nobody}").is_err());
    }
}
