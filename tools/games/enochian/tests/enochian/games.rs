//! Random games and random positions: invariants, taking back, save and load, and agreement with the
//! plain engine. `FUZZ=N` plays N times as many games and positions.

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempo_boardgame::Game;
use tempo_enochian::{
    Action, Army, Kind, Layout, Major, Move, Position, Rulebook, Session, Setup, Team, available_arrays,
};
use tempo_random::Random;

use super::fixtures::summary;
use super::plain::{self, Plain};

pub fn trials() -> Vec<Trial> {
    if tempo_testing::updating() {
        return Vec::new();
    }
    let mut trials = Vec::new();
    for array in available_arrays() {
        trials.push(Trial::test(format!("random games {}", array.id), || random_games(&array.id)));
    }
    trials.push(Trial::test("random games agree with the plain engine", games_agree));
    trials.push(Trial::test("random positions agree with the plain engine", positions_agree));
    trials.push(Trial::test("placements keep the promises of the page", placements_hold));
    trials
}

/// Whole games at the table: every second one with dice, offers made and answered at random.
fn random_games(id: &str) -> Result<(), Failed> {
    let array = Rulebook::embedded().find(id)?;
    for game in 0..tempo_testing::rounds(12) {
        let seed = game * 7919 + id.len() as u64;
        random_game(array.position(), seed).map_err(|err| format!("{id}, game {game}: {err}"))?;
    }
    Ok(())
}

fn random_game(start: Position, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let players = if seed.is_multiple_of(3) {
        &Rulebook::embedded().two_players
    } else {
        &Rulebook::embedded().four_players
    };
    let mut session = Session::new(start, players.clone(), (seed % 2 == 1).then_some(seed));
    let mut ledger = Ledger::new(session.position());
    let mut turns = 0;
    let mut actions = Vec::new();
    while turns < 500 && session.result().is_none() {
        actions.clear();
        session.legal_moves(&mut actions);
        if actions.is_empty() {
            return Err(format!("no action, no result: {}", session.position().to_text()));
        }
        let action = *random.pick(&actions);
        let text = session.move_text(action);
        if session.parse_action(&text) != Ok(action) {
            return Err(format!("{text} does not read back in {}", session.position().to_text()));
        }
        let before = session.clone();
        let undo = session.make(action);
        let after = session.clone();
        session.unmake(action, undo);
        if session != before {
            return Err(format!("taking back {text} differs: {}", before.position().to_text()));
        }
        session = after;
        ledger
            .check(&before, action, &session)
            .map_err(|err| format!("{err} after {text}: {}", session.position().to_text()))?;
        turns += u32::from(matches!(action, Action::Move(_)));
        if turns % 16 == 0 || session.result().is_some() {
            round_trip(session.position())?;
        }
    }
    Ok(())
}

/// Saved and loaded, in both forms, the position is the same.
fn round_trip(position: &Position) -> Result<(), String> {
    for layout in [Layout::Lines, Layout::Compact] {
        let json = position.to_json(layout);
        let back =
            Position::from_json(json.as_bytes(), &Setup::base()).map_err(|faults| format!("{faults:?}"))?;
        if back != *position {
            return Err(format!("JSON round trip: {json}"));
        }
    }
    let text = position.to_text();
    let back = Position::from_text(&text, &Setup::base()).map_err(|faults| format!("{faults:?}"))?;
    if back == *position { Ok(()) } else { Err(format!("text round trip: {text}")) }
}

/// How many pieces each army may have, move by move.
struct Ledger {
    pieces: [u32; 4],
}

impl Ledger {
    fn new(position: &Position) -> Ledger {
        Ledger { pieces: Army::ALL.map(|army| pieces(position, army)) }
    }

    fn check(&mut self, before: &Session, action: Action, after: &Session) -> Result<(), String> {
        let (old, new) = (before.position(), after.position());
        if let Action::Move(Move::Step { to, .. }) = action {
            for piece in old.pieces_on(to) {
                self.pieces[piece.army.index()] -= 1;
            }
        }
        for army in Army::ALL {
            if old.captor(army).is_some() && new.captor(army).is_none() {
                self.pieces[army.index()] += 1; // exchanged
            }
            if pieces(new, army) != self.pieces[army.index()] {
                return Err(format!(
                    "{army} has {} pieces, {} are accounted for",
                    pieces(new, army),
                    self.pieces[army.index()]
                ));
            }
            let kings = new.count(army, Kind::King);
            match new.captor(army) {
                None if kings != 1 => return Err(format!("{army} lives with {kings} kings")),
                Some(_) if kings != 0 => return Err(format!("{army} is captive and has a king")),
                Some(_) if !new.is_frozen(army) && new.commander(army) == army => {
                    return Err(format!("{army} has no king and commands itself"));
                }
                None if new.is_frozen(army) => {
                    return Err(format!("{army} is frozen with its king on the board"));
                }
                _ => {}
            }
        }
        for square in tempo_enochian::Square::all() {
            let on = new.pieces_on(square);
            let is_throne = new.setup().throne_of(square).is_some();
            if on.len() > 2 || on.len() == 2 && !is_throne {
                return Err(format!("{} pieces on {square}", on.len()));
            }
            // N4: sharing never begins.
            if on.len() == 2 && old.pieces_on(square).len() < 2 {
                return Err(format!("{square} has become shared"));
            }
        }
        Ok(())
    }
}

fn pieces(position: &Position, army: Army) -> u32 {
    Kind::ALL.iter().map(|&kind| position.count(army, kind)).sum()
}

fn compare(position: &Position, plain: &Plain) -> Result<(), String> {
    let (ours, theirs) = (position.legal_move_texts(), plain.moves());
    if ours != theirs {
        return Err(format!(
            "{}\nengine: {}\nplain:  {}",
            position.to_text(),
            ours.join(" "),
            theirs.join(" ")
        ));
    }
    if position.count_moves() != ours.len() as u64 {
        return Err(format!(
            "{}: counted {}, listed {}",
            position.to_text(),
            position.count_moves(),
            ours.len()
        ));
    }
    let (ours, theirs) = (summary(position, position.result()), plain.summary());
    if ours == theirs { Ok(()) } else { Err(format!("engine: {ours}\nplain:  {theirs}")) }
}

/// Plays one random move on both.
fn advance(position: &mut Position, plain: &mut Plain, random: &mut Random) -> Result<(), String> {
    let texts = position.legal_move_texts();
    let text = texts[random.index(texts.len())].clone();
    let mv = position.parse_move(&text).map_err(|err| err.to_string())?;
    position.play(mv);
    let steps = plain.legal();
    match steps.iter().find(|step| plain.text(step) == text) {
        Some(step) => plain.play(&step.clone()),
        None => plain.hand_on(),
    }
    Ok(())
}

fn games_agree() -> Result<(), Failed> {
    for (number, array) in available_arrays().iter().enumerate() {
        let mut random = Random::new(number as u64);
        let mut position = array.position();
        let mut plain = plain::array(&array.id, "");
        for turn in 0..60 {
            compare(&position, &plain).map_err(|err| format!("{}, turn {turn}: {err}", array.id))?;
            advance(&mut position, &mut plain, &mut random).map_err(|err| format!("{}: {err}", array.id))?;
        }
    }
    Ok(())
}

/// Positions no game would reach: crowded thrones, stray systems, any turn order, command, captives and dice.
fn positions_agree() -> Result<(), Failed> {
    for seed in 0..tempo_testing::rounds(400) {
        let mut random = Random::new(seed ^ 0x5eed);
        let json = random_position(&mut random);
        let text = json.to_string();
        let mut position = Position::from_json(text.as_bytes(), &Setup::base())
            .map_err(|faults| format!("seed {seed}: {faults:?}"))?;
        let mut plain = Plain::from_json(&json, "");
        for _ in 0..6 {
            compare(&position, &plain).map_err(|err| format!("seed {seed}: {err}"))?;
            round_trip(&position).map_err(|err| format!("seed {seed}: {err}"))?;
            exchanges_agree(&position, &plain).map_err(|err| format!("seed {seed}: {err}"))?;
            advance(&mut position, &mut plain, &mut random).map_err(|err| format!("seed {seed}: {err}"))?;
        }
    }
    Ok(())
}

fn exchanges_agree(position: &Position, plain: &Plain) -> Result<(), String> {
    let (mut ours, mut theirs) = (position.clone(), plain.clone());
    match (ours.exchange(), theirs.exchange_captors()) {
        (Ok(_), Some(_)) => {
            theirs.exchange();
            let (ours, theirs) = (summary(&ours, ours.result()), theirs.summary());
            if ours == theirs { Ok(()) } else { Err(format!("exchange\nengine: {ours}\nplain:  {theirs}")) }
        }
        (Err(_), None) => Ok(()),
        (Err(tempo_enochian::ExchangeError::NoSquare(_)), Some(_)) => Ok(()),
        (found, _) => Err(format!("exchange {found:?} in {}", position.to_text())),
    }
}

fn random_position(random: &mut Random) -> Value {
    let mut squares: Vec<String> = (0..64).map(|i| plain::name((i % 8, i / 8))).collect();
    for i in (1..64).rev() {
        squares.swap(i, random.index(i + 1));
    }
    let mut pieces = Vec::new();
    let (mut frozen, mut prisoners, mut commanders) = (Vec::new(), json!({}), json!({}));
    let enemy = [1, 2, 3, 0];
    let ally = [2, 3, 0, 1];
    let mut alive = [true; 4];
    for army in 0..4 {
        let name = plain::ARMIES[army];
        if random.once_in(4) && alive[ally[army]] {
            alive[army] = false;
            let captor = if random.once_in(2) { enemy[army] } else { ally[enemy[army]] };
            prisoners[name] = plain::ARMIES[captor].into();
            if random.once_in(2) {
                frozen.push(name);
            } else {
                commanders[name] = plain::ARMIES[ally[army]].into();
            }
        } else {
            pieces.push(json!([squares.pop(), name, "K"]));
            if random.once_in(5) && alive[ally[army]] {
                commanders[name] = plain::ARMIES[ally[army]].into();
            }
        }
        for _ in 0..random.index(9) {
            let Some(square) = squares.pop() else { break };
            let letter = *random.pick(&["Q", "R", "B", "N", "P", "P"]);
            let mut piece = vec![square, name.to_owned(), letter.to_owned()];
            if letter == "P" {
                piece.push(random.pick(&Major::ALL).letter().to_string());
            } else if (letter == "Q" || letter == "B") && random.once_in(3) {
                piece.push((*random.pick(&["aries", "cancer"])).to_owned());
            }
            pieces.push(json!(piece));
        }
    }
    // Share some king's square with a piece of its team: the square becomes a throne.
    let mut armies = json!({});
    let kings: Vec<Value> = pieces.iter().filter(|piece| piece[2] == "K").cloned().collect();
    if let Some(king) = kings.first().filter(|_| random.once_in(2)) {
        let army = plain::ARMIES.iter().position(|name| king[1] == *name).expect("an army");
        let mate = if random.once_in(2) { army } else { ally[army] };
        pieces.push(json!([king[0], plain::ARMIES[mate], random.pick(&["Q", "R", "B", "N"])]));
        armies[plain::ARMIES[random.index(4)]] = json!({"thrones": [king[0], squares[0]]});
    }
    if random.once_in(3) {
        let forward = *random.pick(&[
            ("north", "rank8"),
            ("east", "fileh"),
            ("south", "rank1"),
            ("west", "filea"),
            ("north", "rank5"),
        ]);
        let name = plain::ARMIES[random.index(4)];
        armies[name]["forward"] = forward.0.into();
        armies[name]["promotion"] = forward.1.into();
    }
    let mut order: Vec<&str> = plain::ARMIES.to_vec();
    for i in (1..4).rev() {
        order.swap(i, random.index(i + 1));
    }
    let mut json = json!({
        "turn_order": order, "armies": armies, "pieces": pieces, "to_move": random.pick(&plain::ARMIES),
        "frozen": frozen, "prisoners": prisoners, "commanders": commanders,
    });
    if random.once_in(3) {
        json["die"] = (1 + random.index(6)).into();
    }
    json
}

/// Section 5 of the page: what holds for every placement.
fn placements_hold() -> Result<(), Failed> {
    for array in available_arrays().iter().filter(|array| array.placement.is_some()) {
        let position = array.position();
        let find = |army: Army, kind: Kind| {
            let mut all =
                position.all_pieces().filter(|(_, piece)| piece.army == army && piece.office.kind() == kind);
            all.next().expect("each army has one").0
        };
        let system = tempo_enochian::System::of;
        for army in Army::ALL {
            let setup = position.setup();
            let ally = setup.ally(army);
            let enemy = setup.armies(setup.team(army).other())[0];
            let bishop = system(find(army, Kind::Bishop));
            let holds = bishop != system(find(army, Kind::Queen))
                && bishop == system(find(ally, Kind::Bishop))
                && bishop != system(find(enemy, Kind::Bishop))
                && (setup.team(army) == Team::Air) == matches!(army, Army::Blue | Army::Black);
            if !holds {
                return Err(format!("{}: bishops and queens of {army}", array.id).into());
            }
        }
        // A queen keeps the parity of both coordinates, so four queens on four parities never meet.
        let mut parities = Army::ALL.map(|army| {
            let queen = find(army, Kind::Queen);
            (queen.file() % 4 / 2, queen.file() % 2, queen.rank() % 2)
        });
        parities.sort_unstable();
        let mut reached: Vec<u64> =
            Army::ALL.iter().map(|&army| queen_reach(find(army, Kind::Queen).index())).collect();
        reached.dedup();
        let union = reached.iter().fold(0, |set, reach| set | reach);
        if reached.iter().any(|reach| reach.count_ones() != 16) || union != u64::MAX {
            return Err(format!("{}: the queens do not reach four disjoint sets of 16", array.id).into());
        }
    }
    Ok(())
}

fn queen_reach(from: usize) -> u64 {
    let mut reach = 1u64 << from;
    loop {
        let mut wider = reach;
        for i in (0..64i32).filter(|i| reach >> i & 1 != 0) {
            for (dx, dy) in [(2, 0), (-2, 0), (0, 2), (0, -2), (2, 2), (2, -2), (-2, 2), (-2, -2)] {
                let (x, y) = (i % 8 + dx, i / 8 + dy);
                if (0..8).contains(&x) && (0..8).contains(&y) {
                    wider |= 1 << (y * 8 + x);
                }
            }
        }
        if wider == reach {
            return reach;
        }
        reach = wider;
    }
}
