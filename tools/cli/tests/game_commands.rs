//! `tempo game` as a user runs it: real processes, pipes, files, exit codes.

use std::io::Read;
use std::path::Path;

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::common::{self, Ran, feed};

fn run_with(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let ran = Ran::from(feed(common::tempo(&["game"]).args(args), input));
    (ran.code.expect("an exit code"), ran.out, ran.err)
}

fn run(args: &[&str]) -> (i32, String, String) {
    run_with(args, b"")
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/specs/faults").join(name);
    path.to_string_lossy().into_owned()
}

#[test]
fn check_tells_faults_to_people_and_programs() {
    let path = fixture("unknown-piece.json");
    let (code, text, _) = run(&["check", &path]);
    assert_eq!(code, 1);
    let expected = "error[unknown-piece]: no piece has the code \"KIGN\", did you mean \"KING\"?\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("\n3 |   \"leader\": \"KIGN\",\n  |             ^^^^^^ /leader\n"), "{text}");

    let (code, text, _) = run(&["check", &path, "--format", "json"]);
    assert_eq!(code, 1);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["warnings"], serde_json::json!([]));
    let first = &report["faults"][0];
    assert_eq!((&first["pointer"], &first["code"]), (&"/leader".into(), &"unknown-piece".into()));
    assert_eq!((&first["line"], &first["column"]), (&3.into(), &13.into()));
    assert!(first["message"].is_string());
}

#[test]
fn warnings_fail_only_when_asked() {
    let path = fixture("warnings.json");
    assert_eq!(run(&["check", &path]).0, 0);
    assert_eq!(run(&["check", &path, "--strict"]).0, 1);
}

#[test]
fn every_shipped_game_is_in_order() {
    let (code, list, _) = run(&["list"]);
    assert_eq!(code, 0);
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        assert_eq!(run(&["check", name, "--strict"]).0, 0, "{name}");
        let (code, spec, _) = run(&["list", name]);
        assert_eq!(code, 0);
        assert_eq!(run_with(&["check", "-"], spec.as_bytes()).0, 0, "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_no_fault_of_the_spec() {
    for path in ["no-such-game", ".", "/dev/null/x"] {
        let (code, out, err) = run(&["moves", path]);
        assert_eq!((code, out.as_str()), (2, ""), "{path}");
        assert!(err.starts_with("error: "), "{err}");
    }
    let (_, _, err) = run(&["moves", "ches"]);
    assert!(err.contains("did you mean chess?"), "{err}");
}

#[test]
fn rubbish_is_refused_everywhere() {
    let deep = "[".repeat(100_000);
    let long = format!("{{\"name\": \"{}\"}}", "x".repeat(9 << 20));
    for text in ["", "{", "null", "\u{0}", deep.as_str()] {
        for command in ["check", "show", "moves", "play"] {
            assert_eq!(run_with(&[command, "-"], text.as_bytes()).0, 1, "{command}");
        }
    }
    assert_eq!(run_with(&["check", "-"], &[0xff, 0xfe, 0x00]).0, 1);
    assert_eq!(run_with(&["check", "-"], long.as_bytes()).0, 2);
}

#[test]
fn moves_and_counts() {
    let (code, moves, _) = run(&["moves", "gardner"]);
    assert_eq!(code, 0);
    let expected = "1,0>2,2#0\n1,0>0,2#7\n0,1>0,2#0\n1,1>1,2#0\n2,1>2,2#0\n3,1>3,2#0\n4,1>4,2#0\n";
    assert_eq!(moves, expected);
    assert_eq!(run(&["perft", "chess", "3"]).1, "8902\n");
    assert_eq!(run(&["perft", "chess", "0"]).1, "1\n");
    let (_, divided, _) = run(&["perft", "chess", "2", "--divide"]);
    assert_eq!(divided.lines().count(), 21);
    assert!(divided.ends_with("\n400\n"), "{divided}");
    let (code, after, _) = run(&["moves", "chess", "--after", "4,1>4,3#1 4,6>4,4#1"]);
    assert_eq!((code, after.lines().count()), (0, 29));
    let (code, _, err) = run(&["moves", "chess", "--after", "4,1>4,3#1 4,1>4,3#1"]);
    assert_eq!(code, 1);
    assert!(err.contains("move 2"), "{err}");
    let (_, json, _) = run(&["moves", "chess", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(20));
}

#[test]
fn mate_is_told() {
    let fools = "5,1>5,2#0 4,6>4,4#1 6,1>6,3#1 3,7>7,3#4";
    let (code, text, err) = run(&["show", "chess", "--after", fools]);
    assert_eq!(code, 0, "{err}");
    assert!(text.ends_with("over: BLACK wins, checkmate\n"), "{text}");
    assert_eq!(run(&["perft", "chess", "1", "--after", fools]).1, "0\n");
}

#[test]
fn explain_says_what_was_tried() {
    let (code, text, _) = run(&["explain", "chess", "--from", "e2", "--to", "e5"]);
    assert_eq!(code, 0);
    let expected = "\
e2: PAWN of WHITE, never moved
no definition comes to e5:
  move 0, step [0, 1]: e3; the definition takes one step
  move 1, step [0, 2]: e4; the definition takes one step
  move 2, step [-1, 1]: d3; the definition takes one step
  move 3, step [1, 1]: f3; the definition takes one step
";
    assert_eq!(text, expected);
    let (_, text, _) = run(&["explain", "chess", "--from", "e2", "--to", "d3"]);
    let expected = "\
e2: PAWN of WHITE, never moved
move 2, step [-1, 1]
  d3 (EMPTY): refused
    NO  CHECK_STATE EN_PASSANT [-1,0]: d2 does not carry it
  end: the definition takes one step
";
    assert_eq!(text, expected);
    assert_eq!(run(&["explain", "chess", "--from", "z9"]).0, 2);
    let (_, json, _) = run(&["explain", "chess", "--from", "4,1", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["tries"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_game_is_played_saved_and_resumed_through_pipes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let path = path.to_str().expect("UTF-8");
    let (code, text, _) = run_with(&["play", "chess"], format!("e2e4\nsave {path}\n").as_bytes());
    assert_eq!(code, 0, "{text}");
    let saved = std::fs::read_to_string(path).expect("a saved game");
    assert!(saved.ends_with("{\"n\":1,\"seat\":\"WHITE\",\"move\":\"4,1>4,3#1\"}\n"), "{saved}");
    let (code, text, _) = run_with(&["play", "chess", "--resume", path], b"e7e5\nsave\n");
    assert_eq!(code, 0, "{text}");
    assert_eq!(std::fs::read_to_string(path).expect("a saved game").lines().count(), 3);

    let (code, _, err) = run_with(&["play", "gardner", "--resume", path], b"");
    assert_eq!(code, 1);
    assert!(err.contains("a saved game of \"CHESS\", not of"), "{err}");
    let saved = std::fs::read_to_string(path).expect("a saved game").replace("4,6>4,4", "4,6>4,3");
    std::fs::write(path, saved).expect("writable");
    let (code, _, err) = run_with(&["play", "chess", "--resume", path], b"");
    assert_eq!(code, 1);
    assert!(err.contains("line 3") && err.contains("4,6>4,3"), "{err}");
    assert_eq!(run_with(&["play", "chess"], b"e2e5\n").0, 1, "a refused line fails a script");
    assert_eq!(run_with(&["play", "chess", "--computer", "GREY"], b"").0, 2);
}

#[test]
fn the_computer_finishes_a_game_with_itself() {
    let (code, text, _) = run(&["play", "breakthrough", "--computer", "all", "--nodes", "60"]);
    assert_eq!(code, 0);
    assert!(text.contains(" wins: leader captured\n"), "{text}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut child =
        common::tempo(&["game", "perft", "chess", "1", "--divide"]).spawn().expect("tempo starts");
    let mut first = [0; 1];
    let mut stdout = child.stdout.take().expect("a pipe");
    let _ = stdout.read(&mut first);
    drop(stdout);
    let output = child.wait_with_output().expect("tempo ends");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}
