//! `tempo enochian` from the outside: what a script sees and how it exits.

use pretty_assertions::assert_eq;

use super::common::{self, Ran, feed};

const POSITION: &str = r#"{"pieces": [["d1","blue","K"],["d4","blue","R"],["a8","black","K"],["h4","red","K"],["h7","red","P"],["h1","yellow","K"]], "to_move": "blue"}"#;

fn tempo(arguments: &[&str], input: &str) -> Ran {
    feed(common::tempo(&["enochian"]).args(arguments), input).into()
}

#[test]
fn moves_are_sorted_one_a_line() {
    let answer = tempo(&["moves", "--position", "-"], POSITION);
    let moves: Vec<&str> = answer.out.lines().collect();
    assert!(moves.is_sorted() && moves.contains(&"Rd4xh4"), "{}", answer.out);
    assert_eq!((moves.len(), answer.code), (18, Some(0)));
}

#[test]
fn pass_alone_when_the_army_passes() {
    let answer = tempo(&["moves", "--array", "tablet of fire prototype"], "");
    assert_eq!((answer.out.as_str(), answer.code), ("pass\n", Some(0)));
}

#[test]
fn apply_prints_the_next_position() {
    let answer = tempo(&["apply", "--position", "-", "Rd4xh4"], POSITION);
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    let json: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(json["prisoners"], serde_json::json!({"red": "blue"}));
    assert_eq!(json["frozen"], serde_json::json!(["red"]));
    assert_eq!(json["to_move"], "black");
    assert_eq!(json.get("result"), None);
    // What apply prints, moves reads.
    let answer = tempo(&["moves", "--position", "-"], &answer.out);
    assert_eq!(answer.out, "Ka8-a7\nKa8-b7\nKa8-b8\n");
}

#[test]
fn the_result_shows_once_the_game_is_over() {
    let over = POSITION.replace(
        "\"to_move\"",
        "\"prisoners\": {\"yellow\": \"black\"}, \"frozen\": [\"yellow\"], \"to_move\"",
    );
    let over = over.replace(",[\"h1\",\"yellow\",\"K\"]", "");
    let answer = tempo(&["apply", "--position", "-", "--compact", "Rd4xh4"], &over);
    let result = r#""result": {"outcome": "win", "winner": "air", "reason": "kings-captured"}"#;
    assert!(answer.out.contains(result), "{}{}", answer.out, answer.err);
}

#[test]
fn refusals_name_the_rule_and_print_nothing() {
    for (mv, code) in [
        ("Kh4-h3", "[out-of-turn]"),
        ("Rd4-e5", "[unreachable]"),
        ("Rd4-h4", "[notation]"),
        ("pass", "[no-pass]"),
        ("accept", "[nothing-offered]"),
        ("offer-exchange", "no exchange"),
        ("\u{1b}[2J", "is not a move"),
    ] {
        let answer = tempo(&["apply", "--position", "-", mv], POSITION);
        assert_eq!((answer.code, answer.out.as_str()), (Some(1), ""), "{mv}");
        assert!(answer.err.contains(code), "{mv}: {}", answer.err);
        assert!(!answer.err.contains('\u{1b}'), "{}", answer.err);
    }
    let dice = POSITION.replace("\"to_move\"", "\"die\": 2, \"to_move\"");
    let answer = tempo(&["apply", "--position", "-", "Rd4-d5"], &dice);
    assert!(answer.err.contains("[against-the-die, reading N20]"), "{}", answer.err);
}

#[test]
fn faults_show_line_and_caret() {
    let answer = tempo(&["moves", "--position", "-"], "{\"pieces\": [\n  [\"i9\", \"blue\", \"K\"]\n]}");
    assert_eq!((answer.code, answer.out.as_str()), (Some(1), ""));
    assert!(answer.err.contains("error[off-board]"), "{}", answer.err);
    assert!(answer.err.contains("standard input:2:4"), "{}", answer.err);
    assert!(answer.err.contains("^^^^ /pieces/0/0"), "{}", answer.err);
}

#[test]
fn what_cannot_be_read_exits_with_two() {
    for arguments in [
        &["moves", "--position", "no such file"][..],
        &["moves", "--position", "."],
        &["moves", "--array", "fier_of_fire"],
        &["show", "--array", "tablet_of_air", "--widdershins"],
        &["perft", "99"],
        &["moves", "--rules", "no such file"],
        &["play", "--computer", "green"],
    ] {
        let answer = tempo(arguments, "");
        assert_eq!((answer.code, answer.out.as_str()), (Some(2), ""), "{arguments:?}: {}", answer.err);
        assert!(!answer.err.is_empty());
    }
    let answer = tempo(&["moves", "--array", "fier_of_fire"], "");
    assert!(answer.err.contains("did you mean \"fire_of_fire\"?"), "{}", answer.err);
}

#[test]
fn a_rules_file_changes_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rules.yaml");
    std::fs::write(&path, "version: 1\narrays:\n  - {id: tiny, kind: array, orientation: corners, turn_order: default,\n     piece_placements: [[h8, blue, K], [h1, red, K], [a1, black, K], [a8, yellow, K], [d4, red, P, N], [d5, blue, R]]}\n").expect("written");
    let path = path.to_str().expect("a path");
    let answer = tempo(&["show", "--rules", path, "--format", "text"], "");
    assert!(answer.out.contains("Rd5"), "{}{}", answer.out, answer.err);
    let answer = tempo(&["arrays", "--rules", path], "");
    assert!(answer.out.starts_with("tiny"), "{}", answer.out);
    std::fs::write(path, "version: 1\ncheck: {stalemate: loss}\n").expect("written");
    let answer = tempo(&["arrays", "--rules", path], "");
    assert_eq!(answer.code, Some(1));
    assert!(answer.err.contains("error[fixed-rule]") && answer.err.contains(":2:20"), "{}", answer.err);
}

#[test]
fn dice_are_reproducible() {
    let rolls = |seed: &str| tempo(&["roll", "--seed", seed, "--count", "20"], "").out;
    assert_eq!(rolls("7"), rolls("7"));
    assert_ne!(rolls("7"), rolls("8"));
    let answer = tempo(&["roll", "--array", "fire_of_fire", "--seed", "7", "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert!(json["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{json}");
}

#[test]
fn perft_counts_like_the_tests() {
    assert_eq!(tempo(&["perft", "3"], "").out, "829\n");
    assert_eq!(tempo(&["perft", "0"], "").out, "1\n");
    let divided = tempo(&["perft", "2", "--divide"], "").out;
    assert!(divided.ends_with("\n\n91\n"), "{divided}");
}

#[test]
fn a_game_is_played_saved_and_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let path = path.to_str().expect("a path");
    let computer = ["play", "--computer", "air", "--nodes", "200", "--dice", "--seed", "3"];
    let answer = tempo(&computer, &format!("go\ngo\nsave {path}\nquit\n"));
    assert_eq!(answer.code, Some(0), "{}{}", answer.out, answer.err);
    let saved = std::fs::read_to_string(path).expect("saved");
    assert!(saved.lines().count() >= 4 && saved.contains("\"seed\":3"), "{saved}");
    let answer = tempo(&["play", "--resume", path], "save\nquit\n");
    assert_eq!(answer.code, Some(0), "{}{}", answer.out, answer.err);
    assert_eq!(std::fs::read_to_string(path).expect("saved again"), saved);
    // Another seed, and the moves no longer fit the dice.
    std::fs::write(path, saved.replace("\"seed\":3", "\"seed\":\"x\"")).expect("written");
    let answer = tempo(&["play", "--resume", path], "quit\n");
    assert_eq!(answer.code, Some(1), "{}", answer.out);
    assert!(answer.err.contains("the seed is not a whole number"), "{}", answer.err);
}

#[test]
fn searches_play_to_the_limit_of_turns() {
    let answer = tempo(&["play", "--computer", "all", "--nodes", "50", "--turns", "12"], "");
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    assert!(answer.out.contains("turn-limit") || answer.out.contains("wins"), "{}", answer.out);
}

#[test]
fn help_teaches() {
    let help = tempo(&["--help"], "").out;
    assert!(help.contains("two armies (Blue and Red) no first move"), "{help}");
    for command in ["arrays", "show", "moves", "apply", "perft", "play", "roll"] {
        let help = tempo(&[command, "--help"], "").out;
        assert!(help.contains("Examples:"), "{command}: {help}");
    }
}
