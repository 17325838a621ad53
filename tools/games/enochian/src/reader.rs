//! Expectations on a tree of values with places: every one that is not met becomes a fault there.
//! Serves the JSON position and the YAML rules alike; knows the words of the game, not the documents.

use tempo_diagnostics::{Span, nearest};
use tempo_json::{Document, Node, Value};

use super::fault::{Fault, FaultCode};
use super::pieces::{Army, Compass, Kind, Major, Square, System, Team, Zone};

/// Gives each fault its place in the text.
pub(super) fn place(document: &Document<'_>, faults: Vec<Fault>) -> Vec<Fault> {
    let mut placed: Vec<Fault> = faults
        .into_iter()
        .map(|fault| Fault { span: Some(document.span_of(&fault.pointer)), ..fault })
        .collect();
    for duplicate in &document.duplicates {
        let fault = Fault::error(FaultCode::DuplicateKey, duplicate.span, "this key is here a second time");
        placed.push(fault.pointer(duplicate.pointer.clone()));
    }
    placed.sort_by_key(|fault| fault.span.map(|span| span.start));
    placed
}

/// A fault at an offset of a text that could not be read at all.
pub(super) fn place_syntax(offset: usize, code: FaultCode, message: String) -> Fault {
    Fault::error(code, Span::new(offset, offset), message)
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
    pub fn report(&mut self, place: &Place<'_, '_>, code: FaultCode, message: impl Into<String>) {
        self.faults.push(Fault::at_value(code, place.pointer.clone(), message));
    }

    fn wrong_type(&mut self, place: &Place<'_, '_>, expected: &str) {
        let message = format!("expected {expected}, found {}", place.node.describe());
        self.report(place, FaultCode::WrongType, message);
    }

    /// The members of an object, each with its key.
    pub fn members<'n, 't>(&mut self, place: &Place<'n, 't>) -> Vec<(&'n str, Place<'n, 't>)> {
        let Some(members) = place.node.members() else {
            self.wrong_type(place, "an object");
            return Vec::new();
        };
        // Of a key that is twice the first counts, as in `Node::get`; the second is reported apart.
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
                self.report(&member, FaultCode::UnknownField, message);
            }
        }
    }

    pub fn need<'n, 't>(&mut self, place: &Place<'n, 't>, key: &str) -> Option<Place<'n, 't>> {
        let found = place.get(key);
        if found.is_none() && place.node.members().is_some() {
            self.report(place, FaultCode::MissingField, format!("the field {key:?} is missing"));
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
        code: FaultCode,
        what: &str,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(place)?;
        let value = parse(text);
        if value.is_none() {
            let near = did_you_mean(text, known.iter().copied());
            let known = known.join(", ");
            let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            self.report(
                place,
                code,
                format!("{:?} is not {article} {what}: write {known}{near}", shorten(text)),
            );
        }
        value
    }

    pub fn army(&mut self, place: &Place<'_, '_>) -> Option<Army> {
        self.word(place, FaultCode::UnknownArmy, "army", &Army::ALL.map(Army::name), Army::from_name)
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
                FaultCode::UnknownArmy,
                format!("{:?} is not an army: the armies are blue, red, black, yellow{near}", shorten(key)),
            );
        }
        army
    }

    pub fn team(&mut self, place: &Place<'_, '_>) -> Option<Team> {
        self.word(place, FaultCode::UnknownTeam, "team", &Team::ALL.map(Team::name), Team::from_name)
    }

    pub fn compass(&mut self, place: &Place<'_, '_>) -> Option<Compass> {
        self.word(
            place,
            FaultCode::UnknownDirection,
            "direction",
            &Compass::ALL.map(Compass::name),
            Compass::from_name,
        )
    }

    pub fn zone(&mut self, place: &Place<'_, '_>) -> Option<Zone> {
        self.word(
            place,
            FaultCode::UnknownZone,
            "promotion zone",
            &["rank1 … rank8", "filea … fileh"],
            Zone::parse,
        )
    }

    pub fn square(&mut self, place: &Place<'_, '_>) -> Option<Square> {
        let text = self.text(place)?;
        let square = Square::parse(text);
        if square.is_none() {
            self.report(
                place,
                FaultCode::OffBoard,
                format!("{:?} is not a square of the board, which goes from a1 to h8", shorten(text)),
            );
        }
        square
    }

    pub fn squares(&mut self, place: &Place<'_, '_>) -> Vec<Square> {
        self.items(place).iter().filter_map(|item| self.square(item)).collect()
    }

    pub fn kind(&mut self, place: &Place<'_, '_>) -> Option<Kind> {
        self.word(place, FaultCode::UnknownPiece, "piece", &["K", "Q", "R", "B", "N", "P"], |text| {
            single(text, Kind::from_letter)
        })
    }

    pub fn major(&mut self, place: &Place<'_, '_>, code: FaultCode, what: &str) -> Option<Major> {
        self.word(place, code, what, &["Q", "R", "B", "N"], |text| single(text, Major::from_letter))
    }

    pub fn system(&mut self, place: &Place<'_, '_>) -> Option<System> {
        self.word(
            place,
            FaultCode::UnknownSystem,
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
    nearest(word, known).map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
}
