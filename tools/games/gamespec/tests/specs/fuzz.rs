//! Bounded, seeded fuzzing: random games against the plain engine, and broken texts against the
//! checker, with a play-through of whatever passes it. `FUZZ=100` does a hundred times as much.

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempo_boardgame::{Game, Side};
use tempo_gamespec::{Move, Position, Undo, check, library};
use tempo_random::Random;

use super::oracle::Oracle;
use super::random_spec;
use super::readings::{result, sorted_moves};

fn seeds(usual: u64) -> impl Iterator<Item = u64> {
    let first = tempo_testing::seed() - 1;
    tempo_testing::tries(usual).map(move |round| first + round)
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("fuzz/random-games-agree-with-the-plain-engine", random_games),
        Trial::test("fuzz/shipped-games-agree-with-the-plain-engine", shipped_games),
        Trial::test("fuzz/random-games-tell-readings-apart", random_games_have_teeth),
        Trial::test("fuzz/broken-values", broken_values),
        Trial::test("fuzz/broken-bytes", broken_bytes),
    ]
}

fn random_games() -> Result<(), Failed> {
    for seed in seeds(1500) {
        let mut random = Random::new(seed + 1);
        let spec = random_spec::spec(&mut random);
        let text = spec.to_string();
        let report = check(text.as_bytes());
        if !report.faults.is_empty() {
            return Err(format!("seed {seed}: {:?}\n{text}", report.faults).into());
        }
        let game = tempo_gamespec::load(text.as_bytes()).map_err(|_| "checked before")?;
        compare_play(&spec, game, &mut random, 10).map_err(|err| format!("seed {seed}: {err}\n{text}"))?;
    }
    Ok(())
}

/// A plain engine that follows another reading is found out by the random games: they have teeth.
fn random_games_have_teeth() -> Result<(), Failed> {
    let flips = [
        "G1",
        "G3",
        "G4",
        "G5",
        "G6",
        "G7",
        "G8",
        "G9",
        "G10",
        "G11",
        "G12",
        "G14",
        "G15-now",
        "G16",
        "G16-fresh",
        "G17",
        "G17-owner",
        "G18",
        "G18-one",
        "G19",
        "G20",
        "G21",
        "G22-ally",
    ];
    let mut missed = Vec::new();
    for flip in flips {
        let found = (0..3000).any(|seed| {
            let mut random = Random::new(seed + 1);
            let spec = random_spec::spec(&mut random);
            let (truth, other) = (Oracle::new(&spec, ""), Oracle::new(&spec, flip));
            let (mut state, mut twin) = (truth.start(), other.start());
            for _ in 0..8 {
                let (legal, theirs) = (truth.legal(&state), other.legal(&twin));
                let texts = |moves: &[(String, super::oracle::State)]| -> Vec<String> {
                    moves.iter().map(|(text, _)| text.clone()).collect()
                };
                if texts(&legal) != texts(&theirs) || truth.result(&state) != other.result(&twin) {
                    return true;
                }
                if legal.is_empty() {
                    break;
                }
                let index = random.index(legal.len());
                state = legal[index].1.clone();
                twin = theirs[index].1.clone();
            }
            false
        });
        if !found {
            missed.push(flip);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("no random game tells {missed:?} apart").into()) }
}

fn shipped_games() -> Result<(), Failed> {
    for shipped in library::SHIPPED {
        let spec: Value = serde_json::from_str(shipped.text)?;
        for seed in seeds(1) {
            let game =
                tempo_gamespec::load(shipped.text.as_bytes()).map_err(|_| "shipped games are in order")?;
            compare_play(&spec, game, &mut Random::new(seed + 77), 25)
                .map_err(|err| format!("{} seed {seed}: {err}", shipped.name))?;
        }
    }
    Ok(())
}

/// Both engines along one random game: moves, results, and taking back every move.
fn compare_play(spec: &Value, mut game: Position, random: &mut Random, turns: usize) -> Result<(), String> {
    let oracle = Oracle::new(spec, "");
    let mut state = oracle.start();
    let mut played: Vec<(String, Move, Undo, Position)> = Vec::new();
    for _ in 0..turns {
        let legal = oracle.legal(&state);
        let theirs: Vec<&str> = legal.iter().map(|(text, _)| text.as_str()).collect();
        let ours = sorted_moves(&mut game);
        let line: Vec<&String> = played.iter().map(|(text, ..)| text).collect();
        if ours != theirs {
            return Err(format!("after {line:?}\ncrate {ours:?}\nplain {theirs:?}"));
        }
        let (mine, yours) = (result(&mut game), oracle.result(&state));
        if mine != yours {
            return Err(format!("after {line:?}: crate says {mine:?}, plain {yours:?}"));
        }
        if legal.is_empty() {
            break;
        }
        let (text, after) = legal[random.index(legal.len())].clone();
        let before = game.clone();
        let mv = game.find_move(&text).ok_or("a move that was listed")?;
        let undo = game.make(mv);
        played.push((text, mv, undo, before));
        state = after;
    }
    while let Some((text, mv, undo, before)) = played.pop() {
        game.unmake(mv, undo);
        if game != before {
            return Err(format!("taking back {text} leaves another position:\n{game:?}\n{before:?}"));
        }
    }
    Ok(())
}

/// Values of shipped specs replaced, removed or repeated, then checked and played.
fn broken_values() -> Result<(), Failed> {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(3),
        json!(2_147_483_648u64),
        json!(1e30),
        json!(0.5),
        json!(""),
        json!("KING"),
        json!("PATH_EMPTY"),
        json!("\u{1b}[2J\u{0}"),
        json!([]),
        json!([0, 0]),
        json!([1_000_000_000, -1_000_000_000]),
        json!([[0, 0], [0, 0]]),
        json!({}),
        json!({"condition": "DEPENDS_ON", "move_id": 0}),
        json!({"action": "MOVE", "from": [1, 0], "to": [-1, 0]}),
        json!({"times": 1_000_000_000}),
    ];
    let bases: Vec<Value> = library::SHIPPED
        .iter()
        .map(|shipped| serde_json::from_str(shipped.text))
        .collect::<Result<_, _>>()?;
    for seed in seeds(2500) {
        let mut random = Random::new(seed + 9000);
        let mut spec = if random.once_in(2) {
            random_spec::spec(&mut random)
        } else {
            bases[random.index(bases.len())].clone()
        };
        for _ in 0..1 + random.index(3) {
            mutate(&mut spec, &mut random, &odd);
        }
        play_through(spec.to_string().as_bytes(), &mut random);
    }
    Ok(())
}

/// Changes one value somewhere in the tree.
pub fn mutate(value: &mut Value, random: &mut Random, odd: &[Value]) {
    let descend = !random.once_in(12);
    match value {
        Value::Array(items) if descend && !items.is_empty() => {
            let index = random.index(items.len());
            match random.index(12) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                2 => items.swap(0, index),
                _ => mutate(&mut items[index], random, odd),
            }
        }
        Value::Object(members) if descend && !members.is_empty() => {
            let key = members.keys().nth(random.index(members.len())).cloned().unwrap_or_default();
            if random.once_in(14) {
                members.remove(&key);
            } else if let Some(member) = members.get_mut(&key) {
                mutate(member, random, odd);
            }
        }
        _ => *value = random.pick(odd).clone(),
    }
}

/// Signs that tell a JSON reader to do something else.
const WORDS: [&[u8]; 15] =
    [b"{", b"}", b"[", b"]", b",", b":", b"\"", b"-", b"0", b"1e9", b".5", b"\\u", b"\0", b"\xff", b"\n"];

fn broken_bytes() -> Result<(), Failed> {
    for seed in seeds(1500) {
        let mut random = Random::new(seed + 40_000);
        let shipped = random.pick(library::SHIPPED);
        let bytes = tempo_testing::damage(&mut random, shipped.text.as_bytes(), &WORDS);
        play_through(&bytes, &mut random);
    }
    Ok(())
}

/// Whatever passes the checker must play without a panic, and come back to where it was.
fn play_through(bytes: &[u8], random: &mut Random) {
    let Ok(mut game) = tempo_gamespec::load(bytes) else { return };
    let mut played = Vec::new();
    let start = game.clone();
    for _ in 0..12 {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let _ = game.outcome();
        let Some(&mv) = moves.get(random.index(moves.len().max(1))) else { break };
        let _ = (game.move_text(mv), game.evaluate(Side(0)), game.explain(game.ends_of(mv).0));
        let undo = game.make(mv);
        played.push((mv, undo));
    }
    let _ = game.board();
    while let Some((mv, undo)) = played.pop() {
        game.unmake(mv, undo);
    }
    assert_eq!(game, start);
}
