//! Reads the tree of a rules file into a rulebook: all sections but the arrays, which are in `arrays`.
//! Faults are reported at their places, and reading goes on.

use std::sync::Arc;

use tempo_json::{Node, Value};

use super::super::fault::FaultCode;
use super::super::pieces::{Army, Compass, Kind, Piece, Square, Team};
use super::super::reader::{Place, Reader, did_you_mean, shorten};
use super::super::setup::{Camp, DiceTable, Setup, Switches};
use super::arrays::read_arrays;
use super::{Players, Rulebook};

const SECTIONS: [&str; 11] = [
    "version",
    "teams",
    "armies",
    "orientations",
    "turn_orders",
    "divination",
    "historical",
    "arrays",
    "controllers",
    "default_array",
    "recommended_array",
];

/// Sections that state rules this program plays one way only.
const FIXED: [&str; 9] =
    ["board", "pieces", "capture", "check", "promotion", "thrones", "freezing", "exchange", "results"];

/// Pieces and where they stand.
pub(super) type Pieces = Vec<(Square, Piece)>;

/// An orientation: the camp of every army, and the squares of its back row and its pawns where it has them.
#[derive(Clone)]
pub(super) struct Orientation {
    pub name: String,
    pub camps: [Camp; 4],
    pub rows: [Option<(Vec<Square>, Vec<Square>)>; 4],
}

/// The result of `kind: placement`.
pub(super) struct Placement {
    pub id: String,
    pub pointer: String,
    pub orientation: Orientation,
    pub pieces: Pieces,
}

/// The context in which arrays are read.
pub(super) struct Context {
    pub orientations: Vec<Orientation>,
    pub turn_orders: Vec<(String, [Army; 4])>,
    pub placements: Vec<Placement>,
    switches: Switches,
    dice: DiceTable,
    retries: u32,
}

/// The book, unless a fault leaves nothing to build; the reader has every fault.
pub(super) fn rulebook(
    root: &Place<'_, '_>,
    embedded: &Place<'_, '_>,
    reader: &mut Reader,
) -> Option<Rulebook> {
    reader.only_fields(root, &[&SECTIONS[..], &FIXED[..]].concat());
    root.node.members()?;
    let version = reader.need(root, "version");
    if let Some(version) = version
        && version.node.whole() != Some(1)
    {
        reader.report(&version, FaultCode::UnknownVersion, "this program reads version 1");
    }
    for name in FIXED {
        if let (Some(found), Some(fixed)) = (root.get(name), embedded.node.get(name)) {
            compare(&found, fixed, reader);
        }
    }
    let section = |name: &str| root.get(name).or_else(|| embedded.get(name));
    let teams = read_teams(&section("teams")?, reader);
    check_armies(&section("armies")?, teams, reader);
    // A file may add an orientation or an order without repeating the others: its own come first.
    let mut orientations = Vec::new();
    let mut turn_orders = Vec::new();
    for root in [root, embedded] {
        if let Some(place) = root.get("orientations") {
            orientations.extend(read_orientations(&place, teams, reader));
        }
        if let Some(place) = root.get("turn_orders") {
            turn_orders.extend(read_turn_orders(&place, reader));
        }
    }
    let (dice, retries) = read_divination(&section("divination")?, embedded, reader);
    let switches = read_switches(&section("historical")?, reader);
    let mut context = Context { orientations, turn_orders, placements: Vec::new(), switches, dice, retries };
    let arrays = read_arrays(&section("arrays")?, &mut context, reader);
    let controllers = section("controllers")?;
    reader.only_fields(&controllers, &["two_players", "four_players"]);
    let mut players = |name| {
        let place = controllers.get(name).or_else(|| embedded.get("controllers")?.get(name))?;
        read_players(&place, reader)
    };
    let (two_players, four_players) = (players("two_players"), players("four_players"));
    let mut choose = |name: &str| {
        let given = root.get(name);
        let wanted = reader.text(&given.clone().or_else(|| embedded.get(name))?)?;
        let found = arrays.iter().position(|array| array.id == wanted);
        if found.is_none()
            && let Some(given) = &given
        {
            let near = did_you_mean(wanted, arrays.iter().map(|array| array.id.as_str()));
            reader.report(
                given,
                FaultCode::UnknownArray,
                format!("no array has the id {:?}{near}", shorten(wanted)),
            );
        }
        // A file with its own arrays need not name one of them.
        found.or((!arrays.is_empty()).then_some(0))
    };
    let (default_array, recommended_array) = (choose("default_array"), choose("recommended_array"));
    let base = context.orientation("base").map(|base| context.setup(base.camps.clone(), root, reader));
    Some(Rulebook {
        arrays,
        default_array: default_array?,
        recommended_array: recommended_array?,
        two_players: two_players?,
        four_players: four_players?,
        base: base??,
    })
}

impl Context {
    pub fn orientation(&self, name: &str) -> Option<&Orientation> {
        self.orientations.iter().find(|orientation| orientation.name == name)
    }

    pub fn setup(&self, camps: [Camp; 4], place: &Place<'_, '_>, reader: &mut Reader) -> Option<Arc<Setup>> {
        match Setup::new(camps) {
            Ok(mut setup) => {
                setup.switches = self.switches;
                setup.dice = self.dice;
                setup.retries = self.retries;
                Some(Arc::new(setup))
            }
            Err(err) => {
                reader.report(place, FaultCode::UnequalTeams, err.to_string());
                None
            }
        }
    }
}

/// Reports where a section differs from what this program plays.
fn compare(found: &Place<'_, '_>, fixed: &Node<'_>, reader: &mut Reader) {
    match (&found.node.value, &fixed.value) {
        (Value::Object(_), Value::Object(members)) => {
            for (key, place) in reader.members(found) {
                match fixed.get(key) {
                    Some(fixed) => compare(&place, fixed, reader),
                    None => {
                        let near = did_you_mean(key, members.iter().map(|member| &*member.key));
                        reader.report(
                            &place,
                            FaultCode::UnknownField,
                            format!("unknown field {:?}{near}", shorten(key)),
                        );
                    }
                }
            }
        }
        (Value::List(items), Value::List(others)) if items.len() == others.len() => {
            for (place, fixed) in reader.items(found).iter().zip(others) {
                compare(place, fixed, reader);
            }
        }
        (Value::Number(number), Value::Number(other)) if number.whole() == other.whole() => {}
        (value, other) if value == other => {}
        _ => {
            let message = format!("this program plays {} here and nothing else", show(fixed));
            reader.report(found, FaultCode::FixedRule, message);
        }
    }
}

fn show(node: &Node<'_>) -> String {
    match &node.value {
        Value::Text(text) => format!("{text:?}"),
        Value::Number(number) => number.0.to_owned(),
        Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        _ => node.describe(),
    }
}

fn read_teams(place: &Place<'_, '_>, reader: &mut Reader) -> [Team; 4] {
    let mut teams = [None; 4];
    for (key, member) in reader.members(place) {
        let Some(team) = Team::from_name(key) else {
            let near = did_you_mean(key, Team::ALL.map(Team::name));
            reader.report(
                &member,
                FaultCode::UnknownTeam,
                format!("{:?} is not a team: the teams are air and earth{near}", shorten(key)),
            );
            continue;
        };
        for army in reader.armies(&member) {
            if teams[army.index()].replace(team).is_some() {
                reader.report(&member, FaultCode::UnequalTeams, format!("{army} is in the teams twice"));
            }
        }
    }
    let base = Setup::base();
    Army::ALL.map(|army| {
        teams[army.index()].unwrap_or_else(|| {
            reader.report(place, FaultCode::UnequalTeams, format!("{army} has no team"));
            base.team(army)
        })
    })
}

/// `armies` repeats the teams and names the allies; both must agree.
fn check_armies(place: &Place<'_, '_>, teams: [Team; 4], reader: &mut Reader) {
    for (key, member) in reader.members(place) {
        let Some(army) = reader.army_key(key, &member) else { continue };
        reader.only_fields(&member, &["team", "element", "colour_element", "ally"]);
        for name in ["element", "colour_element"] {
            if let Some(element) = member.get(name) {
                read_element(&element, reader);
            }
        }
        if let Some(team) = member.get("team")
            && let Some(named) = reader.team(&team)
            && named != teams[army.index()]
        {
            reader.report(
                &team,
                FaultCode::TeamMismatch,
                format!("`teams` puts {army} into team {}", teams[army.index()]),
            );
        }
        if let Some(ally) = member.get("ally")
            && let Some(named) = reader.army(&ally)
            && (named == army || teams[named.index()] != teams[army.index()])
        {
            reader.report(
                &ally,
                FaultCode::AllyMismatch,
                format!("{named} is not the other army of {army}'s team"),
            );
        }
    }
}

pub(super) fn read_element(place: &Place<'_, '_>, reader: &mut Reader) {
    let known = ["fire", "water", "air", "earth"];
    reader.word(place, FaultCode::UnknownElement, "element", &known, |text| {
        known.contains(&text).then_some(())
    });
}

fn read_orientations(place: &Place<'_, '_>, teams: [Team; 4], reader: &mut Reader) -> Vec<Orientation> {
    let mut orientations = Vec::new();
    let base = Setup::base();
    for (name, orientation) in reader.members(place) {
        let mut camps = Army::ALL.map(|army| Camp { team: teams[army.index()], ..base.camp(army).clone() });
        let mut rows = [const { None }; 4];
        for army in Army::ALL {
            let Some(camp) = reader.need(&orientation, army.name()) else { continue };
            reader.only_fields(&camp, &["forward", "delta", "promotion", "thrones", "back", "front"]);
            let forward = reader.need(&camp, "forward").and_then(|forward| reader.compass(&forward));
            let zone = reader.need(&camp, "promotion").and_then(|zone| reader.zone(&zone));
            let thrones = reader.need(&camp, "thrones").map(|thrones| reader.squares(&thrones));
            if let (Some(delta), Some(forward)) = (camp.get("delta"), forward) {
                check_delta(&delta, forward, reader);
            }
            if let (Some(forward), Some(promotion), Some(thrones)) = (forward, zone, thrones) {
                camps[army.index()] = Camp { team: teams[army.index()], forward, promotion, thrones };
            }
            if let (Some(back), Some(front)) = (camp.get("back"), camp.get("front")) {
                rows[army.index()] = Some((reader.squares(&back), reader.squares(&front)));
            }
        }
        for (key, member) in reader.members(&orientation) {
            reader.army_key(key, &member);
        }
        orientations.push(Orientation { name: name.to_owned(), camps, rows });
    }
    orientations
}

fn check_delta(place: &Place<'_, '_>, forward: Compass, reader: &mut Reader) {
    let (file, rank) = forward.step();
    let expected = i64::from(rank) * 8 + i64::from(file);
    if place.node.whole() != Some(expected) {
        reader.report(
            place,
            FaultCode::DeltaMismatch,
            format!("{} is {expected} squares on", forward.name()),
        );
    }
}

fn read_turn_orders(place: &Place<'_, '_>, reader: &mut Reader) -> Vec<(String, [Army; 4])> {
    let members = reader.members(place);
    members
        .iter()
        .filter_map(|(name, member)| Some(((*name).to_owned(), read_order(member, reader)?)))
        .collect()
}

pub(super) fn read_order(place: &Place<'_, '_>, reader: &mut Reader) -> Option<[Army; 4]> {
    let before = reader.faults.len();
    let armies = reader.armies(place);
    let complete = Army::ALL.into_iter().all(|army| armies.contains(&army));
    match <[Army; 4]>::try_from(armies) {
        Ok(order) if complete => Some(order),
        _ => {
            if reader.faults.len() == before {
                reader.report(place, FaultCode::TurnOrder, "a turn order names each of the four armies once");
            }
            None
        }
    }
}

fn read_divination(place: &Place<'_, '_>, embedded: &Place<'_, '_>, reader: &mut Reader) -> (DiceTable, u32) {
    reader.only_fields(place, &["die", "filter", "retries"]);
    let mut table = DiceTable::default();
    if let Some(die) = place.get("die") {
        let faces = ["1", "2", "3", "4", "5", "6"];
        reader.only_fields(&die, &faces);
        let kinds = faces.map(|face| {
            let Some(listed) = reader.need(&die, face) else { return Vec::new() };
            reader.items(&listed).iter().filter_map(|kind| reader.kind(kind)).collect::<Vec<Kind>>()
        });
        table = DiceTable::new(kinds.each_ref().map(Vec::as_slice));
    }
    if let (Some(filter), Some(fixed)) = (place.get("filter"), embedded.node.at("/divination/filter")) {
        compare(&filter, fixed, reader);
    }
    let mut retries = 3;
    if let Some(given) = place.get("retries") {
        match given.node.whole() {
            Some(count @ 0..=1000) => retries = count as u32,
            _ => reader.report(
                &given,
                FaultCode::OutOfRange,
                format!("retries is a whole number from 0 to 1000, found {}", given.node.describe()),
            ),
        }
    }
    (table, retries)
}

fn read_switches(place: &Place<'_, '_>, reader: &mut Reader) -> Switches {
    const PLAYED: [&str; 3] =
        ["promotion_needs_a_lost_pawn", "unchecked_king_may_not_enter_check", "divination_ignores_check"];
    const UNPLAYED: [&str; 4] =
        ["ally_may_take_a_doomed_king", "concourse_of_bishops_and_queens", "withdrawal", "ptah_square"];
    reader.only_fields(place, &[&PLAYED[..], &UNPLAYED[..]].concat());
    for name in UNPLAYED {
        if let Some(switch) = place.get(name)
            && !matches!(switch.node.value, Value::Bool(false) | Value::Null)
        {
            reader.report(
                &switch,
                FaultCode::UnsupportedSwitch,
                format!("{name} is known from the printed rules, but too vague to be played: leave it off"),
            );
        }
    }
    let [promotion_needs_a_lost_pawn, unchecked_king_may_not_enter_check, divination_ignores_check] =
        PLAYED.map(|name| place.get(name).and_then(|switch| reader.bool(&switch)).unwrap_or(false));
    Switches { promotion_needs_a_lost_pawn, unchecked_king_may_not_enter_check, divination_ignores_check }
}

pub(super) fn read_players(place: &Place<'_, '_>, reader: &mut Reader) -> Option<Players> {
    let before = reader.faults.len();
    let seats: Vec<(String, Vec<Army>)> = reader
        .members(place)
        .iter()
        .map(|(name, member)| ((*name).to_owned(), reader.armies(member)))
        .collect();
    for army in Army::ALL {
        let count = seats.iter().flat_map(|(_, armies)| armies).filter(|&&listed| listed == army).count();
        if count != 1 && reader.faults.len() == before {
            reader.report(
                place,
                FaultCode::Controllers,
                format!("{army} has {count} players, each army needs exactly one"),
            );
        }
    }
    (reader.faults.len() == before).then_some(Players { seats })
}
