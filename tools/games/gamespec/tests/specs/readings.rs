//! The readings G1 to G24, each told apart from the other way to read the seed.

use std::collections::BTreeSet;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempo_boardgame::{Game, Outcome};
use tempo_gamespec::Position;

use super::oracle::Oracle;

pub fn trials() -> Vec<Trial> {
    let paths =
        tempo_testing::files_with_extension(&tempo_testing::fixtures().join("specs/readings"), "json");
    let mut trials: Vec<Trial> = Vec::new();
    let mut covered = BTreeSet::new();
    for path in paths {
        let text = tempo_testing::text(&path);
        let fixture: Value =
            serde_json::from_str(&text).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
        covered.extend(fixture["reading"].as_str().map(str::to_owned));
        let name = format!("readings/{}", tempo_testing::stem(&path));
        trials.push(Trial::test(name, move || check(&path, &fixture)));
    }
    trials.push(Trial::test("readings/none-is-missing", move || {
        let missing: Vec<String> =
            (1..=24).map(|i| format!("G{i}")).filter(|g| !covered.contains(g)).collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("no fixture for {missing:?}").into()) }
    }));
    trials
}

fn check(path: &Path, fixture: &Value) -> Result<(), Failed> {
    let spec = &fixture["spec"];
    let ask = fixture["ask"].as_str().ok_or("a fixture has an ask")?;
    let after: Vec<&str> = fixture["after"]
        .as_array()
        .ok_or("a fixture has an after")?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let flip = fixture["flip"].as_str().ok_or("a fixture has a flip")?;

    let actual = match tempo_gamespec::load(spec.to_string().as_bytes()) {
        Ok(position) => {
            let actual = crate_answer(position, ask, &after)?;
            let plain = plain_answer(&Oracle::new(spec, ""), ask, &after)?;
            if plain != actual {
                return Err(format!("the plain engine says {plain}, the crate {actual}").into());
            }
            actual
        }
        Err(report) => {
            let fault = |finding: &tempo_gamespec::Finding| format!("{} {}", finding.code, finding.pointer);
            json!({"faults": report.faults.iter().map(fault).collect::<Vec<_>>()})
        }
    };
    let other = plain_answer(&Oracle::new(spec, flip), ask, &after)?;
    if other == actual {
        return Err(format!("both readings answer {actual}: the fixture proves nothing").into());
    }
    Ok(tempo_testing::compare(&path.with_extension("expect"), &format!("expect {actual}\nother  {other}\n"))?)
}

fn crate_answer(mut game: Position, ask: &str, after: &[&str]) -> Result<Value, Failed> {
    for text in after {
        let mv = game.find_move(text).ok_or_else(|| format!("{text} is not legal"))?;
        game.make(mv);
    }
    Ok(match ask.split_once(' ') {
        Some(("perft", depth)) => json!(tempo_boardgame::perft::perft(&mut game, depth.parse()?)),
        None if ask == "result" => json!(result(&mut game)),
        None if ask == "moves" => json!(sorted_moves(&mut game)),
        _ => return Err(format!("cannot ask {ask:?}").into()),
    })
}

fn plain_answer(oracle: &Oracle<'_>, ask: &str, after: &[&str]) -> Result<Value, Failed> {
    let mut state = oracle.start();
    for text in after {
        let next = oracle.legal(&state).into_iter().find(|(other, _)| other == text);
        state = next.ok_or_else(|| format!("{text} is not legal to the plain engine"))?.1;
    }
    Ok(match ask.split_once(' ') {
        Some((_, depth)) => json!(oracle.perft(&state, depth.parse()?)),
        None if ask == "result" => json!(oracle.result(&state)),
        None => json!(oracle.legal(&state).into_iter().map(|(text, _)| text).collect::<Vec<_>>()),
    })
}

/// Texts of the legal moves, sorted.
pub fn sorted_moves(game: &mut Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| game.move_text(mv)).collect();
    texts.sort();
    texts
}

/// The result in the plain engine's words.
pub fn result(game: &mut Position) -> Option<String> {
    Some(match game.outcome()? {
        Outcome::Draw { reason } => format!("-: {reason}"),
        Outcome::Win { side, reason } => {
            format!("{}: {reason}", game.spec().players[usize::from(side.0)].name)
        }
    })
}
