//! The rulebook: every array with its orientation, turn orders, seats, dice and switches, read from the
//! YAML file that is built in or from one the user gives. Knows the file; the rules it describes but
//! cannot change (how pieces move, what freezes) are compared with those this program plays.

use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::draft::Draft;
use super::fault::{Fault, FaultCode};
use super::pieces::{Army, Piece, Square};
use super::position::Position;
use super::reader::{self, Place, Reader};
use super::setup::Setup;
use super::yaml;

mod arrays;
mod read;

/// The built-in rules file.
pub const EMBEDDED_YAML: &str = include_str!("../data/enochian-rules.yaml");

static EMBEDDED: LazyLock<Rulebook> = LazyLock::new(|| {
    Rulebook::from_yaml(EMBEDDED_YAML.as_bytes()).expect("the built-in rules file is sound")
});

/// Who plays which armies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Players {
    /// The name of each player and the armies it plays; every army has exactly one player.
    pub seats: Vec<(String, Vec<Army>)>,
}

impl Players {
    /// The index of the player of an army.
    pub fn of(&self, army: Army) -> usize {
        self.seats.iter().position(|(_, armies)| armies.contains(&army)).unwrap_or(0)
    }
}

/// Where an array comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The original description.
    Seed,
    /// The printed rules of the game.
    Sourced,
    /// A decision where the sources are silent.
    Reading,
}

impl Status {
    /// All kinds of origin.
    pub const ALL: [Status; 3] = [Status::Seed, Status::Sourced, Status::Reading];

    /// The word in the rules file.
    pub const fn name(self) -> &'static str {
        ["seed", "sourced", "reading"][self as usize]
    }

    fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// The direction of play, where an array knows both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turning {
    /// The `turn_order` of the array.
    #[default]
    Listed,
    /// The other way round.
    Widdershins,
}

/// A starting array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArraySpec {
    /// The name in files and on the command line, such as `fire_of_fire`.
    pub id: String,
    /// Where it comes from.
    pub status: Status,
    /// The placement it takes its pieces from, if it has not its own.
    pub placement: Option<String>,
    /// The order of turns.
    pub turn_order: [Army; 4],
    /// The order of turns the other way round, if the array has one.
    pub widdershins: Option<[Army; 4]>,
    /// The array's own seats, if it has any.
    pub players: Option<Players>,
    /// Teams, directions and thrones.
    pub setup: Arc<Setup>,
    /// The pieces at the start.
    pub pieces: Vec<(Square, Piece)>,
}

impl ArraySpec {
    /// The name for people: `Fire of Fire`.
    pub fn title(&self) -> String {
        let mut title = String::new();
        for word in self.id.split('_') {
            if !title.is_empty() {
                title.push(' ');
            }
            match word {
                "of" => title.push_str("of"),
                "prototype" => title.push_str("(prototype)"),
                _ => {
                    let mut letters = word.chars();
                    title.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
                    title.push_str(letters.as_str());
                }
            }
        }
        title
    }

    /// The turn order of this direction, if the array has it.
    pub fn order(&self, turning: Turning) -> Option<[Army; 4]> {
        match turning {
            Turning::Listed => Some(self.turn_order),
            Turning::Widdershins => self.widdershins,
        }
    }

    /// The first position in the listed turn order.
    pub fn position(&self) -> Position {
        self.position_in(self.turn_order)
    }

    /// The first position with any turn order.
    pub fn position_in(&self, order: [Army; 4]) -> Position {
        let mut draft = Draft::new(Arc::clone(&self.setup));
        draft.order = order.to_vec();
        draft.pieces.clone_from(&self.pieces);
        draft.turn = Some(order[0]);
        draft.build().expect("arrays are checked when the rulebook is read")
    }
}

/// Everything a rules file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rulebook {
    arrays: Vec<ArraySpec>,
    default_array: usize,
    recommended_array: usize,
    /// Who plays what when two people play.
    pub two_players: Players,
    /// Who plays what when four people play.
    pub four_players: Players,
    /// The `base` orientation: what a position without `armies` is on.
    pub base: Arc<Setup>,
}

/// No array has the name asked for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no array is called {name:?}{near}")]
pub struct UnknownArray {
    /// The name asked for.
    pub name: String,
    near: String,
}

impl Rulebook {
    /// The rulebook that is built in.
    pub fn embedded() -> &'static Rulebook {
        &EMBEDDED
    }

    /// Reads a rules file. Sections it leaves out are those of the built-in file.
    pub fn from_yaml(bytes: &[u8]) -> Result<Rulebook, Vec<Fault>> {
        let document = yaml::parse(bytes)
            .map_err(|err| vec![reader::place_syntax(err.offset, FaultCode::YamlSyntax, err.to_string())])?;
        let embedded = yaml::parse(EMBEDDED_YAML.as_bytes()).expect("the built-in rules file is YAML");
        let mut reader = Reader::default();
        let book = read::rulebook(&Place::root(&document), &Place::root(&embedded), &mut reader);
        match book {
            Some(book) if reader.faults.is_empty() && document.duplicates.is_empty() => Ok(book),
            _ => Err(reader::place(&document, reader.faults)),
        }
    }

    /// Every array, in the order of the file.
    pub fn arrays(&self) -> &[ArraySpec] {
        &self.arrays
    }

    /// The array of the library's default position.
    pub fn default_array(&self) -> &ArraySpec {
        &self.arrays[self.default_array]
    }

    /// The array a player should start with.
    pub fn recommended_array(&self) -> &ArraySpec {
        &self.arrays[self.recommended_array]
    }

    /// Finds an array by id or title; case, spaces and brackets do not matter.
    pub fn find(&self, name: &str) -> Result<&ArraySpec, UnknownArray> {
        let wanted = plain(name);
        self.arrays.iter().find(|array| array.id == wanted).ok_or_else(|| UnknownArray {
            name: reader::shorten(name),
            near: reader::did_you_mean(&wanted, self.arrays.iter().map(|array| array.id.as_str())),
        })
    }
}

/// Every array of the built-in rulebook.
pub fn available_arrays() -> &'static [ArraySpec] {
    Rulebook::embedded().arrays()
}

/// An array of the built-in rulebook by name.
pub fn find_array_by_name(name: &str) -> Option<&'static ArraySpec> {
    Rulebook::embedded().find(name).ok()
}

impl Default for Position {
    /// The prototype array of the original description. Blue and Red have no move in it at first; `fire_of_fire` is the better game.
    fn default() -> Position {
        Rulebook::embedded().default_array().position()
    }
}

/// Letters and digits of a name in lower case, everything between them one underscore.
fn plain(name: &str) -> String {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(32)
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("_")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn arrays_are_found_by_any_spelling() {
        for name in ["fire_of_fire", "Fire of Fire", "FIRE-OF-FIRE"] {
            assert_eq!(find_array_by_name(name).unwrap().id, "fire_of_fire");
        }
        assert_eq!(
            find_array_by_name("Tablet of Fire (prototype)").unwrap().title(),
            "Tablet of Fire (prototype)"
        );
        let err = Rulebook::embedded().find("fier_of_fire").unwrap_err();
        assert_eq!(err.to_string(), "no array is called \"fier_of_fire\"; did you mean \"fire_of_fire\"?");
    }

    #[test]
    fn the_file_holds_twenty_arrays_and_the_prototype_is_the_default() {
        assert_eq!(available_arrays().len(), 20);
        assert_eq!(Rulebook::embedded().default_array().id, "tablet_of_fire_prototype");
        assert_eq!(Rulebook::embedded().recommended_array().id, "fire_of_fire");
        assert_eq!(Position::default(), find_array_by_name("tablet of fire prototype").unwrap().position());
    }

    #[test]
    fn the_base_orientation_of_the_file_is_the_one_in_code() {
        assert_eq!(*Rulebook::embedded().base, Setup::base());
    }
}
