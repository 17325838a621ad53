//! The JSON form of a position (docs/enochian.md, "Text forms"): read with every fault placed, written in one
//! fixed order so that equal positions are equal texts. Knows the form; `Draft` knows what is possible.

use std::fmt::Write as _;
use std::sync::Arc;

use tempo_json::{self as json, Limits};

use super::draft::Draft;
use super::fault::{Fault, FaultCode};
use super::pieces::{Army, Kind, Major, Office, Piece, Square, System};
use super::position::{GameResult, Position};
use super::reader::{Place, Reader, place, place_syntax};
use super::setup::{Die, Setup};

/// Far more than any position needs.
const LIMITS: Limits = Limits { bytes: 1 << 20, depth: 8, values: 20_000 };

/// How JSON is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// For people: a field a line.
    Lines,
    /// For JSON Lines: everything in one.
    Compact,
}

impl Position {
    /// Reads a position; camps that the text leaves out are those of `setup`, and so are switches and dice.
    pub fn from_json(bytes: &[u8], setup: &Setup) -> Result<Position, Vec<Fault>> {
        let document = json::parse(bytes, LIMITS)
            .map_err(|err| vec![place_syntax(err.offset, FaultCode::JsonSyntax, err.to_string())])?;
        let mut reader = Reader::default();
        let draft = read_draft(&Place::root(&document), setup, &mut reader);
        let mut faults = reader.faults;
        // A draft with parts missing would be blamed for what is only a consequence.
        let built =
            if faults.is_empty() && document.duplicates.is_empty() { Some(draft.build()) } else { None };
        match built {
            Some(Ok(position)) => return Ok(position),
            Some(Err(found)) => faults = found,
            None => {}
        }
        Err(place(&document, faults))
    }

    /// The position as JSON, with `result` once the game is over.
    pub fn to_json(&self, layout: Layout) -> String {
        self.to_json_with(layout, self.result())
    }

    pub(super) fn to_json_with(&self, layout: Layout, result: Option<GameResult>) -> String {
        let draft = self.to_draft();
        let names = |armies: &[Army]| list(armies.iter().map(|army| quote(army.name())));
        let pairs = |pairs: &[(Army, Army)]| {
            object(pairs.iter().map(|(army, other)| (army.name(), quote(other.name()))))
        };
        let camps: Vec<(&str, String)> =
            Army::ALL.into_iter().map(|army| (army.name(), camp(&self.setup, army))).collect();
        let pieces: Vec<String> =
            draft.pieces.iter().map(|&(square, piece)| piece_json(square, piece)).collect();
        let (camps, pieces) = match layout {
            Layout::Compact => (object(camps), list(pieces)),
            Layout::Lines => {
                let camps: Vec<String> =
                    camps.iter().map(|(name, camp)| format!("    {}: {camp}", quote(name))).collect();
                let pieces: Vec<String> =
                    pieces.chunks(6).map(|row| format!("    {}", row.join(", "))).collect();
                let pieces = if pieces.is_empty() {
                    "[]".to_owned()
                } else {
                    format!("[\n{}\n  ]", pieces.join(",\n"))
                };
                (format!("{{\n{}\n  }}", camps.join(",\n")), pieces)
            }
        };
        let mut fields = vec![
            ("turn_order", names(&draft.order)),
            ("armies", camps),
            ("pieces", pieces),
            ("to_move", quote(self.turn.name())),
            ("frozen", names(&draft.frozen)),
            ("prisoners", pairs(&draft.prisoners)),
            ("commanders", pairs(&draft.commanders)),
        ];
        if let Some(die) = self.die {
            fields.push(("die", die.face().to_string()));
        }
        if let Some(result) = result {
            fields.push(("result", result_json(result)));
        }
        match layout {
            Layout::Compact => object(fields),
            Layout::Lines => {
                let lines: Vec<String> =
                    fields.iter().map(|(key, value)| format!("  {}: {value}", quote(key))).collect();
                format!("{{\n{}\n}}", lines.join(",\n"))
            }
        }
    }
}

fn read_draft(root: &Place<'_, '_>, base: &Setup, reader: &mut Reader) -> Draft {
    const FIELDS: [&str; 9] =
        ["turn_order", "armies", "pieces", "to_move", "frozen", "prisoners", "commanders", "die", "result"];
    reader.only_fields(root, &FIELDS);
    // A field that is null is as good as missing.
    let field = |name| root.get(name).filter(|field| !field.is_null());
    let setup = field("armies").map_or_else(|| base.clone(), |armies| read_setup(&armies, base, reader));
    let mut draft = Draft::new(Arc::new(setup));
    if let Some(order) = field("turn_order") {
        draft.order = reader.armies(&order);
    }
    if let Some(pieces) = field("pieces") {
        draft.pieces = reader.items(&pieces).iter().filter_map(|item| read_piece(item, reader)).collect();
    }
    draft.turn = field("to_move").and_then(|turn| reader.army(&turn));
    if let Some(frozen) = field("frozen") {
        draft.frozen = reader.armies(&frozen);
    }
    draft.prisoners = read_pairs(field("prisoners"), reader);
    draft.commanders = read_pairs(field("commanders"), reader);
    if let Some(die) = field("die") {
        draft.die = die.node.whole().and_then(|face| Die::new(u64::try_from(face).ok()?));
        if draft.die.is_none() {
            reader.report(
                &die,
                FaultCode::UnknownDie,
                format!("a die shows a whole number from 1 to 6, found {}", die.node.describe()),
            );
        }
    }
    draft
}

fn read_pairs(place: Option<Place<'_, '_>>, reader: &mut Reader) -> Vec<(Army, Army)> {
    let Some(place) = place else { return Vec::new() };
    let members = reader.members(&place);
    members.iter().filter_map(|(key, member)| reader.army_key(key, member).zip(reader.army(member))).collect()
}

fn read_setup(place: &Place<'_, '_>, base: &Setup, reader: &mut Reader) -> Setup {
    let mut camps = base.camps().clone();
    for (key, member) in reader.members(place) {
        let Some(army) = reader.army_key(key, &member) else { continue };
        reader.only_fields(&member, &["team", "forward", "promotion", "thrones"]);
        let camp = &mut camps[army.index()];
        if let Some(team) = member.get("team").and_then(|team| reader.team(&team)) {
            camp.team = team;
        }
        if let Some(forward) = member.get("forward").and_then(|forward| reader.compass(&forward)) {
            camp.forward = forward;
        }
        if let Some(zone) = member.get("promotion").and_then(|zone| reader.zone(&zone)) {
            camp.promotion = zone;
        }
        if let Some(thrones) = member.get("thrones") {
            camp.thrones = reader.squares(&thrones);
        }
    }
    match Setup::new(camps) {
        Ok(setup) => setup.with_rules_of(base),
        Err(err) => {
            reader.report(place, FaultCode::UnequalTeams, err.to_string());
            base.clone()
        }
    }
}

/// `[square, army, letter, extra]`; shared with the placements of the YAML file.
pub(super) fn read_piece(place: &Place<'_, '_>, reader: &mut Reader) -> Option<(Square, Piece)> {
    let items = reader.items(place);
    if !(3..=4).contains(&items.len()) {
        if place.node.items().is_some() {
            let message = format!(
                "a piece is [square, army, letter] or [square, army, letter, extra], found {} entries",
                items.len()
            );
            reader.report(place, FaultCode::PieceShape, message);
        }
        return None;
    }
    let square = reader.square(&items[0]);
    let army = reader.army(&items[1]);
    let kind = reader.kind(&items[2]);
    let (square, army, kind) = (square?, army?, kind?);
    let extra = items.get(3).filter(|extra| !extra.is_null());
    let office = match kind {
        Kind::King | Kind::Rook | Kind::Knight => {
            if let Some(extra) = extra {
                reader.report(
                    extra,
                    FaultCode::PieceShape,
                    format!("a {} has neither patron nor system", kind.name()),
                );
                return None;
            }
            match kind {
                Kind::King => Office::King,
                Kind::Rook => Office::Rook,
                _ => Office::Knight,
            }
        }
        Kind::Pawn => Office::Pawn(match extra {
            Some(extra) => reader.major(extra, FaultCode::UnknownPatron, "patron")?,
            None => Major::Queen,
        }),
        Kind::Queen | Kind::Bishop => {
            let system = match extra {
                Some(extra) => reader.system(extra)?,
                None => System::of(square),
            };
            if kind == Kind::Queen { Office::Queen(system) } else { Office::Bishop(system) }
        }
    };
    Some((square, Piece { army, office }))
}

fn camp(setup: &Setup, army: Army) -> String {
    let camp = setup.camp(army);
    object([
        ("team", quote(camp.team.name())),
        ("forward", quote(camp.forward.name())),
        ("promotion", quote(&camp.promotion.to_string())),
        ("thrones", list(camp.thrones.iter().map(|square| quote(&square.to_string())))),
    ])
}

fn piece_json(square: Square, piece: Piece) -> String {
    let mut words = vec![
        quote(&square.to_string()),
        quote(piece.army.name()),
        quote(&piece.office.kind().letter().to_string()),
    ];
    match piece.office {
        Office::Queen(system) | Office::Bishop(system) => words.push(quote(system.name())),
        Office::Pawn(patron) => words.push(quote(&patron.letter().to_string())),
        Office::King | Office::Rook | Office::Knight => {}
    }
    list(words)
}

pub(super) fn result_json(result: GameResult) -> String {
    match result {
        GameResult::Win { team, reason } => object([
            ("outcome", quote("win")),
            ("winner", quote(team.name())),
            ("reason", quote(reason.word())),
        ]),
        GameResult::Draw { reason } => object([("outcome", quote("draw")), ("reason", quote(reason.word()))]),
    }
}

/// A JSON text. Everything written here is our own words, none of which needs an escape.
fn quote(word: &str) -> String {
    format!("\"{word}\"")
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn object<'k>(fields: impl IntoIterator<Item = (&'k str, String)>) -> String {
    let mut text = String::from("{");
    for (i, (key, value)) in fields.into_iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}\"{key}\": {value}");
    }
    text.push('}');
    text
}
