//! `tempo play` as a user calls it: games in pipes, and everything that can be wrong before a game begins.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use pretty_assertions::assert_eq;

use super::common::{self, Ran, feed};

fn tempo(words: &[&str]) -> Command {
    let mut command = common::tempo(&["play"]);
    command.args(words);
    command
}

fn play(words: &[&str], input: &str) -> Ran {
    feed(&mut tempo(words), input).into()
}

#[test]
fn a_game_in_a_pipe_is_answered_and_saved_as_pgn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let path = path.to_str().expect("UTF-8");
    let answer = play(&["--terminal", "--level", "beginner"], &format!("e4\nsave {path}\nquit\n"));
    assert_eq!(answer.code, Some(0), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("\n1 R N B Q K B N R\n  a b c d e f g h\nwhite to move\n"), "{}", answer.out);
    assert!(answer.out.contains("\nblack: "), "{}", answer.out);
    let saved = std::fs::read_to_string(path).expect("a saved game");
    assert!(saved.contains("[Event \"Tempo Chess\"]") && saved.contains("\n1. e4 "), "{saved}");
    // No existing file is overwritten.
    let again = play(&["--terminal", "--level", "1"], &format!("d4\nsave {path}\n"));
    assert_eq!(again.code, Some(1));
    assert!(again.out.contains("exists; name another file"), "{}", again.out);
    assert_eq!(std::fs::read_to_string(path).expect("the same game"), saved);
}

#[test]
fn sides_and_positions_are_as_asked() {
    let answer = play(&["--terminal", "--side", "black", "--level", "1"], "quit\n");
    assert!(answer.out.contains("\nwhite: "), "{}", answer.out);
    let fen = "7k/5Q2/8/8/8/8/8/K7 w - - 0 1";
    let answer = play(&["--terminal", "--side", "both", "--fen", fen], "Qf8+\nKh7\nclaim\n");
    assert_eq!(answer.code, Some(1), "there is nothing to claim");
    assert!(answer.out.contains("! there is no draw to claim"), "{}", answer.out);
    // The computer against itself, from a mate in one.
    let fen = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    let answer = play(&["--terminal", "--side", "none", "--level", "instant", "--fen", fen], "");
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    assert!(answer.out.ends_with("white: Re8#\n8 . . . . R . k .\n7 . . . . . p p p\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 K . . . . . . .\n  a b c d e f g h\nwhite wins: checkmate\n"), "{}", answer.out);
}

#[test]
fn a_repeated_position_can_be_claimed() {
    let moves = "Nf3\nNf6\nNg1\nNg8\n".repeat(2);
    let answer = play(&["--terminal", "--side", "both"], &format!("{moves}claim\n"));
    assert_eq!(answer.code, Some(0), "{}", answer.out);
    assert!(answer.out.contains("a draw can be claimed: threefold repetition\n"), "{}", answer.out);
    assert!(answer.out.ends_with("draw: threefold repetition\n"), "{}", answer.out);
}

#[test]
fn bad_choices_are_refused_with_a_reason() {
    for (words, reason) in [
        (&["--level", "9"][..], "\"9\" is not a level"),
        (&["--level", "clib"], "did you mean club?"),
        (&["--level", ""], "1 to 8, or beginner, learner"),
        (&["--reu", "512"], "--reu needs --terminal"),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "--fen"),
        (&["--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1"], "^"),
        (&["--side", "green"], "possible values: white, black, both, none"),
        (&["--terminal", "--port", "80"], "cannot be used with"),
        (&["--plain"], "--terminal"),
        (&["--port", "99999"], "99999"),
    ] {
        let answer = play(words, "");
        assert_eq!(answer.code, Some(2), "{words:?}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(reason), "{words:?}: {}", answer.err);
        assert_eq!(answer.out, "", "{words:?}");
    }
}

#[test]
fn a_busy_port_is_named() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let answer = play(&["--no-open", "--port", &port], "");
    assert_eq!(answer.code, Some(2), "{}", answer.out);
    assert!(answer.err.contains(&format!("cannot listen on port {port}")), "{}", answer.err);
    assert!(answer.err.contains("a free one is taken"), "{}", answer.err);
}

/// A plain `cargo test` builds no machine for the page; `make` does.
fn has_machine() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/tempo.wasm").exists()
}

#[test]
fn without_a_browser_the_address_is_printed() {
    if !has_machine() {
        let answer = play(&["--no-open"], "");
        assert_eq!(answer.code, Some(2));
        assert!(answer.err.contains("built without the page's machine"), "{}", answer.err);
        let answer = play(&["--level", "1"], "e4\nquit\n");
        assert_eq!(answer.code, Some(0), "{}", answer.err);
        assert!(answer.err.contains("rustup target add wasm32-unknown-unknown && make"), "{}", answer.err);
        assert!(answer.err.ends_with("playing in the terminal instead\n"), "{}", answer.err);
        assert!(answer.out.contains("\nblack: "), "{}", answer.out);
        return;
    }
    let mut child =
        tempo(&["--level", "club", "--side", "black"]).env("PATH", "").spawn().expect("tempo starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let first = lines.next().expect("a line");
    let address = first.strip_prefix("Tempo Chess is at http://").expect("an address");
    let (host, query) = address.split_once('/').expect("a path");
    assert_eq!(query, "?level=6&side=black");
    assert_eq!(lines.next().as_deref(), Some("Ctrl-C ends it."));
    assert!(lines.next().expect("a third line").starts_with("No browser could be started"));
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /{query} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("a request");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("an answer");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<title>Tempo Chess"), "{page}");
    child.kill().expect("it ends");
    child.wait().expect("it has ended");
}

#[test]
fn help_teaches() {
    let answer = play(&["--help"], "");
    for word in ["--terminal", "--level", "--side", "--fen", "Examples:", "Exit codes:"] {
        assert!(answer.out.contains(word), "{word}: {}", answer.out);
    }
}
