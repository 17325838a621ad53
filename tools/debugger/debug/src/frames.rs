//! The call stack as it is shown: routines, the macros and loops between them, and the test at the bottom.

use crate::calls::CallKind;
use crate::debugger::Debugger;
use crate::map::SourceMap;
use crate::reverse::chain_at;

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// Where it stands; `None` without a source.
    pub place: Option<Place>,
    /// The address of its instruction; `None` for the text of a test.
    pub address: Option<u16>,
}

impl Debugger {
    /// The frames, innermost first. Without `macros` they are routines only.
    pub fn frames(&self, macros: bool) -> Vec<Frame> {
        let machine = &self.now.machine;
        let mut frames = Vec::new();
        if machine.is_in_code() {
            let calls = &self.now.calls.frames;
            let mut address = machine.registers().pc;
            for (index, call) in calls.iter().rev().enumerate() {
                let routine = self.routine(call.target, address);
                let name = match call.kind {
                    CallKind::Call => routine,
                    CallKind::Irq => format!("[irq] {routine}"),
                    CallKind::Nmi => format!("[nmi] {routine}"),
                    CallKind::Brk => format!("[brk] {routine}"),
                };
                self.add_frames(&mut frames, address, &name, index == 0, macros);
                address = call.from;
            }
            let name = self.names.describe(self.now.calls.entry);
            let name = name.split('+').next().unwrap_or("").to_string();
            self.add_frames(&mut frames, address, &name, calls.is_empty(), macros);
        }
        if let Some(test) = &self.test
            && let Some((span, _)) = machine.statement()
        {
            let at = test.location(span);
            if at.file.is_empty() {
                return frames;
            }
            let place = Place { path: at.file, line: at.line, column: at.column };
            let name = format!("[test] {}", test.id);
            frames.push(Frame { name, place: Some(place), address: None });
        }
        frames
    }

    /// The name of a routine that was entered at `target` and is at `address`. What begins without a name, such as
    /// the ROM's way to an interrupt handler, is called by the label it has come to.
    fn routine(&self, target: u16, address: u16) -> String {
        let name = self.names.describe(target);
        let reached = self.names.describe(address);
        match name.starts_with('$') && !reached.starts_with('$') {
            true => reached.split('+').next().unwrap_or("").to_string(),
            false => name,
        }
    }

    /// One routine: its statement, and the calls of the macros around it.
    fn add_frames(&self, frames: &mut Vec<Frame>, address: u16, name: &str, is_top: bool, macros: bool) {
        let peek = |at: u16| self.now.machine.peek(at);
        let Some(statement) = self.map.at(address, &peek) else {
            frames.push(Frame { name: name.to_string(), place: None, address: Some(address) });
            return;
        };
        let map = &self.map;
        let chain = map.chain(statement.expansion);
        let mut place = place_in(map, statement.file, statement.line, statement.column);
        let entered = chain_at(map, &self.now.machine).len().saturating_sub(self.hidden);
        let mut depth = chain.iter().filter(|&&at| !map.expansions[at].is_loop).count();
        let mut is_shown = !is_top || depth <= entered;
        for &at in chain.iter().rev() {
            let expansion = &map.expansions[at];
            if is_shown && macros {
                let frame_place = Some(place.clone());
                frames.push(Frame {
                    name: expansion.name.clone(),
                    place: frame_place,
                    address: Some(address),
                });
            }
            if !expansion.is_loop {
                depth -= 1;
            }
            if is_top && !is_shown && depth <= entered {
                is_shown = true;
            }
            place = place_in(map, expansion.file, expansion.line, expansion.column);
        }
        if !macros && is_top && self.hidden == 0 {
            place = place_in(map, statement.file, statement.line, statement.column);
        }
        frames.push(Frame { name: name.to_string(), place: Some(place), address: Some(address) });
    }

    /// The text of a source line, or of a line of the test.
    pub fn text_of(&self, place: &Place) -> &str {
        if let Some(file) = self.map.file(&place.path) {
            return self.map.files[file].source.line(place.line);
        }
        self.test.as_ref().and_then(|test| test.suite()).map_or("", |suite| suite.line(place.line))
    }

    /// Where the user is shown to be.
    pub fn top_place(&self) -> Option<Place> {
        self.frames(true).into_iter().next().and_then(|frame| frame.place)
    }
}

fn place_in(map: &SourceMap, file: usize, line: u32, column: u32) -> Place {
    Place { path: map.files[file].path.clone(), line, column }
}
