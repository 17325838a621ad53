//! Reads the arrays of a rules file: placements, arrays that are on one, and the bands of the prototype.
//! Every array is laid out and checked as a position before it enters the book.

use std::sync::Arc;

use super::super::draft::Draft;
use super::super::fault::FaultCode;
use super::super::json::read_piece;
use super::super::pieces::{Army, Kind, Major, Office, Piece, Square, System, Zone};
use super::super::reader::{Place, Reader, did_you_mean, shorten};
use super::super::setup::{Camp, Setup};
use super::read::{Context, Orientation, Pieces, Placement, read_element, read_order, read_players};
use super::{ArraySpec, Status};

/// Every array of the list, placements first, whatever their order in the file.
pub(super) fn read_arrays(
    place: &Place<'_, '_>,
    context: &mut Context,
    reader: &mut Reader,
) -> Vec<ArraySpec> {
    let entries = reader.items(place);
    let mut ids: Vec<&str> = Vec::new();
    let mut arrays = Vec::new();
    let mut waiting = Vec::new();
    for entry in &entries {
        let Some(id) = reader.need(entry, "id").and_then(|id| read_id(&id, &mut ids, reader)) else {
            continue;
        };
        let kind = reader.need(entry, "kind").and_then(|kind| {
            reader.word(&kind, FaultCode::UnknownKind, "kind", &["array", "placement"], |text| match text {
                "array" => Some(false),
                "placement" => Some(true),
                _ => None,
            })
        });
        match kind {
            Some(true) => {
                if let Some(placement) = read_placement(entry, id, context, reader) {
                    context.placements.push(placement);
                }
            }
            // An array may name a placement that is below it.
            Some(false) => waiting.push((id, entry)),
            None => {}
        }
    }
    for (id, entry) in waiting {
        arrays.extend(read_array(entry, id, context, reader));
    }
    if arrays.is_empty() && reader.faults.is_empty() {
        reader.report(place, FaultCode::NoArrays, "the file describes no array to play");
    }
    arrays
}

fn read_id<'n>(place: &Place<'n, '_>, ids: &mut Vec<&'n str>, reader: &mut Reader) -> Option<&'n str> {
    let id = reader.text(place)?;
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    if id.is_empty() || id.len() > 60 || !id.chars().all(is_plain) {
        reader.report(
            place,
            FaultCode::BadId,
            format!("{:?} is not an id: use a–z, 0–9 and _, sixty at most", shorten(id)),
        );
        return None;
    }
    if ids.contains(&id) {
        reader.report(place, FaultCode::DuplicateId, format!("the id {id:?} is taken"));
        return None;
    }
    ids.push(id);
    Some(id)
}

fn read_placement(
    entry: &Place<'_, '_>,
    id: &str,
    context: &Context,
    reader: &mut Reader,
) -> Option<Placement> {
    reader.only_fields(
        entry,
        &["id", "kind", "status", "setting", "boards", "seq", "orientation", "piece_placements"],
    );
    if let Some(setting) = entry.get("setting") {
        read_element(&setting, reader);
    }
    if let Some(boards) = entry.get("boards") {
        for board in reader.items(&boards) {
            read_element(&board, reader);
        }
    }
    read_status(entry, reader);
    let orientation = read_orientation(entry, context, reader)?.clone();
    let row = entry.get("seq").and_then(|seq| read_row(&seq, reader));
    let expected = match (&row, entry.get("seq")) {
        (Some(row), Some(seq)) => lay_row(row, &orientation, &seq, reader),
        _ => None,
    };
    let (pieces, pointer) = match entry.get("piece_placements") {
        Some(list) => {
            let before = reader.faults.len();
            let pieces: Pieces =
                reader.items(&list).iter().filter_map(|item| read_piece(item, reader)).collect();
            if let Some(expected) = &expected
                && reader.faults.len() == before
            {
                compare_row(&list, &pieces, expected, reader);
            }
            (pieces, list.pointer)
        }
        None => match expected {
            Some(pieces) => (pieces, entry.pointer.clone()),
            None => {
                if entry.get("seq").is_none() {
                    reader.report(
                        entry,
                        FaultCode::MissingField,
                        "a placement needs piece_placements or seq",
                    );
                }
                return None;
            }
        },
    };
    Some(Placement { id: id.to_owned(), pointer, orientation, pieces })
}

fn read_status(entry: &Place<'_, '_>, reader: &mut Reader) -> Option<Status> {
    let status = entry.get("status")?;
    reader.word(
        &status,
        FaultCode::UnknownStatus,
        "status",
        &Status::ALL.map(Status::name),
        Status::from_name,
    )
}

fn read_orientation<'c>(
    entry: &Place<'_, '_>,
    context: &'c Context,
    reader: &mut Reader,
) -> Option<&'c Orientation> {
    let place = reader.need(entry, "orientation")?;
    let name = reader.text(&place)?;
    let found = context.orientation(name);
    if found.is_none() {
        let names = context.orientations.iter().map(|orientation| orientation.name.as_str());
        let near = did_you_mean(name, names);
        reader.report(
            &place,
            FaultCode::UnknownOrientation,
            format!("no orientation is called {:?}{near}", shorten(name)),
        );
    }
    found
}

/// `RBQN`: four letters, one of each major kind.
fn read_row(place: &Place<'_, '_>, reader: &mut Reader) -> Option<[Major; 4]> {
    let text = reader.text(place)?;
    let majors: Option<Vec<Major>> = text.chars().take(5).map(Major::from_letter).collect();
    let row = majors.and_then(|majors| <[Major; 4]>::try_from(majors).ok());
    let row = row.filter(|row| Major::ALL.iter().all(|major| row.contains(major)));
    if row.is_none() {
        reader.report(
            place,
            FaultCode::BadSeq,
            format!("{:?} is not a back row: write Q, R, B and N once each", shorten(text)),
        );
    }
    row
}

/// The pieces of a back row: the king shares square 1, every pawn is in front of its patron.
fn lay_row(
    row: &[Major; 4],
    orientation: &Orientation,
    seq: &Place<'_, '_>,
    reader: &mut Reader,
) -> Option<Pieces> {
    let mut pieces = Vec::new();
    for army in Army::ALL {
        let Some((back, front)) = &orientation.rows[army.index()] else {
            reader.report(
                seq,
                FaultCode::BadSeq,
                format!(
                    "the orientation {:?} has no back and front rows to lay it on",
                    shorten(&orientation.name)
                ),
            );
            return None;
        };
        if back.len() != 4 || front.len() != 4 {
            reader.report(
                seq,
                FaultCode::BadSeq,
                format!(
                    "the rows of {army} have {} and {} squares, four are needed",
                    back.len(),
                    front.len()
                ),
            );
            return None;
        }
        pieces.push((back[0], Piece { army, office: Office::King }));
        for (i, &major) in row.iter().enumerate() {
            pieces.push((back[i], Piece { army, office: Office::fresh(major, back[i]) }));
            pieces.push((front[i], Piece { army, office: Office::Pawn(major) }));
        }
    }
    Some(pieces)
}

fn compare_row(
    list: &Place<'_, '_>,
    pieces: &[(Square, Piece)],
    expected: &[(Square, Piece)],
    reader: &mut Reader,
) {
    for (i, (square, piece)) in pieces.iter().enumerate() {
        if !expected.contains(&(*square, *piece)) {
            let place = Place { node: list.node, pointer: format!("{}/{i}", list.pointer) };
            let message = format!(
                "the {} of {} on {square} does not follow from seq and orientation",
                piece.office.kind().name(),
                piece.army
            );
            reader.report(&place, FaultCode::SeqMismatch, message);
        }
    }
    if let Some((square, piece)) = expected.iter().find(|wanted| !pieces.contains(wanted)) {
        let message = format!(
            "seq puts a {} of {} on {square}, which is not listed",
            piece.office.kind().name(),
            piece.army
        );
        reader.report(list, FaultCode::SeqMismatch, message);
    }
}

fn read_array(entry: &Place<'_, '_>, id: &str, context: &Context, reader: &mut Reader) -> Option<ArraySpec> {
    const FIELDS: [&str; 15] = [
        "id",
        "kind",
        "status",
        "description",
        "placement",
        "orientation",
        "piece_placements",
        "bands",
        "back_files",
        "patrons",
        "thrones",
        "throne_squares",
        "turn_order",
        "widdershins",
        "controller_map",
    ];
    reader.only_fields(entry, &FIELDS);
    let status = read_status(entry, reader).unwrap_or(Status::Reading);
    let mut order = |name: &str| {
        let place = entry.get(name)?;
        match place.node.text() {
            Some(word) => {
                let found = context.turn_orders.iter().find(|(known, _)| known == word);
                if found.is_none() {
                    let near =
                        did_you_mean(word, context.turn_orders.iter().map(|(known, _)| known.as_str()));
                    reader.report(
                        &place,
                        FaultCode::TurnOrder,
                        format!("no turn order is called {:?}{near}", shorten(word)),
                    );
                }
                found.map(|(_, order)| *order)
            }
            None => read_order(&place, reader),
        }
    };
    let (turn_order, widdershins) = (order("turn_order"), order("widdershins"));
    if entry.get("turn_order").is_none() {
        reader.report(entry, FaultCode::MissingField, "the field \"turn_order\" is missing");
    }
    let placement = entry.get("placement");
    let source = if let Some(place) = &placement {
        let name = reader.text(place)?;
        let Some(found) = context.placements.iter().find(|placement| placement.id == name) else {
            let near = did_you_mean(name, context.placements.iter().map(|placement| placement.id.as_str()));
            reader.report(
                place,
                FaultCode::UnknownPlacement,
                format!("no placement has the id {:?}{near}", shorten(name)),
            );
            return None;
        };
        (found.orientation.camps.clone(), found.pieces.clone(), found.pointer.clone())
    } else if entry.get("bands").is_some() {
        let (camps, pieces) = read_bands(entry, context, reader)?;
        (camps, pieces, String::new())
    } else if let Some(list) = entry.get("piece_placements") {
        let orientation = read_orientation(entry, context, reader)?;
        let pieces = reader.items(&list).iter().filter_map(|item| read_piece(item, reader)).collect();
        (orientation.camps.clone(), pieces, list.pointer)
    } else {
        reader.report(
            entry,
            FaultCode::MissingField,
            "an array needs a placement, bands or piece_placements",
        );
        return None;
    };
    let (mut camps, pieces, pieces_pointer) = source;
    for name in ["thrones", "throne_squares"] {
        let Some(thrones) = entry.get(name) else { continue };
        for (key, member) in reader.members(&thrones) {
            if let Some(army) = reader.army_key(key, &member) {
                camps[army.index()].thrones = reader.squares(&member);
            }
        }
    }
    let players = entry.get("controller_map").and_then(|map| read_players(&map, reader));
    let setup = context.setup(camps, entry, reader)?;
    let turn_order = turn_order?;
    let mut draft = Draft::new(Arc::clone(&setup));
    draft.order = turn_order.to_vec();
    draft.pieces.clone_from(&pieces);
    if let Err(faults) = draft.build() {
        for mut fault in faults {
            fault.pointer = match fault.pointer.strip_prefix("/pieces") {
                Some(rest) if !pieces_pointer.is_empty() => format!("{pieces_pointer}{rest}"),
                _ => entry.pointer.clone(),
            };
            // Several arrays share a placement; its fault is told once.
            if !reader.faults.contains(&fault) {
                reader.faults.push(fault);
            }
        }
        return None;
    }
    let placement = placement.and_then(|place| Some(place.node.text()?.to_owned()));
    Some(ArraySpec { id: id.to_owned(), status, placement, turn_order, widdershins, players, setup, pieces })
}

/// The prototype's form: each army fills a back line and a front line of pawns (N3).
fn read_bands(entry: &Place<'_, '_>, context: &Context, reader: &mut Reader) -> Option<([Camp; 4], Pieces)> {
    let bands = entry.get("bands")?;
    let base =
        context.orientation("base").map_or_else(|| Setup::base().camps().clone(), |base| base.camps.clone());
    let back_files = reader.need(entry, "back_files").map(|list| reader.items(&list)).unwrap_or_default();
    let kinds: Vec<Kind> = back_files.iter().filter_map(|kind| reader.kind(kind)).collect();
    let patron_places = reader.need(entry, "patrons").map(|list| reader.items(&list)).unwrap_or_default();
    let patrons: Vec<Major> = patron_places
        .iter()
        .filter_map(|patron| reader.major(patron, FaultCode::UnknownPatron, "patron"))
        .collect();
    if kinds.len() != 8 || patrons.len() != 8 {
        if back_files.len() != 8 || patron_places.len() != 8 {
            reader.report(entry, FaultCode::BandLength, "back_files and patrons need eight letters each");
        }
        return None;
    }
    let mut camps = base;
    let mut pieces = Vec::new();
    for army in Army::ALL {
        let Some(band) = reader.need(&bands, army.name()) else { continue };
        reader.only_fields(&band, &["back", "front", "forward", "promotion"]);
        let back = reader.need(&band, "back").and_then(|line| reader.zone(&line));
        let front = reader.need(&band, "front").and_then(|line| reader.zone(&line));
        let forward = reader.need(&band, "forward").and_then(|forward| reader.compass(&forward));
        let promotion = reader.need(&band, "promotion").and_then(|zone| reader.zone(&zone));
        let (Some(back), Some(front), Some(forward), Some(promotion)) = (back, front, forward, promotion)
        else {
            continue;
        };
        camps[army.index()].forward = forward;
        camps[army.index()].promotion = promotion;
        for (i, (&kind, &patron)) in kinds.iter().zip(&patrons).enumerate() {
            let behind = square_on(back, i);
            let office = match kind {
                Kind::King => Office::King,
                Kind::Queen => Office::Queen(System::of(behind)),
                Kind::Rook => Office::Rook,
                Kind::Bishop => Office::Bishop(System::of(behind)),
                Kind::Knight => Office::Knight,
                Kind::Pawn => Office::Pawn(patron),
            };
            pieces.push((behind, Piece { army, office }));
            pieces.push((square_on(front, i), Piece { army, office: Office::Pawn(patron) }));
        }
    }
    for (key, member) in reader.members(&bands) {
        reader.army_key(key, &member);
    }
    Some((camps, pieces))
}

/// The n-th square of a line.
fn square_on(line: Zone, n: usize) -> Square {
    let n = n as i8;
    let square = match line {
        Zone::Rank(rank) => Square::at(n, rank.cast_signed()),
        Zone::File(file) => Square::at(file.cast_signed(), n),
    };
    square.expect("a line has eight squares")
}
