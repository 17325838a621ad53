//! The data from which a saved game begins again: the first position, the players, the seed of the dice and
//! the switches. The lines of moves are the business of `tempo_boardgame::saved`.

use serde_json::{Map, Value, json};

use super::book::{Players, Rulebook};
use super::json::Layout;
use super::pieces::Army;
use super::position::Position;
use super::session::Session;
use super::setup::{Setup, Switches};

impl Session {
    /// The setup of this session, which must not have begun; `array` is the name of what is played.
    pub fn to_setup(&self, array: Option<&str>) -> Value {
        let mut position = self.position().clone();
        if self.seed().is_some() {
            position.set_die(None); // thrown again from the seed
        }
        let json = position.to_json(Layout::Compact);
        let players: Map<String, Value> = self
            .players()
            .seats
            .iter()
            .map(|(name, armies)| (name.clone(), armies.iter().map(|army| army.name()).collect()))
            .collect();
        let setup = self.position().setup();
        json!({
            "array": array,
            "position": serde_json::from_str::<Value>(&json).unwrap_or_default(),
            "players": players,
            "seed": self.seed(),
            "retries": setup.retries,
            "switches": switch_names(setup.switches),
        })
    }

    /// Begins again from a setup, with the dice table of `book`. The error is a sentence.
    pub fn from_setup(setup: &Value, book: &Rulebook) -> Result<Session, String> {
        let mut base: Setup = (*book.base).clone();
        base.switches = read_switches(&setup["switches"])?;
        if let Some(retries) = setup["retries"].as_u64() {
            base.retries = u32::try_from(retries).ok().filter(|&n| n <= 1000).ok_or("too many retries")?;
        }
        let json = setup["position"].to_string();
        let position = Position::from_json(json.as_bytes(), &base).map_err(|faults| {
            faults.first().map_or_else(String::new, |fault| {
                format!("{}: {} [{}]", fault.pointer, fault.message, fault.code)
            })
        })?;
        let players = read_players(&setup["players"])?;
        let seed = match &setup["seed"] {
            Value::Null => None,
            seed => Some(seed.as_u64().ok_or("the seed is not a whole number")?),
        };
        Ok(Session::new(position, players, seed))
    }
}

fn switch_names(switches: Switches) -> Vec<&'static str> {
    let all = [
        ("promotion_needs_a_lost_pawn", switches.promotion_needs_a_lost_pawn),
        ("unchecked_king_may_not_enter_check", switches.unchecked_king_may_not_enter_check),
        ("divination_ignores_check", switches.divination_ignores_check),
    ];
    all.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect()
}

fn read_switches(value: &Value) -> Result<Switches, String> {
    let mut switches = Switches::default();
    for name in value.as_array().map(Vec::as_slice).unwrap_or_default() {
        match name.as_str() {
            Some("promotion_needs_a_lost_pawn") => switches.promotion_needs_a_lost_pawn = true,
            Some("unchecked_king_may_not_enter_check") => switches.unchecked_king_may_not_enter_check = true,
            Some("divination_ignores_check") => switches.divination_ignores_check = true,
            _ => return Err(format!("unknown switch {name}")),
        }
    }
    Ok(switches)
}

fn read_players(value: &Value) -> Result<Players, String> {
    let seats = value.as_object().ok_or("the players are missing")?;
    let mut players = Players { seats: Vec::new() };
    for (name, armies) in seats {
        let armies: Option<Vec<Army>> = armies
            .as_array()
            .ok_or("a player has no list of armies")?
            .iter()
            .map(|army| Army::from_name(army.as_str()?))
            .collect();
        players
            .seats
            .push((name.clone(), armies.ok_or_else(|| format!("the player {name:?} has an unknown army"))?));
    }
    let count = |army| players.seats.iter().filter(|(_, armies)| armies.contains(&army)).count();
    match Army::ALL.into_iter().find(|&army| count(army) != 1) {
        Some(army) => Err(format!("{army} has {} players", count(army))),
        None => Ok(players),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_session_begins_again_from_its_setup() {
        let book = Rulebook::embedded();
        for seed in [None, Some(5)] {
            let session = Session::new(book.recommended_array().position(), book.two_players.clone(), seed);
            let setup = session.to_setup(Some("fire_of_fire"));
            assert_eq!(Session::from_setup(&setup, book), Ok(session));
        }
    }

    #[test]
    fn a_bad_setup_is_refused() {
        let book = Rulebook::embedded();
        let session = Session::new(Position::default(), book.two_players.clone(), None);
        let good = session.to_setup(None);
        for (key, bad) in [
            ("players", json!({"p1": ["blue"]})),
            ("players", json!({"p1": ["white"]})),
            ("players", json!(3)),
            ("seed", json!("x")),
            ("switches", json!(["flying"])),
            ("position", json!({"pieces": [["z9", "blue", "K"]]})),
            ("retries", json!(100_000)),
        ] {
            let mut setup = good.clone();
            setup[key] = bad;
            assert!(Session::from_setup(&setup, book).is_err(), "{setup}");
        }
    }
}
