//! The chess and agent commands as a user runs them: real processes, pipes, exit codes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Output, Stdio};

use serde_json::{Value, json};

use super::common::{feed, tempo};

fn run(args: &[&str], input: impl Into<Vec<u8>>) -> Output {
    feed(&mut tempo(args), input)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json_of(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(&text).unwrap_or_else(|err| panic!("{err}: {text}"))
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The state of the start position, taken from the judge by way of two knight moves there and back.
fn start_state() -> Value {
    let castling = json!({
        "white": { "kingside": true, "queenside": true },
        "black": { "kingside": true, "queenside": true },
    });
    let mut board = serde_json::Map::new();
    for (file, piece) in ('a'..='h').zip("RNBQKBNR".chars()) {
        board.insert(format!("{file}1"), piece.to_string().into());
        board.insert(format!("{file}2"), "P".into());
        board.insert(format!("{file}7"), "p".into());
        board.insert(format!("{file}8"), piece.to_ascii_lowercase().to_string().into());
    }
    json!({
        "board": board, "turn": "white", "castling": castling, "en_passant": null,
        "halfmove_clock": 0, "fullmove_number": 1, "position_history": [],
    })
}

#[test]
fn perft_counts() {
    assert_eq!(stdout(&run(&["perft", "4"], "")), "197281\n");
    assert_eq!(stdout(&run(&["perft", "4", "--jobs", "1"], "")), "197281\n");
    assert_eq!(stdout(&run(&["perft", "0"], "")), "1\n");
    let divided = stdout(&run(&["perft", "2", "--divide"], ""));
    assert_eq!(divided.lines().count(), 22);
    assert!(divided.starts_with("a2a3 20\n") && divided.ends_with("\n\n400\n"), "{divided}");
    let few = run(
        &["perft", "1", "--fen", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", "--promotions", "qn", "--format", "json"],
        "",
    );
    assert_eq!(json_of(&few)["nodes"], 4);
    let mated = run(&["perft", "3", "--fen", "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1"], "");
    assert_eq!((stdout(&mated).as_str(), code(&mated)), ("0\n", Some(0)));
}

#[test]
fn moves_answer_line_by_line() {
    let input = "# two positions and a bad one\n\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n8/8/8/8 w - -\n\
                 4k3/8/8/8/8/8/8/4R2K b - - bm Kf7; id \"check\";\n";
    let output = run(&["moves", "--fens", "-", "--format", "json"], input);
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        lines[0],
        json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "moves": [], "check": false, "state": 3 })
    );
    assert_eq!((&lines[1]["error"]["code"], &lines[1]["line"]), (&json!("rank-count"), &json!(4)));
    assert_eq!(lines[2]["moves"], json!(["e8d7", "e8d8", "e8f7", "e8f8"]));
    assert_eq!((&lines[2]["check"], &lines[2]["state"]), (&json!(true), &json!(1)));
    assert_eq!((lines.len(), code(&output)), (3, Some(1)));
}

#[test]
fn play_moves_knows_the_past() {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
    let mut args = vec!["play-moves", "--format", "json"];
    args.extend(&knights);
    let answer = json_of(&run(&args, ""));
    assert_eq!((&answer["state"], &answer["occurrences"]), (&json!(5), &json!(3)));
    assert_eq!((&answer["halfmove_clock"], &answer["fullmove_number"]), (&json!(8), &json!(5)));

    let illegal = run(&["play-moves", "--format", "json", "e4", "e5", "Ke3"], "");
    assert_eq!((json_of(&illegal)["error"]["number"].as_u64(), code(&illegal)), (Some(3), Some(1)));
}

#[test]
fn moves_are_read_as_people_write_them_and_written_as_pgn() {
    let line = "1. e2-e4 e5 2.Ng1-f3 Nc6 3. bc4 Bc5 4. 0-0 Nf6!?";
    let played = run(&["play-moves", "--format", "pgn", line, "d3"], "");
    let text = stdout(&played);
    assert!(text.ends_with("\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 *\n"), "{text}");
    let again = json_of(&run(&["play-moves", "--pgn", "-", "--format", "json", "d6"], text));
    assert_eq!((again["played"].as_array().map(Vec::len), &again["played"][9]), (Some(10), &json!("d7d6")));

    let wrong = run(&["play-moves", "--pgn", "-"], "1. e4 e5\n2. Nf4 Nc6 *\n");
    let complaint = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(code(&wrong), Some(1));
    assert!(complaint.contains("-:2:4") && complaint.contains("legal moves: Ba6"), "{complaint}");
    let missing = run(&["play-moves", "--pgn", "-", "--game", "2"], "1. e4 *\n");
    assert_eq!(code(&missing), Some(2));
}

#[test]
fn fen_makes_a_state_for_the_agent() {
    let state = run(&["fen", "--state", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"], "");
    let answer = json_of(&run(&["agent"], state.stdout));
    assert_eq!(answer, json!({ "from": "e1", "to": "e8", "promotion": null }));
    assert_eq!(code(&run(&["fen", "--state", "6k1/8 w - - 0 1"], "")), Some(1));
}

#[test]
fn fen_names_every_fault() {
    let bad = run(&["fen", "--format", "json", "P3k3/8/8/8/8/8/8/4K3 w KQ e6 0 0"], "");
    let codes: Vec<&str> = Vec::from_iter([
        "pawn-on-last-rank",
        "castling-impossible",
        "castling-impossible",
        "en-passant-impossible",
        "out-of-range",
    ]);
    let answer = json_of(&bad);
    let found: Vec<&str> = answer["faults"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|fault| fault["code"].as_str())
        .collect();
    assert_eq!((found, code(&bad)), (codes, Some(1)));
    let good = run(&["fen", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-", "0", "1"], "");
    assert!(stdout(&good).contains("white to move, normal, 15 legal moves"), "{}", stdout(&good));
}

#[test]
fn bad_arguments_end_with_2() {
    for args in [
        &["moves", "--fen", "nonsense"][..],
        &["moves", "--fens", "/no/such/file"],
        &["moves", "--fens", "/"],
        &["perft", "3", "--fen", ""],
        &["perft", "99"],
        &["perft"],
        &["perft", "2", "--engine", "c64", "--promotions", "all"],
        &["play-moves", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["agent", "--nodes", "0"],
    ] {
        let output = run(args, "");
        assert_eq!(code(&output), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn agent_answers_one_object() {
    let output = run(&["agent", "--nodes", "100"], start_state().to_string());
    let answer = json_of(&output);
    assert_eq!(answer.as_object().map(|object| object.len()), Some(3));
    assert_eq!(code(&output), Some(0));
    let list = json_of(&run(&["agent", "--list"], start_state().to_string()));
    assert_eq!(list["moves"].as_array().map(Vec::len), Some(20));
    assert!(list["moves"].as_array().expect("a list").contains(&answer));
    assert_eq!(list["actions"], json!([{ "action": "offer_draw" }, { "action": "resign" }]));
}

#[test]
fn faults_are_answers() {
    let mut state = start_state();
    state["board"]["i9"] = "P".into();
    let output = run(&["agent"], state.to_string());
    assert_eq!(json_of(&output)["error"]["pointer"], "/board/i9");
    assert_eq!(json_of(&output)["error"]["code"], "bad-square");
    assert_eq!(code(&output), Some(2));

    let judged = run(&["judge"], json!({ "state": state, "answer": "{}" }).to_string());
    assert_eq!((&json_of(&judged)["error"]["pointer"], code(&judged)), (&json!("/state/board/i9"), Some(2)));
    let untold = run(&["judge"], json!({ "state": start_state() }).to_string());
    assert_eq!((&json_of(&untold)["error"]["code"], code(&untold)), (&json!("missing-field"), Some(2)));
    let object = run(&["judge"], json!({ "state": start_state(), "answer": {} }).to_string());
    assert_eq!((&json_of(&object)["error"]["pointer"], code(&object)), (&json!("/answer"), Some(2)));
}

#[test]
fn lines_go_on_after_a_fault() {
    let input = format!("oops\n\n{}\n{{\"board\":{{}}}}\n", start_state());
    for args in [&["agent", "--jsonl", "--nodes", "50"][..], &["agent", "--jsonl", "--list"]] {
        let output = run(args, input.clone());
        let lines: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 3, "the empty line asks nothing");
        assert_eq!(lines[0]["error"]["code"], "not-json");
        assert!(lines[1].get("error").is_none());
        assert_eq!(lines[2]["error"]["code"], "missing-field");
        assert_eq!(code(&output), Some(0));
    }
    // Several lines without --jsonl are understood too.
    let two = format!("{}\n{}\n", start_state(), start_state());
    assert_eq!(stdout(&run(&["agent", "--nodes", "50"], two)).lines().count(), 2);
}

#[test]
fn huge_and_hostile_documents_are_refused() {
    // Nine megabytes in one line, then a good one: the first is thrown away, not kept.
    let mut input = vec![b'['; 9 << 20];
    input.push(b'\n');
    input.extend(start_state().to_string().bytes());
    let output = run(&["agent", "--jsonl", "--nodes", "50"], input.clone());
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((lines.len(), &lines[0]["error"]["code"]), (2, &json!("too-large")));

    let output = run(&["judge"], input);
    assert_eq!((&json_of(&output)["error"]["code"], code(&output)), (&json!("too-large"), Some(2)));
    let deep = "[".repeat(1_000_000);
    assert_eq!(json_of(&run(&["agent"], deep))["error"]["code"], "too-deep");
    assert_eq!(json_of(&run(&["agent"], b"\xff\xfe\x00".to_vec()))["error"]["code"], "not-json");
    assert_eq!(json_of(&run(&["agent"], ""))["error"]["code"], "not-json");
}

#[test]
fn a_game_that_is_over() {
    let mut state = start_state();
    state["board"] = json!({ "e1": "K", "e8": "k" });
    state["castling"] = json!({ "white": { "kingside": false, "queenside": false }, "black": { "kingside": false, "queenside": false } });
    let output = run(&["agent"], state.to_string());
    assert_eq!(json_of(&output), json!({ "action": "none", "reason": "dead_position" }));
    let strict = run(&["agent", "--strict"], state.to_string());
    assert_eq!((strict.stdout.len(), code(&strict)), (0, Some(0)));
    let list = json_of(&run(&["agent", "--list"], state.to_string()));
    assert_eq!(list, json!({ "moves": [], "actions": [], "game_over": "dead_position" }));
}

#[test]
fn the_verdict_shows_in_the_exit_code_if_asked() {
    let asked = json!({ "state": start_state(), "answer": "{\"from\":\"e2\",\"to\":\"e5\"}" }).to_string();
    let output = run(&["judge"], asked.clone());
    assert_eq!((&json_of(&output)["verdict"], code(&output)), (&json!("bad-pattern"), Some(0)));
    assert_eq!(code(&run(&["judge", "--exit-code"], asked)), Some(1));
}

#[test]
fn a_closed_pipe_is_no_fault() {
    let mut child = tempo(&["moves", "--fens", "-"]).spawn().expect("tempo starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    let feeder = std::thread::spawn(move || {
        for _ in 0..2000 {
            if stdin.write_all(b"4k3/8/8/8/8/8/8/4K2R w K - 0 1\n").is_err() {
                break;
            }
        }
    });
    let mut complaints = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut complaints).expect("UTF-8");
    assert!(child.wait().expect("tempo ends").success());
    assert_eq!(complaints, "");
    feeder.join().expect("the feeder ends");
}

/// A process that answers a line with a line.
struct Partner {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Partner {
    fn start(args: &[&str]) -> Partner {
        let mut child = tempo(args).stderr(Stdio::inherit()).spawn().expect("tempo starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Partner { child, stdin, stdout }
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.stdin, "{line}").expect("the partner reads");
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("the partner answers");
        answer
    }

    fn end(self) {
        drop(self.stdin);
        let mut child = self.child;
        assert!(child.wait().expect("the partner ends").success());
    }
}

#[test]
fn the_agent_plays_itself_through_the_judge_to_the_end() {
    let mut agent = Partner::start(&["agent", "--jsonl", "--nodes", "200"]);
    let mut judge = Partner::start(&["judge", "--jsonl", "--strict"]);
    let mut state = start_state();
    let mut played = 0;
    let result = loop {
        let answer = agent.ask(&state.to_string());
        let asked = json!({ "state": state, "answer": answer }).to_string();
        let judged: Value = serde_json::from_str(&judge.ask(&asked)).expect("JSON");
        assert_eq!(judged["verdict"], "ok", "{answer} {judged}");
        if !judged["result"].is_null() {
            break judged["result"].clone();
        }
        state = judged["state"].clone();
        played += 1;
        assert!(played < 2000, "the game does not end");
    };
    agent.end();
    judge.end();
    println!("{played} plies, {result}");
    assert!(played > 20);
}

#[test]
fn a_match_is_played_kept_and_taken_up_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (state, games) = (path("state.jsonl"), path("games.pgn"));
    let play = |pairs: &str, first: &str| {
        run(
            &[
                "match", first, "random", "--pairs", pairs, "--state", &state, "--pgn", &games, "--format",
                "json",
            ],
            "",
        )
    };
    let first = play("1", "reference nodes=300");
    let answer = json_of(&first);
    assert_eq!((code(&first), &answer["games"], &answer["offences"]), (Some(0), &json!(2), &json!(0)));
    let before = std::fs::read_to_string(&state).expect("the state");
    // The second run plays the missing pair only.
    assert_eq!(json_of(&play("2", "reference nodes=300"))["games"], json!(4));
    let after = std::fs::read_to_string(&state).expect("the state");
    assert!(after.starts_with(&before) && after.lines().count() == 5);
    let read = json_of(&run(&["play-moves", "--pgn", &games, "--game", "4", "--format", "json"], ""));
    assert!(read["played"].as_array().is_some_and(|played| played.len() > 8));
    // Another match must not be mixed into it.
    assert_eq!(code(&play("2", "reference nodes=400")), Some(2));
    assert_eq!(std::fs::read_to_string(&state).expect("the state"), after);
}

#[test]
fn a_match_that_cannot_be_played_says_why() {
    for (first, second, word) in [
        ("c65 nodes=3", "random", "is not a player"),
        ("c64", "random", "has no limit"),
        ("random", "cmd=no-such-engine nodes=10", "cannot start no-such-engine"),
        ("random", "cmd=true nodes=10", "true"),
        ("program=missing.prg nodes=10", "random", "cannot read missing.prg"),
        ("c64 nodes=10 reu=77", "random", "reu=77: a RAM expansion has 128, 256, 512,"),
        ("random reu=512", "random", "`reu` is for c64, program=, rev= and reference"),
    ] {
        let output = run(&["match", first, second, "--pairs", "1"], "");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(code(&output) == Some(2) && complaint.contains(word), "{first}, {second}: {complaint}");
    }
    assert_eq!(code(&run(&["match", "random", "random", "--partition", "3/2"], "")), Some(2));
}

#[test]
fn a_ram_expansion_is_searched_with_and_compared() {
    let nodes = |words: &[&str]| {
        let bench = [&["bench-search", "--depth", "5", "--format", "json"], words].concat();
        json_of(&run(&bench, ""))["nodes"].as_u64().expect("nodes")
    };
    assert!(nodes(&["--reu", "512"]) < nodes(&[]), "the larger table knows more");
    let output = run(&["diff", "--search", "--games", "1", "--nodes", "60", "--reu", "128"], "");
    assert!(code(&output) == Some(0) && stdout(&output).contains("no difference"), "{}", stdout(&output));
    for words in [["bench-search", "--reu", "77"], ["diff", "--reu", "all"], ["play", "--reu", "0"]] {
        let output = run(&words, "");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            code(&output) == Some(2) && complaint.contains("has 128, 256, 512,"),
            "{words:?}: {complaint}"
        );
    }
}
