//! Expectations on a tree of values with places: every one that is not met becomes a fault there.
//! Serves the JSON position and the YAML rules alike; knows the words of the game, not the documents.

use std::fmt;

use boardgame::Fault;
use boardgame::json::{Document, Lines, Node, Position as TextPosition, Span, Value};

use super::men::{Army, Compass, Kind, Major, Square, System, Team, Zone};

/// A fault with the line and column it points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFault {
    pub fault: Fault,
    pub at: TextPosition,
    /// Bytes of the text.
    pub span: Span,
}

impl fmt::Display for PlacedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.fault)
    }
}

impl std::error::Error for PlacedFault {}

/// Gives each fault its place in the text.
pub(super) fn place(document: &Document<'_>, faults: Vec<Fault>) -> Vec<PlacedFault> {
    let lines = document.lines();
    let mut placed: Vec<PlacedFault> = faults
        .into_iter()
        .map(|fault| {
            let span = document.span_of(&fault.pointer);
            PlacedFault { at: lines.position(span.start), span, fault }
        })
        .collect();
    for duplicate in &document.duplicates {
        let message = "this key stands here a second time".to_owned();
        let fault = Fault::new(duplicate.pointer.clone(), "duplicate-key", message);
        placed.push(PlacedFault { at: lines.position(duplicate.span.start), span: duplicate.span, fault });
    }
    placed.sort_by_key(|fault| fault.at);
    placed
}

/// A fault at an offset of a text that could not be read at all.
pub(super) fn place_syntax(text: &str, offset: usize, code: &'static str, message: String) -> PlacedFault {
    let offset = u32::try_from(offset.min(text.len())).unwrap_or(u32::MAX);
    let span = Span { start: offset, end: offset };
    PlacedFault { at: Lines::new(text).position(offset), span, fault: Fault::new("", code, message) }
}

/// A node and the pointer that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Place<'n, 't> {
    pub node: &'n Node<'t>,
    pub pointer: String,
}

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub faults: Vec<Fault>,
}

impl<'n, 't> Place<'n, 't> {
    pub fn root(document: &'n Document<'t>) -> Place<'n, 't> {
        Place { node: &document.root, pointer: String::new() }
    }

    pub fn is_null(&self) -> bool {
        self.node.value == Value::Null
    }

    pub fn get(&self, key: &str) -> Option<Place<'n, 't>> {
        Some(Place { node: self.node.get(key)?, pointer: self.child(key) })
    }

    fn child(&self, key: &str) -> String {
        format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"))
    }
}

impl Reader {
    pub fn report(&mut self, place: &Place<'_, '_>, code: &'static str, message: impl Into<String>) {
        self.faults.push(Fault::new(place.pointer.clone(), code, message));
    }

    fn wrong_type(&mut self, place: &Place<'_, '_>, expected: &str) {
        let message = format!("expected {expected}, found {}", place.node.describe());
        self.report(place, "wrong-type", message);
    }

    /// The members of an object, each with its key.
    pub fn members<'n, 't>(&mut self, place: &Place<'n, 't>) -> Vec<(&'n str, Place<'n, 't>)> {
        let Some(members) = place.node.members() else {
            self.wrong_type(place, "an object");
            return Vec::new();
        };
        // Of a key that stands twice the first counts, as in `Node::get`; the second is reported apart.
        let mut found: Vec<(&str, Place<'_, '_>)> = Vec::new();
        for member in members {
            if !found.iter().any(|(key, _)| *key == member.key) {
                found.push((&member.key, Place { node: &member.node, pointer: place.child(&member.key) }));
            }
        }
        found
    }

    /// Reports every member that is not in the list of known keys.
    pub fn only_fields(&mut self, place: &Place<'_, '_>, known: &[&str]) {
        for (key, member) in self.members(place) {
            if !known.contains(&key) {
                let message =
                    format!("unknown field {:?}{}", shorten(key), did_you_mean(key, known.iter().copied()));
                self.report(&member, "unknown-field", message);
            }
        }
    }

    pub fn need<'n, 't>(&mut self, place: &Place<'n, 't>, key: &str) -> Option<Place<'n, 't>> {
        let found = place.get(key);
        if found.is_none() && place.node.members().is_some() {
            self.report(place, "missing-field", format!("the field {key:?} is missing"));
        }
        found
    }

    pub fn items<'n, 't>(&mut self, place: &Place<'n, 't>) -> Vec<Place<'n, 't>> {
        let Some(items) = place.node.items() else {
            self.wrong_type(place, "a list");
            return Vec::new();
        };
        let pointer = |i| format!("{}/{i}", place.pointer);
        items.iter().enumerate().map(|(i, node)| Place { node, pointer: pointer(i) }).collect()
    }

    pub fn text<'n>(&mut self, place: &Place<'n, '_>) -> Option<&'n str> {
        let text = place.node.text();
        if text.is_none() {
            self.wrong_type(place, "a text");
        }
        text
    }

    pub fn bool(&mut self, place: &Place<'_, '_>) -> Option<bool> {
        let value = place.node.bool();
        if value.is_none() {
            self.wrong_type(place, "true or false");
        }
        value
    }

    /// A text that `parse` understands; `known` is offered in the fault.
    pub fn word<T>(
        &mut self,
        place: &Place<'_, '_>,
        code: &'static str,
        what: &str,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(place)?;
        let value = parse(text);
        if value.is_none() {
            let near = did_you_mean(text, known.iter().copied());
            let known = known.join(", ");
            self.report(place, code, format!("{:?} is no {what}: known are {known}{near}", shorten(text)));
        }
        value
    }

    pub fn army(&mut self, place: &Place<'_, '_>) -> Option<Army> {
        self.word(place, "unknown-army", "army", &Army::ALL.map(Army::name), Army::from_name)
    }

    pub fn armies(&mut self, place: &Place<'_, '_>) -> Vec<Army> {
        self.items(place).iter().filter_map(|item| self.army(item)).collect()
    }

    /// The army a key names.
    pub fn army_key(&mut self, key: &str, place: &Place<'_, '_>) -> Option<Army> {
        let army = Army::from_name(key);
        if army.is_none() {
            let near = did_you_mean(key, Army::ALL.map(Army::name));
            self.report(
                place,
                "unknown-army",
                format!("{:?} is no army: known are blue, red, black, yellow{near}", shorten(key)),
            );
        }
        army
    }

    pub fn team(&mut self, place: &Place<'_, '_>) -> Option<Team> {
        self.word(place, "unknown-team", "team", &Team::ALL.map(Team::name), Team::from_name)
    }

    pub fn compass(&mut self, place: &Place<'_, '_>) -> Option<Compass> {
        self.word(
            place,
            "unknown-direction",
            "direction",
            &Compass::ALL.map(Compass::name),
            Compass::from_name,
        )
    }

    pub fn zone(&mut self, place: &Place<'_, '_>) -> Option<Zone> {
        self.word(place, "unknown-zone", "promotion zone", &["rank1 … rank8", "filea … fileh"], Zone::parse)
    }

    pub fn square(&mut self, place: &Place<'_, '_>) -> Option<Square> {
        let text = self.text(place)?;
        let square = Square::parse(text);
        if square.is_none() {
            self.report(
                place,
                "off-board",
                format!("{:?} is no square of the board, which goes from a1 to h8", shorten(text)),
            );
        }
        square
    }

    pub fn squares(&mut self, place: &Place<'_, '_>) -> Vec<Square> {
        self.items(place).iter().filter_map(|item| self.square(item)).collect()
    }

    pub fn kind(&mut self, place: &Place<'_, '_>) -> Option<Kind> {
        self.word(place, "unknown-piece", "piece", &["K", "Q", "R", "B", "N", "P"], |text| {
            single(text, Kind::from_letter)
        })
    }

    pub fn major(&mut self, place: &Place<'_, '_>, code: &'static str, what: &str) -> Option<Major> {
        self.word(place, code, what, &["Q", "R", "B", "N"], |text| single(text, Major::from_letter))
    }

    pub fn system(&mut self, place: &Place<'_, '_>) -> Option<System> {
        self.word(
            place,
            "unknown-system",
            "diagonal system",
            &System::ALL.map(System::name),
            System::from_name,
        )
    }
}

fn single<T>(text: &str, parse: impl Fn(char) -> Option<T>) -> Option<T> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    if letters.next().is_some() { None } else { parse(letter) }
}

/// At most forty characters of a user's word.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(39).chain(['…']).collect() }
}

/// `, did you mean "x"?` when one of the known words is near.
pub(super) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean {near:?}?"),
        None => String::new(),
    }
}

/// The known word that needs the fewest edits, if they are few.
pub(super) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if word.chars().count() > 60 {
        return None;
    }
    let word = word.to_lowercase();
    let (distance, near) =
        known.into_iter().map(|known| (edits(&word, known), known)).min_by_key(|&(edits, _)| edits)?;
    let letters = near.chars().count();
    (letters > 2 && distance <= 1 + letters / 4).then_some(near)
}

fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
