//! Games from a spec are saved, read back and replayed.

use pretty_assertions::assert_eq;
use serde_json::json;
use tempo_boardgame::Game as _;
use tempo_boardgame::saved::{Header, read, replay, write};

const RACE: &[u8] = br#"{
    "name": "RACE",
    "board": {"dimensions": [1, 3]},
    "players": [{"name": "A", "direction": [[1,0],[0,1]],
                 "starting_positions": [{"piece": "MAN", "positions": [[0,0]]}]}],
    "turns": {"order": ["A"]},
    "pieces": [{"code": "MAN", "moves": [
        {"id": 7, "step": [0,1], "actions": [{"state": "EMPTY", "action": "MOVE"}]}]}]
}"#;

fn header() -> Header {
    Header { game: "spec".into(), setup: json!({"spec": "race.json"}) }
}

#[test]
fn what_is_written_is_read_and_replayed() {
    let start = tempo_gamespec::load(RACE).unwrap();
    let mut game = start.clone();
    let mut moves = Vec::new();
    while let Some(mv) = {
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        legal.first().copied()
    } {
        moves.push(mv);
        game.make(mv);
    }
    let text = write(&header(), &start, &moves);
    assert_eq!(
        text,
        "{\"tempo\":\"game\",\"version\":1,\"game\":\"spec\",\"setup\":{\"spec\":\"race.json\"}}\n\
         {\"n\":1,\"seat\":\"A\",\"move\":\"0,0>0,1#7\"}\n\
         {\"n\":2,\"seat\":\"A\",\"move\":\"0,1>0,2#7\"}\n\
         {\"result\":{\"winner\":null,\"reason\":\"no_moves\"}}\n"
    );
    let saved = read(text.as_bytes()).unwrap();
    assert_eq!(saved.header, header());
    let replayed = replay(&saved, &start).unwrap();
    assert_eq!(replayed.game, game);
    assert_eq!(replayed.played.len(), 2);
}

#[test]
fn an_illegal_move_is_named_with_its_line() {
    let head = "{\"tempo\":\"game\",\"version\":1,\"game\":\"spec\"}\n";
    let saved = read(format!("{head}{{\"move\":\"9,9>0,0#1\"}}").as_bytes()).unwrap();
    let err = replay(&saved, &tempo_gamespec::load(RACE).unwrap()).unwrap_err();
    assert_eq!(err.to_string(), "line 2, column 1: move 1 \"9,9>0,0#1\" is not legal there");
}
