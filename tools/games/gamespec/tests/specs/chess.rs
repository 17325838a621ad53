//! Chess as a spec against the chess engine: published counts, and move by move along random games.

use libtest_mimic::{Failed, Trial};
use tempo_boardgame::perft::perft;
use tempo_boardgame::{Game, Square};
use tempo_chess::{Board, Game as ChessGame, PromotionSet};
use tempo_gamespec::{Placed, Position, library};
use tempo_random::Random;

/// Depths that the other suites count are cut here: this engine is the slower one, and so is the profile.
const MOST_NODES: u64 = 5_000_000;
const DEEPEST: u32 = 4;
const POSITIONS: usize = 10_000;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("chess/start-to-depth-5", || {
            let mut game = start();
            let counts: Vec<u64> = (1..=5).map(|depth| perft(&mut game, depth)).collect();
            if counts == [20, 400, 8902, 197_281, 4_865_609] {
                Ok(())
            } else {
                Err(format!("{counts:?}").into())
            }
        }),
        Trial::test("chess/ten-thousand-positions", random_games),
    ];
    for suite in ["standard", "castling", "promotion", "en-passant", "pins-and-checks"] {
        let path = tempo_testing::fixtures().join(format!("perft/{suite}.perft"));
        let text = tempo_testing::text(&path);
        for block in text.split("\n\n") {
            let field = |word: &str| block.lines().find_map(|line| line.strip_prefix(word)).map(str::trim);
            let (Some(id), Some(epd)) = (field("id "), field("epd ")) else { continue };
            if block.contains("promotions qn") {
                continue;
            }
            let (id, epd) = (id.to_owned(), epd.to_owned());
            let counts: Vec<(u32, u64)> = block
                .lines()
                .filter_map(|line| line.strip_prefix("perft ")?.split_once(' '))
                .map(|(depth, count)| (depth.parse().expect("a depth"), count.parse().expect("a count")))
                .collect();
            trials.push(Trial::test(format!("chess/{suite}/{id}"), move || check_suite(&epd, &counts)));
        }
    }
    trials
}

fn start() -> Position {
    tempo_gamespec::load(library::find("chess").expect("chess is shipped").text.as_bytes())
        .expect("chess is in order")
}

/// Published counts as far as they are small enough, and the chess engine's up to depth 4.
fn check_suite(epd: &str, counts: &[(u32, u64)]) -> Result<(), Failed> {
    let mut spec = from_fen(epd);
    for &(depth, count) in counts.iter().filter(|&&(_, count)| count <= MOST_NODES) {
        let found = perft(&mut spec, depth);
        if found != count {
            return Err(format!("{epd}: perft {depth} is {found} instead of {count}").into());
        }
    }
    let board: Board = epd.parse().map_err(|fault| format!("{epd}: {fault}"))?;
    let mut native = ChessGame::new(board, PromotionSet::All);
    for depth in 1..=DEEPEST {
        let expected = perft(&mut native, depth);
        if expected > MOST_NODES {
            break;
        }
        let found = perft(&mut spec, depth);
        if found != expected {
            return Err(format!("{epd}: perft {depth} is {found}, the chess engine counts {expected}").into());
        }
    }
    Ok(())
}

/// Both engines play the same random moves and must agree on all of them, and on mate and stalemate.
fn random_games() -> Result<(), Failed> {
    let mut random = Random::new(0x7e3b);
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    ];
    let mut compared = 0;
    let mut round = 0;
    while compared < POSITIONS {
        let fen = fens[if round % 2 == 0 { 0 } else { random.index(fens.len()) }];
        round += 1;
        let mut spec = from_fen(fen);
        let board: Board = fen.parse().map_err(|fault| format!("{fen}: {fault}"))?;
        let mut native = ChessGame::new(board, PromotionSet::All);
        for _ in 0..150 {
            let mut moves = Vec::new();
            spec.legal_moves(&mut moves);
            let mut ours: Vec<String> = moves.iter().map(|&mv| uci(&spec.move_text(mv))).collect();
            let mut theirs: Vec<String> = native.moves().iter().map(ToString::to_string).collect();
            ours.sort();
            theirs.sort();
            if ours != theirs {
                return Err(format!("{}\nspec   {ours:?}\nnative {theirs:?}", native.board().fen()).into());
            }
            compared += 1;
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.index(moves.len())];
            native.play_uci(&uci(&spec.move_text(mv))).map_err(|err| err.to_string())?;
            spec.make(mv);
        }
    }
    Ok(())
}

/// `4,6>4,7#0=QUEEN` as `e7e8q`.
fn uci(text: &str) -> String {
    let (squares, rest) = text.split_once('#').expect("a move has an id");
    let name = |square: &str| {
        let (x, y) = square.split_once(',').expect("a square has a comma");
        let (x, y): (u8, u8) = (x.parse().expect("a column"), y.parse().expect("a row"));
        format!("{}{}", char::from(b'a' + x), y + 1)
    };
    let (from, to) = squares.split_once('>').expect("a move has two squares");
    let option = match rest.split_once('=').map(|(_, option)| option) {
        None => "",
        Some("KNIGHT") => "n",
        Some("BISHOP") => "b",
        Some("ROOK") => "r",
        Some(_) => "q",
    };
    format!("{}{}{option}", name(from), name(to))
}

/// A chess position as the spec sees it: rights are unmoved pieces, en passant is a flag.
fn from_fen(fen: &str) -> Position {
    let tables = start().tables().clone();
    let spec = tables.spec();
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let piece =
        |code: &str| spec.pieces.iter().position(|piece| piece.code == code).expect("a piece of chess");
    let target = fields.get(3).copied().unwrap_or("-");
    let mut pieces = Vec::new();
    for (row, line) in (0..8).rev().zip(fields[0].split('/')) {
        let mut column = 0;
        for character in line.chars() {
            if let Some(gap) = character.to_digit(10) {
                column += gap as usize;
                continue;
            }
            let player = usize::from(character.is_ascii_lowercase());
            let right = |letter: char| {
                let letter = if player == 0 { letter } else { letter.to_ascii_lowercase() };
                fields[2].contains(letter)
            };
            let home = if player == 0 { 0 } else { 7 };
            let (code, unmoved) = match character.to_ascii_lowercase() {
                'p' => ("PAWN", row == if player == 0 { 1 } else { 6 }),
                'n' => ("KNIGHT", true),
                'b' => ("BISHOP", true),
                'q' => ("QUEEN", true),
                'r' => {
                    let unmoved = row == home && (column == 0 && right('Q') || column == 7 && right('K'));
                    ("ROOK", unmoved)
                }
                _ => ("KING", right('K') || right('Q')),
            };
            let passed = format!("{}{}", char::from(b'a' + column as u8), if row == 3 { 3 } else { 6 });
            let flag = code == "PAWN" && target == passed && (row == 3) == (player == 0);
            pieces.push(Placed {
                square: Square((row * 8 + column) as u16),
                player,
                piece: piece(code),
                moves: u8::from(!unmoved),
                flags: if flag { vec![(0, Some(1))] } else { vec![] },
            });
            column += 1;
        }
    }
    let turn = usize::from(fields[1] == "b");
    Position::set_up(tables, &pieces, turn).expect("a position of chess")
}
