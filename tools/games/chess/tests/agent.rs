//! The agent protocol, held to its tables: every line of a table is a separate test.
//!
//! - `seed/*.json`: the examples of the rulebook, each an input and an output that must be accepted.
//! - `verdicts.jsonl`: a state, an answer, and what the judge must say of it.
//! - `faults.jsonl`: the start state with something changed, and the fault that must be named.
//! - `draws.jsonl`: states, the claims open in them, the end if it has come, and what the agent answers.
//!
//! And games of the agent against itself, every answer through the judge, and a fuzzer that damages
//! the examples (`FUZZ=25` for as many times the rounds, `SEED=7` for others). The tables are the specification,
//! so `UPDATE=1` does not touch them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use tempo_boardgame::search::{Limits, best_move};
use tempo_chess::agent::{
    Advice, Answer, Judgement, State, Strictness, Verdict, choose, judge, legal_answers,
};
use tempo_chess::{Board, Claim};
use tempo_random::Random;

type Outcome = Result<(), Failed>;
/// Checks one row of a table.
type Check = fn(&Value) -> Outcome;

fn main() {
    let args = Arguments::from_args();
    tempo_testing::keep_published("the tables of the agent protocol");
    let mut trials = Vec::new();
    for path in tempo_testing::files_with_extension(&folder().join("seed"), "json") {
        let name = tempo_testing::stem(&path);
        let example: Value = serde_json::from_str(&tempo_testing::text(&path)).expect("an example is JSON");
        trials.push(Trial::test(format!("seed/{name}"), move || check_example(&example)));
    }
    let tables: [(&str, Check); 3] =
        [("verdicts", check_verdict), ("faults", check_fault), ("draws", check_draw)];
    for (table, check) in tables {
        for row in rows(table) {
            let name = row["name"].as_str().expect("a row has a name").to_string();
            trials.push(Trial::test(format!("{table}/{name}"), move || check(&row)));
        }
    }
    trials.push(Trial::test("verdicts/table-has-every-code", every_verdict_occurs));
    trials.push(Trial::test("faults/table-has-every-code", every_fault_occurs));
    for (name, fen) in GAMES {
        trials.push(Trial::test(format!("self-play/{name}"), move || play_itself(fen)));
    }
    trials.push(Trial::test("fuzz/states", fuzz_states));
    trials.push(Trial::test("fuzz/answers", fuzz_answers));
    trials.push(Trial::test("fuzz/fens", fuzz_fens));
    libtest_mimic::run(&args, trials).exit();
}

fn folder() -> PathBuf {
    tempo_testing::fixtures().join("agent")
}

fn rows(table: &str) -> Vec<Value> {
    let path = folder().join(format!("{table}.jsonl"));
    let text = tempo_testing::text(&path);
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// The state of a row: `fen`, then `history` and `draw_offer` if given, then `moves` played.
fn state_of(row: &Value) -> Result<State, Failed> {
    let fen = row["fen"].as_str().ok_or("a row needs a fen")?;
    let board: Board = fen.parse().map_err(|fault| format!("{fen}: {fault}"))?;
    let mut document: Value = serde_json::from_str(&State::from_board(board).to_json())?;
    for (field, key) in [("position_history", "history"), ("draw_offer", "draw_offer")] {
        if let Some(value) = row.get(key) {
            document[field] = value.clone();
        }
    }
    let mut state = State::parse(document.to_string().as_bytes()).map_err(|fault| fault.to_string())?;
    for mv in row["moves"].as_array().into_iter().flatten() {
        let mv = mv.as_str().ok_or("a move is text")?.parse().map_err(|err| format!("{err}"))?;
        let judged = judge(&state, &Answer::Move(mv).to_json(), Strictness::Strict);
        if judged.verdict != Verdict::Ok {
            return Err(format!("{mv}: {}", judged.message).into());
        }
        // Through the wire and back, as a host would.
        state = State::parse(judged.after.to_json().as_bytes()).map_err(|fault| fault.to_string())?;
    }
    Ok(state)
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}").into()) }
}

fn ask_agent(state: &State, nodes: u64) -> Answer {
    let advise = |state: &State| {
        let found = best_move(&mut state.game(), Limits::nodes(nodes));
        Ok::<_, std::convert::Infallible>(found.best.map(|best| Advice { best, score: Some(found.score) }))
    };
    match choose(state, advise) {
        Ok(answer) => answer,
        Err(never) => match never {},
    }
}

fn check_example(example: &Value) -> Outcome {
    let state = State::parse(example["input"].to_string().as_bytes()).map_err(|fault| fault.to_string())?;
    let output = &example["output"];
    let judged = judge(&state, &output.to_string(), Strictness::Strict);
    expect(
        "verdict on the example",
        (judged.verdict.code(), judged.message.as_str()),
        ("ok", &judged.message),
    )?;

    let (moves, actions) = legal_answers(&state);
    let listed = moves.iter().chain(&actions).any(|answer| &json!(answer) == output);
    expect("the example among the legal answers", listed, true)?;
    let own = ask_agent(&state, 500);
    expect(
        "verdict on our own answer",
        judge(&state, &own.to_json(), Strictness::Strict).verdict,
        Verdict::Ok,
    )?;

    // What we write is what we read, field by field.
    let written: Value = serde_json::from_str(&state.to_json())?;
    for (field, value) in example["input"].as_object().ok_or("the input is an object")? {
        expect(field, &written[field], value)?;
    }
    Ok(())
}

fn check_verdict(row: &Value) -> Outcome {
    let state = state_of(row)?;
    let strictness = if row["strict"] == true { Strictness::Strict } else { Strictness::Lenient };
    let answer = row["answer"].as_str().ok_or("the answer is raw text")?;
    let judged: Value = serde_json::from_str(&judge(&state, answer, strictness).to_json())?;
    for field in ["verdict", "pointer", "result"] {
        expect(
            &format!("{field} ({})", judged["message"]),
            &judged[field],
            row.get(field).unwrap_or(&Value::Null),
        )?;
    }
    let refused = judged["verdict"] != "ok";
    if refused {
        expect("state after a refusal", &judged["state"], &serde_json::from_str(&state.to_json())?)?;
    }
    Ok(())
}

fn every_verdict_occurs() -> Outcome {
    let rows = rows("verdicts");
    let found: BTreeSet<&str> = rows.iter().filter_map(|row| row["verdict"].as_str()).collect();
    let wanted: BTreeSet<&str> = Verdict::ALL.iter().map(|verdict| verdict.code()).collect();
    expect("codes", found, wanted)
}

/// In the order of checking; the size is tested where documents are read.
const FAULTS: [&str; 15] = [
    "not-json",
    "duplicate-key",
    "too-deep",
    "wrong-type",
    "missing-field",
    "bad-square",
    "bad-piece",
    "bad-turn",
    "king-count",
    "pawn-on-last-rank",
    "castling-impossible",
    "en-passant-impossible",
    "out-of-range",
    "bad-fen",
    "opponent-in-check",
];

fn every_fault_occurs() -> Outcome {
    let rows = rows("faults");
    let found: BTreeSet<&str> = rows.iter().filter_map(|row| row["code"].as_str()).collect();
    expect("codes", found, BTreeSet::from(FAULTS))
}

fn check_fault(row: &Value) -> Outcome {
    let text = match row["raw"].as_str() {
        Some(raw) => raw.to_string(),
        None => changed_start(row)?.to_string(),
    };
    let fault = State::parse(text.as_bytes()).err().ok_or("the state was accepted")?;
    let found = (fault.code.as_str(), fault.pointer.as_str());
    expect(&fault.message, found, (row["code"].as_str().unwrap_or(""), row["pointer"].as_str().unwrap_or("")))
}

/// The start state with the row's changes.
fn changed_start(row: &Value) -> Result<Value, Failed> {
    let mut document: Value = serde_json::from_str(&State::start().to_json())?;
    let mut parent =
        |pointer: &str, change: &dyn Fn(&mut serde_json::Map<String, Value>, String)| -> Outcome {
            let (parent, key) = pointer.rsplit_once('/').ok_or("a pointer starts with a slash")?;
            let object = document.pointer_mut(parent).and_then(Value::as_object_mut);
            change(object.ok_or("the parent is an object")?, key.replace("~1", "/").replace("~0", "~"));
            Ok(())
        };
    for pointer in row["remove"].as_array().into_iter().flatten() {
        parent(pointer.as_str().unwrap_or(""), &|object, key| {
            object.remove(&key);
        })?;
    }
    for (pointer, value) in row["set"].as_object().into_iter().flatten() {
        parent(pointer, &|object, key| {
            object.insert(key, value.clone());
        })?;
    }
    Ok(document)
}

fn check_draw(row: &Value) -> Outcome {
    let state = state_of(row)?;
    let game = state.game();
    let claims: Vec<&str> =
        Claim::ALL.into_iter().filter(|&claim| game.may_claim(claim)).map(Claim::reason).collect();
    expect("claims", json!(claims), row["claims"].clone())?;
    expect("ending", json!(game.ending().map(|ending| ending.reason())), row["ending"].clone())?;

    let answer = ask_agent(&state, 2000);
    match (&row["answer"], answer) {
        (Value::String(kind), Answer::Move(_)) if kind == "move" => {}
        (wanted, answer) => expect("answer", &json!(answer), wanted)?,
    }
    let judged = judge(&state, &answer.to_json(), Strictness::Strict);
    expect(&judged.message, judged.verdict, Verdict::Ok)?;

    // A claim is legal exactly when it is open.
    for claim in Claim::ALL {
        let judged = judge(&state, &Answer::Claim(claim).to_json(), Strictness::Strict);
        let wanted = match (game.may_claim(claim), game.ending()) {
            (false, _) => Verdict::ClaimNotAvailable,
            (true, Some(_)) => Verdict::GameOver,
            (true, None) => Verdict::Ok,
        };
        expect(claim.reason(), judged.verdict, wanted)?;
    }
    Ok(())
}

const GAMES: [(&str, &str); 6] = [
    ("from-the-start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("pawn-race", "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1"),
    ("queen-against-king", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"),
    ("rook-against-king", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
    ("knight-against-bishop", "4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1"),
];

/// Plays to the end. Every answer must pass a strict judge, and the game must end in a way it names.
fn play_itself(fen: &str) -> Outcome {
    let mut state = State::from_board(fen.parse().map_err(|fault| format!("{fault}"))?);
    // Captures and pawn moves are few and the seventy-five moves bound the rest, but no one waits for that.
    for _ in 0..2000 {
        let answer = ask_agent(&state, 300).to_json();
        let Judgement { verdict, message, after, result, .. } = judge(&state, &answer, Strictness::Strict);
        if verdict != Verdict::Ok {
            return Err(format!("{answer} in {}: {message}", state.board().fen()).into());
        }
        if let Some(result) = result {
            println!("{}: {message}, {}", after.board().fen(), result.reason);
            return Ok(());
        }
        state = State::parse(after.to_json().as_bytes()).map_err(|fault| fault.to_string())?;
    }
    Err("the game did not end".into())
}

/// Words of the protocol and of JSON, to put where they do not belong.
const WORDS: [&[u8]; 16] = [
    b"null",
    b"true",
    b"-1",
    b"1e99",
    b"\"",
    b"{",
    b"}",
    b"[",
    b",",
    b"\"K\"",
    b"\"e3\"",
    b"\"black\"",
    b"\\u0000",
    b"9",
    b"/",
    b"k",
];

fn examples() -> Vec<Value> {
    tempo_testing::files_with_extension(&folder().join("seed"), "json")
        .iter()
        .map(|path| tempo_testing::text(path))
        .map(|text| serde_json::from_str(&text).expect("an example is JSON"))
        .collect()
}

/// Whatever is accepted is a state: it reads back the same, and the agent's answer to it is legal.
fn fuzz_states() -> Outcome {
    let texts: Vec<String> = examples().iter().map(|example| example["input"].to_string()).collect();
    let mut random = Random::new(tempo_testing::seed());
    let mut accepted = 0;
    for round in tempo_testing::tries(4000).map(|round| round as usize) {
        let bytes = tempo_testing::damage(&mut random, texts[round % texts.len()].as_bytes(), &WORDS);
        let Ok(state) = State::parse(&bytes) else { continue };
        accepted += 1;
        let text = state.to_json();
        let again = State::parse(text.as_bytes()).map_err(|fault| format!("{text}: {fault}"))?;
        expect("read again", again.to_json(), text)?;
        let answer = ask_agent(&state, 20).to_json();
        let judged = judge(&state, &answer, Strictness::Strict);
        expect(
            &format!("{answer} in {}: {}", state.board().fen(), judged.message),
            judged.verdict,
            Verdict::Ok,
        )?;
    }
    expect("some damage does no harm", accepted > 0, true)
}

/// The judge always has a verdict, and says `ok` to legal answers alone.
fn fuzz_answers() -> Outcome {
    let examples = examples();
    let mut random = Random::new(tempo_testing::seed());
    for round in tempo_testing::tries(4000).map(|round| round as usize) {
        let example = &examples[round % examples.len()];
        let bytes = tempo_testing::damage(&mut random, example["output"].to_string().as_bytes(), &WORDS);
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let state =
            State::parse(example["input"].to_string().as_bytes()).map_err(|fault| fault.to_string())?;
        let judged = judge(&state, &text, Strictness::Lenient);
        let answer: Option<Value> = serde_json::from_str(&text).ok();
        if judged.verdict == Verdict::Ok {
            let answer = answer.ok_or_else(|| format!("{text} is no JSON and was accepted"))?;
            let (moves, actions) = legal_answers(&state);
            let same = |legal: &Answer| {
                let legal = json!(legal);
                ["from", "to", "promotion", "action"].iter().all(|key| answer[key] == legal[key])
            };
            expect(&text, moves.iter().chain(&actions).any(same), true)?;
        }
    }
    Ok(())
}

/// Whatever FEN is accepted reads back the same and has a consistent set of moves.
fn fuzz_fens() -> Outcome {
    let mut random = Random::new(tempo_testing::seed());
    let fens: Vec<&str> = GAMES.iter().map(|game| game.1).collect();
    for round in tempo_testing::tries(4000).map(|round| round as usize) {
        let bytes = tempo_testing::damage(&mut random, fens[round % fens.len()].as_bytes(), &WORDS);
        let text = String::from_utf8_lossy(&bytes);
        let _ = (Board::from_epd(&text), Board::from_simplified_fen(&text), tempo_chess::inspect_fen(&text));
        let Ok(board) = text.parse::<Board>() else { continue };
        expect("read again", board.fen().parse(), Ok(board.clone()))?;
        let moves = board.legal_moves(Default::default());
        expect(&board.fen(), board.count_legal_moves(Default::default()), moves.len() as u64)?;
        for mv in moves {
            let mut after = board.clone();
            after.play(mv);
            expect(&format!("{mv} in {}", board.fen()), after.fen().parse(), Ok(after.clone()))?;
        }
    }
    Ok(())
}
