//! Games in PGN: what is read, what is refused and where, and that what was written is read back.

use pretty_assertions::assert_eq;
use tempo_chess::{Board, Game, PromotionSet, pgn};
use tempo_diagnostics::{Renderer, Source};
use tempo_random::Random;

/// The moves of each game, and each fault as `line:column: code: message`.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let (games, faults) = pgn::read(text);
    let source = Source::new("g", text);
    let renderer = Renderer::new(&source);
    let line = |game: &pgn::Record| {
        let moves: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
        format!("{} {}", moves.join(" "), game.result.text())
    };
    (
        games.iter().map(line).collect(),
        faults.iter().map(|fault| renderer.short(fault).trim_end().to_owned()).collect(),
    )
}

#[test]
fn everything_a_file_may_hold() {
    let text = "\u{feff}% a line for other programs\n\
                [Event \"An \\\"open\\\" \\\\ match\"]\n[White \"Müller, J.\"] [Black \"?\"]\n\n\
                {before} 1.e4 e5 2. Nf3 {a {comment} $1 (2. f4 exf4 (2... d5 3. exd5) 3. Nf3) Nc6 ; to the end ) }\n\
                3. Bb5 a6!? 4. 0-0 $14 Nf6 {one} {two}\n\
                % and another\n\
                1/2-1/2\n\n\
                1. d4 d5 *\n\
                [FEN \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3\"]\n[SetUp \"1\"]\n\
                3. exd6 e.p. cxd6 1-0\n";
    let (lines, faults) = read(text);
    assert_eq!(faults, [""; 0]);
    assert_eq!(lines, ["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8f6 1/2-1/2", "d2d4 d7d5 *", "e5d6 c7d6 1-0",]);
    let (games, _) = pgn::read(text);
    let first = &games[0];
    assert_eq!((first.tag("Event"), first.tag("White")), (Some("An \"open\" \\ match"), Some("Müller, J.")));
    assert_eq!(
        (first.comment.as_deref(), first.moves[2].comment.as_deref()),
        (Some("before"), Some("a {comment"))
    );
    assert_eq!((&first.moves[2].glyphs[..], &first.moves[5].glyphs[..]), (&[1][..], &[5][..]));
    assert_eq!(first.moves[3].comment.as_deref(), Some("to the end ) }"));
    assert_eq!(first.moves[7].comment.as_deref(), Some("one two"));
}

#[test]
fn faults_are_named_with_their_place_and_the_next_game_is_read() {
    let text = "1. e4 e5\n2. Ke3 Nc6 1-0\n\n1. Nf3 Nf6 2. Nc3 Nc6 3. Ne3 *\n1. Nc3 d6 2. Nd5 Nd7 3. Nf3 Ngf6 4. Nf4 e6 5. Nd4 e5 6. Nd5 *\n\
                [White Anna]\n[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]\n1. Kd1 *\n1. d4 ) d5 $999 2. Zz4 *\n\
                1. d4 (1. e4 *\n1. c4 { never closed";
    let (lines, faults) = read(text);
    let short: Vec<String> = faults.iter().map(|fault| fault.chars().take(64).collect()).collect();
    assert_eq!(
        short,
        [
            "g:2:4: error: `Ke3` is not legal here [illegal-move]",
            "g:4:26: error: `Ne3` is not legal here [illegal-move]",
            "g:6:1: error: this is not a tag [bad-tag]",
            "g:7:7: error: black has 0 kings, a position has one [king-count]",
            "g:9:7: error: this parenthesis closes no variation [unbalanced]",
            "g:9:12: error: `$999` is not a glyph: `$0` to `$255` [bad-move]",
            "g:9:20: error: `Zz4` is not a move: write it as in Nf3, exd5, e8",
            "g:11:7: error: this comment has no closing brace [unclosed-comme",
            "g:10:7: error: this variation is not closed [unbalanced]",
        ]
    );
    assert_eq!(lines[0], "e2e4 e7e5 1-0");
    assert_eq!(lines[1], "g1f3 g8f6 b1c3 b8c6 *");
    assert!(lines[2].ends_with("f4d5 *"), "{}", lines[2]);
}

#[test]
fn what_was_written_is_read_back() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let start: Board = match seed % 3 {
            0 => Board::default(),
            1 => "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"
                .parse()
                .expect("a position"),
            _ => "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1".parse().expect("a position"),
        };
        let mut record = pgn::Record::new(start.clone());
        record.set_tag("White", "a \"quoted\" \\ name");
        record.set_tag("Extra", "ü");
        let mut game = Game::new(start, PromotionSet::All);
        for ply in 0..80 {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            game.play(mv).expect("legal");
            let mut played = pgn::Played::from(mv);
            if ply % 7 == 3 {
                played.glyphs.push(5);
                played.comment =
                    Some("a comment that is long enough to be folded, with (marks) ; and [so on]".into());
            }
            record.moves.push(played);
        }
        record.result = pgn::Outcome::Draw;
        let text = pgn::write(&record);
        assert!(text.lines().all(|line| line.chars().count() <= 79 || line.starts_with('[')), "{text}");
        let (games, faults) = pgn::read(&text);
        assert!(faults.is_empty() && games.len() == 1, "{text}");
        assert_eq!((&games[0].moves, games[0].result), (&record.moves, record.result));
        assert_eq!(games[0].tag("White"), record.tag("White"));
        assert_eq!(pgn::write(&games[0]), text);
        assert_eq!(games[0].game().board(), game.board());
    }
}

/// Damaged files never panic, and every fault is inside of the text.
#[test]
fn damaged_files_are_read_to_the_end() {
    let whole = "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O+ $1 {c} (1. Rh8+ Kd7) Kd7 2. Rf7+ 1-0\n% x\n1. é4 *";
    let words: [&[u8]; 8] = [b"(", b"{", b"[", b"\"", b"]", b"1.", b"$", "\u{feff}".as_bytes()];
    let mut random = Random::new(tempo_testing::seed());
    for _ in tempo_testing::tries(400) {
        let bytes = tempo_testing::damage(&mut random, whole.as_bytes(), &words);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (_, faults) = pgn::read(&text);
        let source = Source::new("damaged", text.as_str());
        for fault in faults {
            let span = fault.span.expect("every fault has a place");
            assert!(span.end as usize <= text.len());
            let _ = Renderer::new(&source).human(&fault);
        }
    }
}
