//! The walk through a document: the pointer of where we are, and the questions every field is asked.
//! Knows JSON types and how to report; knows no field of the format by name.

use std::collections::HashMap;

use tempo_boardgame::Square;
use tempo_diagnostics::{Span, nearest};
use tempo_json::{Member, Node, Pointer};

use super::names::quote;
use super::report::{Code, Finding, Found};
use super::{Board, Names};
use crate::model::Offset;

/// Steps longer than any board leave it anyway; held here so that arithmetic cannot overflow.
const FARTHEST: i64 = 1000;

/// Similar names are looked for this often, then no more: a list of 10,000 wrong names needs no 10,000 hints.
const MOST_HINTS: u32 = 100;

pub(super) struct Walker<'d> {
    pub names: Names<'d>,
    pub board: Board,
    pub found: Found,
    pointer: Pointer,
    flags: HashMap<String, usize>,
    hints: u32,
}

impl<'d> Walker<'d> {
    pub fn new(names: Names<'d>) -> Walker<'d> {
        Walker {
            names,
            board: Board::default(),
            found: Found::default(),
            pointer: Pointer::default(),
            flags: HashMap::new(),
            hints: 0,
        }
    }

    /// Reports a fault of the value the walk is on.
    pub fn fault(&mut self, node: &Node<'_>, code: Code, message: String) {
        self.found.faults.push(Finding::error(code, node.span, message).pointer(self.pointer.as_str()));
    }

    pub fn fault_at(&mut self, pointer: &str, span: Span, code: Code, message: String) {
        self.found.faults.push(Finding::error(code, span, message).pointer(pointer));
    }

    pub fn warning(&mut self, node: &Node<'_>, code: Code, message: String) {
        let pointer = self.pointer.as_str().to_owned();
        self.warning_at(&pointer, node.span, code, message);
    }

    pub fn warning_at(&mut self, pointer: &str, span: Span, code: Code, message: String) {
        self.found.warnings.push(Finding::warning(code, span, message).pointer(pointer));
    }

    pub fn pointer(&self) -> &str {
        self.pointer.as_str()
    }

    fn wrong_type(&mut self, node: &Node<'_>, wanted: &str) {
        let message = format!("expected {wanted}, found {}", node.describe());
        self.fault(node, Code::WrongType, message);
    }

    /// `, did you mean "PAWN"?` if a known name is near.
    pub fn hint<'n>(&mut self, name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
        self.hints += 1;
        if self.hints > MOST_HINTS {
            return String::new();
        }
        nearest(name, known).map(|near| format!(", did you mean {}?", quote(near))).unwrap_or_default()
    }

    /// Runs `walk` with the pointer one key deeper.
    pub fn within<R>(&mut self, key: &str, walk: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.pointer.push_key(key);
        let result = walk(self);
        self.pointer.cut(length);
        result
    }

    /// Whether this is an object; fields that the format does not know are warned of.
    pub fn object(&mut self, node: &Node<'_>, fields: &[&str]) -> bool {
        let Some(members) = self.members(node) else { return false };
        for member in members {
            let key = member.key.as_ref();
            if fields.contains(&key) || key.starts_with('_') || key.starts_with("x-") {
                continue;
            }
            let hint = self.hint(key, fields.iter().copied());
            let message = format!("the field {} has no meaning here{hint}", quote(key));
            self.within(key, |walker| {
                let pointer = walker.pointer.as_str().to_owned();
                walker.warning_at(&pointer, member.key_span, Code::UnknownField, message);
            });
        }
        true
    }

    pub fn members<'n, 't>(&mut self, node: &'n Node<'t>) -> Option<&'n [Member<'t>]> {
        let members = node.members();
        if members.is_none() {
            self.wrong_type(node, "an object");
        }
        members
    }

    pub fn required<'n, 't, R>(
        &mut self,
        object: &'n Node<'t>,
        key: &str,
        walk: impl FnOnce(&mut Self, &'n Node<'t>) -> R,
    ) -> Option<R> {
        if object.get(key).is_none() {
            self.fault(object, Code::MissingField, format!("the field {} is missing", quote(key)));
        }
        self.optional(object, key, walk)
    }

    pub fn optional<'n, 't, R>(
        &mut self,
        object: &'n Node<'t>,
        key: &str,
        walk: impl FnOnce(&mut Self, &'n Node<'t>) -> R,
    ) -> Option<R> {
        let node = object.get(key)?;
        Some(self.within(key, |walker| walk(walker, node)))
    }

    /// Walks the items of a list, or reports that it is none.
    pub fn each<'n, 't>(&mut self, node: &'n Node<'t>, mut walk: impl FnMut(&mut Self, usize, &'n Node<'t>)) {
        let Some(items) = node.items() else {
            self.wrong_type(node, "a list");
            return;
        };
        for (i, item) in items.iter().enumerate() {
            let length = self.pointer.push_index(i);
            walk(self, i, item);
            self.pointer.cut(length);
        }
    }

    /// Stands on item `i` of a list that is known to have it.
    pub fn item<R>(&mut self, node: &Node<'_>, i: usize, walk: impl FnOnce(&mut Self, &Node<'_>) -> R) -> R {
        let length = self.pointer.push_index(i);
        let item = node.items().and_then(|items| items.get(i)).unwrap_or(node);
        let result = walk(self, item);
        self.pointer.cut(length);
        result
    }

    /// A list that must not be empty and not be longer than `most`.
    pub fn list(&mut self, node: &Node<'_>, what: &str, most: usize) {
        if node.items().is_some_and(<[Node<'_>]>::is_empty) {
            self.fault(node, Code::EmptyList, format!("at least one {what} is needed"));
        }
        self.limit(node, what, most);
    }

    /// A list that must not be longer than `most`.
    pub fn limit(&mut self, node: &Node<'_>, what: &str, most: usize) {
        let length = node.items().map_or(0, <[Node<'_>]>::len);
        if length > most {
            let message = format!("{length} {what}s are more than this engine takes ({most})");
            self.fault(node, Code::TooLarge, message);
        }
    }

    /// The items of a list of exactly `length`; `code` is the fault of another length.
    pub fn items_of<'n, 't>(
        &mut self,
        node: &'n Node<'t>,
        length: usize,
        wanted: &str,
        code: Code,
    ) -> Option<&'n [Node<'t>]> {
        match node.items() {
            Some(items) if items.len() == length => Some(items),
            Some(items) => {
                let message = format!("expected {wanted}, found a list of {}", items.len());
                self.fault(node, code, message);
                None
            }
            None => {
                self.wrong_type(node, wanted);
                None
            }
        }
    }

    pub fn text<'n>(&mut self, node: &'n Node<'_>) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.wrong_type(node, "a text");
        }
        text
    }

    /// A name: not empty, and nothing in it that a terminal would obey.
    pub fn name<'n>(&mut self, node: &'n Node<'_>) -> Option<&'n str> {
        let name = self.text(node)?;
        if name.is_empty() {
            self.fault(node, Code::EmptyName, "a name must not be empty".into());
            return None;
        }
        if name.chars().any(char::is_control) {
            let message = format!("the name {} has control characters in it", quote(name));
            self.fault(node, Code::ControlCharacter, message);
            return None;
        }
        Some(name)
    }

    pub fn whole(&mut self, node: &Node<'_>) -> Option<i64> {
        let value = node.whole();
        if value.is_none() {
            self.wrong_type(node, "a whole number");
        }
        value
    }

    pub fn bool(&mut self, node: &Node<'_>) -> Option<bool> {
        let value = node.bool();
        if value.is_none() {
            self.wrong_type(node, "true or false");
        }
        value
    }

    /// A pair of whole numbers.
    pub fn pair(&mut self, node: &Node<'_>) -> Option<[i64; 2]> {
        self.pair_of(node, "a pair [x, y]", Code::WrongType)
    }

    /// The same in a field that has its own fault for lists of another length.
    pub fn pair_of(&mut self, node: &Node<'_>, wanted: &str, code: Code) -> Option<[i64; 2]> {
        self.items_of(node, 2, wanted, code)?;
        let first = self.item(node, 0, |walker, node| walker.whole(node));
        let second = self.item(node, 1, |walker, node| walker.whole(node));
        Some([first?, second?])
    }

    pub fn offset(&mut self, node: &Node<'_>) -> Option<Offset> {
        let [dx, dy] = self.pair(node)?.map(|part| part.clamp(-FARTHEST, FARTHEST) as i32);
        Some(Offset { dx, dy })
    }

    /// A square of the board in board coordinates; holes are the caller's business.
    pub fn square(&mut self, node: &Node<'_>) -> Option<Square> {
        let [x, y] = self.pair(node)?;
        let (columns, rows) = self.board.size?;
        if !(0..columns as i64).contains(&x) || !(0..rows as i64).contains(&y) {
            let message = format!("[{x},{y}] is outside the board of {columns} columns and {rows} rows");
            self.fault(node, Code::PositionOutOfBoard, message);
            return None;
        }
        Some(Square((y as usize * columns + x as usize) as u16))
    }

    /// The index of a piece code.
    pub fn piece(&mut self, node: &Node<'_>) -> Option<usize> {
        let code = self.text(node)?;
        let index = self.names.pieces.get(code).copied();
        if index.is_none() && self.names.has_pieces {
            let known: Vec<&str> = self.names.pieces.keys().copied().collect();
            let hint = self.hint(code, known);
            self.fault(node, Code::UnknownPiece, format!("no piece has the code {}{hint}", quote(code)));
        }
        index
    }

    /// The index of a player's name.
    pub fn player(&mut self, name: &str, span: Span) -> Option<usize> {
        let index = self.names.players.get(name).copied();
        if index.is_none() && self.names.has_players {
            let known: Vec<&str> = self.names.players.keys().copied().collect();
            let hint = self.hint(name, known);
            let message = format!("no player is called {}{hint}", quote(name));
            let pointer = self.pointer.as_str().to_owned();
            self.fault_at(&pointer, span, Code::UnknownPlayer, message);
        }
        index
    }

    /// The index of a state flag, known from now on.
    pub fn flag(&mut self, node: &Node<'_>) -> Option<usize> {
        let name = self.text(node)?;
        if name.chars().any(char::is_control) {
            let message = format!("the name {} has control characters in it", quote(name));
            self.fault(node, Code::ControlCharacter, message);
            return None;
        }
        let next = self.flags.len();
        if let Some(&index) = self.flags.get(name) {
            return Some(index);
        }
        if next == super::limits::FLAGS {
            let message =
                format!("more than {} state names are more than this engine takes", super::limits::FLAGS);
            self.fault(node, Code::TooLarge, message);
            return None;
        }
        self.flags.insert(name.to_owned(), next);
        Some(next)
    }

    pub fn flag_names(&self) -> Vec<String> {
        let mut names: Vec<(&String, &usize)> = self.flags.iter().collect();
        names.sort_by_key(|&(_, index)| index);
        names.into_iter().map(|(name, _)| name.clone()).collect()
    }
}
