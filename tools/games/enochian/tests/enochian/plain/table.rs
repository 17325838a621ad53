//! The plain engine at the table: scripts of moves and offers, and throws of the dice.

use std::collections::BTreeMap;

use super::{ARMIES, Plain};

/// The effect of a script of moves and words; used by fixtures. One line a step.
pub fn run_script(plain: &mut Plain, steps: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut waiting: Option<(&str, usize)> = None;
    let mut stalls: BTreeMap<usize, u32> = BTreeMap::new();
    let mut agreed = false;
    for step in steps {
        let player = |plain: &Plain, army: usize| plain.team(plain.commander[army]).to_owned();
        let line = if agreed || plain.result().is_some() {
            "refused game-over".to_owned()
        } else {
            match (step.as_str(), waiting) {
                ("accept", Some(("offer-exchange", _))) => {
                    waiting = None;
                    plain.exchange();
                    plain.summary()
                }
                ("accept", Some(_)) => {
                    waiting = None;
                    agreed = true;
                    format!("{}; result draw agreement", plain.summary())
                }
                ("refuse", Some(_)) => {
                    waiting = None;
                    plain.summary()
                }
                ("accept" | "refuse", None) => "refused nothing-offered".into(),
                (_, Some(_)) => "refused offer-waits".into(),
                ("offer-exchange", None) => match plain.exchange_captors() {
                    None => "refused no-exchange".into(),
                    Some(captors) => {
                        // In a game of two, a team speaks for both its armies.
                        let own = captors
                            .iter()
                            .position(|&captor| player(plain, captor) == player(plain, plain.turn));
                        match own {
                            None => "refused not-a-captor".into(),
                            Some(_) if plain.off("X1") => {
                                plain.exchange();
                                plain.summary()
                            }
                            Some(own) => {
                                waiting = Some(("offer-exchange", captors[1 - own]));
                                format!("{} is asked", ARMIES[captors[1 - own]])
                            }
                        }
                    }
                },
                ("offer-draw", None) => {
                    let cycle = stalls.values().any(|&count| count >= 2)
                        || stalls.get(&plain.turn).is_some_and(|&count| count >= 1) && plain.is_stalemated();
                    if cycle || plain.off("D3") {
                        let asked = plain.order.iter().copied().find(|&army| {
                            plain.plays(army) && player(plain, army) != player(plain, plain.turn)
                        });
                        let asked = asked.expect("an army to ask");
                        waiting = Some(("offer-draw", asked));
                        format!("{} is asked", ARMIES[asked])
                    } else {
                        "refused no-stalemate-cycle".into()
                    }
                }
                (text, None) => {
                    let legal = plain.legal();
                    let found = legal.iter().find(|step| plain.text(step) == text);
                    if text == "pass" && legal.is_empty() {
                        let counts = plain.is_stalemated() || plain.off("N19");
                        let count = stalls.entry(plain.turn).or_default();
                        *count = if counts { *count + 1 } else { 0 };
                        plain.hand_on();
                    } else if let Some(found) = found {
                        stalls.insert(plain.turn, 0);
                        plain.play(&found.clone());
                    } else {
                        lines.push(format!("{text}: refused"));
                        continue;
                    }
                    if plain.off("X4") && plain.exchange_captors().is_some() {
                        plain.exchange();
                    }
                    plain.summary()
                }
            }
        };
        lines.push(format!("{step}: {line}"));
    }
    lines
}

/// The rolls an army makes of a stream of dice, and whether the last one lets it move (N20).
pub fn throw(plain: &mut Plain, stream: &[u64], retries: u64) -> (Vec<u64>, bool) {
    plain.die = None;
    if plain.legal().is_empty() {
        return (Vec::new(), false);
    }
    let retries = match plain.without.as_str() {
        "Z7" => 0,
        "Z8" => 1000,
        "N20-retries" => 2,
        _ => retries,
    };
    let mut rolls = Vec::new();
    for &die in stream.iter().take(retries as usize + 1) {
        rolls.push(die);
        plain.die = Some(die);
        if !plain.legal().is_empty() {
            return (rolls, true);
        }
    }
    (rolls, false)
}
