//! The protocol, spoken to a session in this process.

use super::*;

struct Gui {
    session: Session,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Gui {
    fn new() -> Gui {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let program = Program::carried().expect("the program assembles");
        Gui { session: Session::new(program, heard.clone(), 1), heard }
    }

    /// Says lines, and gives back what was answered until the search is over.
    fn say(&mut self, lines: &str) -> Vec<String> {
        for line in lines.lines() {
            assert_eq!(self.session.line(line), Next::Goes);
        }
        self.session.wait();
        self.heard()
    }

    fn heard(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.heard.lock().expect("no thread panicked"));
        String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
    }
}

fn best(answers: &[String]) -> &str {
    let moves: Vec<&String> = answers.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves.len(), 1, "{answers:?}");
    moves[0].split(' ').nth(1).expect("a move")
}

#[test]
fn it_introduces_itself() {
    let mut gui = Gui::new();
    let answers = gui.say("uci\nisready");
    assert!(answers[0].starts_with("id name Tempo "), "{answers:?}");
    assert!(answers.iter().any(|line| line == "option name Clock type string default 0.985248"));
    assert_eq!(answers[answers.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn every_option_takes_its_default_and_is_in_the_help() {
    let mut gui = Gui::new();
    let help = crate::chess::uci::options::help();
    let lines: Vec<String> = gui.say("uci").into_iter().filter(|line| line.starts_with("option ")).collect();
    assert_eq!(lines.len(), OPTIONS.len());
    for line in lines {
        let (name, kind) = line["option name ".len()..].split_once(" type ").expect("a type");
        let default = kind.split_once(" default ").map_or("", |(_, rest)| rest);
        let default = default.split(' ').next().unwrap_or_default();
        assert_eq!(gui.say(&format!("setoption name {name} value {default}")), [""; 0], "{line}");
        assert!(help.lines().any(|line| line.trim_start().starts_with(name)), "{name}: {help}");
    }
}

#[test]
fn both_engines_take_a_ram_expansion() {
    let mut gui = Gui::new();
    assert!(gui.say("uci").iter().any(|line| line.starts_with("option name REU type combo default none")));
    gui.say("setoption name Book value false\nposition startpos moves e2e4 e7e5");
    let mut nodes = |lines: &str| {
        let answers = gui.say(&format!("{lines}\ngo depth 5"));
        let last = answers.iter().rfind(|line| line.starts_with("info depth")).expect("a depth").clone();
        last.split(" nps ").next().expect("the nodes").to_owned()
    };
    let plain = nodes("setoption name REU value none");
    let expanded = nodes("setoption name REU value 512");
    assert_ne!(plain, expanded, "the larger table knows more");
    assert_eq!(expanded, nodes("setoption name Engine value reference"));
    assert_eq!(plain, nodes("setoption name REU value none"));
    let refused = gui.say("setoption name REU value 77");
    assert_eq!(refused, ["info string REU takes none, or the kilobytes of a RAM expansion: 128, 256 or 512"]);
}

#[test]
fn it_plays_legal_moves_within_every_kind_of_limit() {
    let mut gui = Gui::new();
    gui.say("setoption name Book value false\nposition fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    for limit in
        ["nodes 300", "depth 2", "movetime 300", "wtime 9000 btime 9000", "wtime -5 btime 5", "mate 1"]
    {
        let answers = gui.say(&format!("go {limit}"));
        let mv = best(&answers).to_owned();
        let legal = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse::<Board>().expect("a position");
        assert!(san::read(&legal, &mv, PromotionSet::All).is_ok(), "{limit}: {answers:?}");
    }
    assert_eq!(best(&gui.say("go movetime 2000")), "e4d5");
}

#[test]
fn time_is_that_of_the_emulated_clock() {
    let mut gui = Gui::new();
    gui.say("setoption name Book value false\nposition startpos moves e2e4");
    let time_of = |answers: &[String]| -> u64 {
        let last = answers.iter().rfind(|line| line.starts_with("info depth")).expect("an info");
        let words: Vec<&str> = last.split(' ').collect();
        let at = words.iter().position(|word| *word == "time").expect("a time");
        words[at + 1].parse().expect("a number")
    };
    let slow = time_of(&gui.say("go movetime 600"));
    assert!((575..=620).contains(&slow), "{slow}");
    // At ten times the clock the same time is ten times the cycles. A new game: what the table kept would end it sooner.
    gui.say("ucinewgame\nposition startpos moves e2e4");
    let fast = gui.say("setoption name Clock value 9.85248\ngo movetime 60");
    assert!((57..=62).contains(&time_of(&fast)), "{fast:?}");
}

#[test]
fn stop_ends_an_endless_search_and_a_search_that_is_over_waits_for_it() {
    let mut gui = Gui::new();
    gui.session.line("go infinite");
    gui.session.line("isready");
    gui.session.line("stop");
    gui.session.wait();
    let answers = gui.heard();
    assert!(answers.iter().any(|line| line == "readyok"));
    best(&answers);

    // Two legal moves at most: little to think about, and still no answer before `stop`.
    gui.session.line("position fen 7k/8/8/8/8/5q2/8/6RK w - - 0 1");
    gui.session.line("go infinite depth 1");
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert!(!gui.heard().iter().any(|line| line.starts_with("bestmove")));
    gui.session.finish();
    best(&gui.heard());
}

/// Positions with captures: with a moment to think, the first iteration is finished all the same.
#[test]
fn a_moment_is_enough_for_the_first_iteration() {
    for engine in ["c64", "reference"] {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name Engine value {engine}\nsetoption name Book value false"));
        for fen in [
            "3k3r/p2p1p2/bp2r3/1PP1R3/1nP1P3/P4P1N/1q5P/3NKB1R b K - 0 32",
            "r1q1k1nr/pp3p2/1n4p1/3pp1Pp/PbPQ3P/1PN4b/4PP1R/R1B1K1N1 w Q - 3 16",
            "rnq1kb1r/p3p1p1/1p2bpP1/2p2B1p/P2p2nP/1QPPP3/1P2KP2/RNB3NR b kq - 0 12",
        ] {
            let one_ply = gui.say(&format!("ucinewgame\nposition fen {fen}\ngo depth 1"));
            for limit in ["movetime 100", "wtime 1 btime 1"] {
                let answers = gui.say(&format!("ucinewgame\nposition fen {fen}\ngo {limit}"));
                assert_eq!(best(&answers), best(&one_ply), "{engine}, {limit}, {fen}");
                let depths = values(&answers, "depth");
                assert_ne!(depths.last(), Some(&"0"), "{engine}, {limit}: {answers:?}");
            }
        }
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut gui = Gui::new();
    gui.session.line("position startpos moves d2d4 d7d5");
    gui.session.line("go ponder wtime 3000 btime 3000");
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(!gui.heard().iter().any(|line| line.starts_with("bestmove")));
    gui.session.line("ponderhit");
    gui.session.wait();
    best(&gui.heard());
}

#[test]
fn without_a_move_it_says_so_and_with_one_it_plays_it() {
    let mut gui = Gui::new();
    assert_eq!(best(&gui.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo movetime 100")), "0000");
    assert_eq!(best(&gui.say("position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1\ngo movetime 100")), "h1g2");
    // The position with the most moves.
    let most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let answers = gui.say(&format!("position fen {most}\ngo movetime 200"));
    let board: Board = most.parse().expect("a position");
    assert!(san::read(&board, best(&answers), PromotionSet::All).is_ok());
}

#[test]
fn promotions_that_the_program_does_not_play_are_positions_like_any_other() {
    let mut gui = Gui::new();
    let answers =
        gui.say("position fen 8/P6k/8/8/8/8/p6K/8 w - - 0 1 moves a7a8r a2a1b a8a1\ngo movetime 200");
    assert!(!answers.iter().any(|line| line.contains("refused")), "{answers:?}");
    best(&answers);
}

#[test]
fn nonsense_is_passed_over() {
    let mut gui = Gui::new();
    for line in [
        "",
        " ",
        "hello",
        "go_fast",
        "\u{1b}[2J",
        "position",
        "position fen",
        "position fen 8/8 w - -",
        "position startpos moves e2e5",
        "setoption",
        "setoption name",
        "setoption name Clock value fast",
        "setoption name Level value 99",
        "setoption name Nothing value 1",
        "setoption name Engine value sargon",
        "setoption name REU value 77",
        "stop",
        "ponderhit",
        "debug on",
        "register later",
        &"x ".repeat(10_000),
    ] {
        let answers = gui.say(line);
        assert!(answers.iter().all(|answer| answer.starts_with("info string ")), "{line}: {answers:?}");
    }
    assert_eq!(gui.say("joho isready"), ["readyok"]);
    // After all that the position is still the start.
    let answers = gui.say("setoption name Book value false\ngo nodes 50");
    assert!(san::read(&Board::default(), best(&answers), PromotionSet::All).is_ok());
    assert_eq!(gui.session.line("quit"), Next::Ends);
}

#[test]
fn levels_have_names() {
    let mut gui = Gui::new();
    let answers = gui.say("uci");
    let option = "option name Level type combo default none var none var beginner var learner var casual";
    assert!(answers.iter().any(|line| line.starts_with(option)), "{answers:?}");
    gui.say("setoption name Book value false");
    let depth = |answers: &[String]| -> u64 {
        let line = answers.iter().rfind(|line| line.starts_with("info depth ")).expect("info");
        line.split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a depth")
    };
    assert_eq!(gui.say("setoption name Level value Beginner"), [""; 0]);
    assert!(depth(&gui.say("position startpos\ngo movetime 1000")) <= 2);
    assert_eq!(gui.say("setoption name Level value none"), [""; 0]);
    assert!(depth(&gui.say("go movetime 1000")) > 2);
    assert_eq!(gui.say("setoption name Level value 2"), [""; 0]);
    assert!(depth(&gui.say("go movetime 1000")) <= 2);
    let refused = gui.say("setoption name Level value 9");
    assert_eq!(
        refused,
        [
            "info string Level takes none, 1 to 8, or a level's name: beginner, learner, casual, instant, blitz, club, strong, tournament"
        ]
    );
}

/// The program answers itself from the book.
#[test]
fn games_begin_in_many_ways() {
    let mut gui = Gui::new();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..40 {
        gui.session.line("ucinewgame");
        let mut moves = String::new();
        for _ in 0..6 {
            let answers = gui.say(&format!("position startpos moves{moves}\ngo movetime 1"));
            moves = format!("{moves} {}", best(&answers));
        }
        seen.insert(moves);
    }
    assert!(seen.len() >= 16, "{} of 40: {seen:?}", seen.len());
}

#[test]
fn a_new_game_forgets_and_go_twice_answers_twice() {
    let mut gui = Gui::new();
    gui.say("setoption name Book value false");
    let first = gui.say("position startpos\ngo nodes 400");
    let again = gui.say("ucinewgame\nposition startpos\ngo nodes 400");
    // What the table holds decides how many cycles a look at it takes, but not what is found.
    let untimed = |answers: &[String]| -> Vec<String> {
        let line = |answer: &String| {
            let words: Vec<&str> = answer.split(' ').collect();
            let is_clock = |at: usize| matches!(words[at], "nps" | "time");
            let kept = (0..words.len()).filter(|&at| !(is_clock(at) || at > 0 && is_clock(at - 1)));
            kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        answers.iter().map(line).collect()
    };
    assert_eq!(untimed(&first), untimed(&again));
    gui.session.line("go infinite");
    gui.session.line("go nodes 50");
    gui.session.wait();
    let answers = gui.heard();
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{answers:?}");
}

#[test]
fn the_reference_search_answers_too() {
    let mut gui = Gui::new();
    let answers = gui.say(
        "setoption name Engine value reference\nposition fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1\ngo depth 3",
    );
    assert_eq!(best(&answers), "e1e8");
    assert!(answers.iter().any(|line| line.contains("score mate 1")), "{answers:?}");
    gui.session.line("go infinite");
    gui.session.finish();
    best(&gui.heard());
}

/// The words after a word of the lines, in order.
fn values<'a>(answers: &'a [String], word: &str) -> Vec<&'a str> {
    let of = |line: &'a String| {
        let mut words = line.split(' ');
        words.find(|&found| found == word)?;
        words.next()
    };
    answers.iter().filter_map(of).collect()
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    for engine in ["c64", "reference"] {
        let mut gui = Gui::new();
        gui.say(&format!(
            "setoption name Engine value {engine}\nposition fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
        ));
        assert_eq!(best(&gui.say("go depth 3 searchmoves e1f1")), "e1f1", "{engine}");
        let answers = gui.say("go searchmoves e1f1 e1f2 depth 3");
        assert!(["e1f1", "e1f2"].contains(&best(&answers)), "{engine}: {answers:?}");
        for line in answers.iter().filter(|line| line.contains(" pv ")) {
            assert!(line.contains(" pv e1f"), "{engine}: {line}");
        }
        // The best move is among them, and an illegal move is named.
        let answers = gui.say("go depth 3 searchmoves e1f1 e4d5 e4e6");
        assert_eq!(best(&answers), "e4d5", "{engine}");
        assert!(answers.iter().any(|line| line.starts_with("info string searchmoves: ")), "{answers:?}");
        // The program never thinks about a rook, but plays it if it is told to.
        gui.say("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(best(&gui.say("go depth 2 searchmoves a7a8r")), "a7a8r", "{engine}");
        // In the book's first position the book does not answer.
        gui.say("position startpos");
        assert_eq!(best(&gui.say("go movetime 300 searchmoves h2h3")), "h2h3", "{engine}");
    }
}

#[test]
fn both_engines_search_the_same_nodes_under_a_restriction() {
    let nodes = |engine: &str| {
        let mut gui = Gui::new();
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        let answers = gui.say(&format!(
            "setoption name Engine value {engine}\nposition fen {fen}\ngo depth 4 searchmoves a3a4 c3d5 g5f6 h2h3"
        ));
        (values(&answers, "nodes").last().map(|&word| word.to_owned()), best(&answers).to_owned())
    };
    assert_eq!(nodes("c64"), nodes("reference"));
}

#[test]
fn several_lines_are_different_and_in_order() {
    for engine in ["c64", "reference"] {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name Engine value {engine}\nsetoption name MultiPV value 3"));
        let answers = gui.say("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\ngo depth 3");
        assert_eq!(values(&answers, "multipv"), ["1", "2", "3", "1", "2", "3", "1", "2", "3"], "{answers:?}");
        assert_eq!(values(&answers, "depth"), ["1", "1", "1", "2", "2", "2", "3", "3", "3"]);
        let last = &answers[answers.len() - 4..];
        let firsts = values(last, "pv");
        assert_eq!(firsts[0], "e4d5", "{engine}: {answers:?}");
        assert!(firsts[1] != firsts[0] && firsts[2] != firsts[0] && firsts[2] != firsts[1], "{firsts:?}");
        let scores: Vec<i32> =
            values(last, "cp").iter().map(|word| word.parse().expect("a number")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{engine}: {scores:?}");
        assert_eq!(best(&answers), "e4d5");
        // Asking for more lines than there are moves is allowed, and a time limit still ends the search.
        gui.say("setoption name MultiPV value 200");
        best(&gui.say("go movetime 2000"));
        assert_eq!(gui.say("setoption name MultiPV value 0").len(), 1);
    }
}

/// The third search prunes less than the second one, and finds a better move.
#[test]
fn lines_that_are_found_late_take_their_place() {
    let mut gui = Gui::new();
    gui.say("setoption name Engine value reference\nsetoption name MultiPV value 3");
    let fen = "rn1qkbnr/pbpp2p1/1p3p2/4p3/6B1/2PPPP2/PP1B2QP/RN1K2NR b - - 0 16";
    let answers = gui.say(&format!("position fen {fen}\ngo depth 3"));
    let line = |number: &str| {
        let told = answers.iter().rev().find(|line| line.contains(&format!("depth 3 multipv {number} ")));
        let told = std::slice::from_ref(told.expect("a line"));
        (values(told, "cp")[0].parse::<i32>().expect("a number"), values(told, "pv")[0].to_owned())
    };
    let lines = ["1", "2", "3"].map(line);
    assert!(lines.is_sorted_by(|a, b| a.0 >= b.0), "{lines:?}");
    assert!(lines[0].1 != lines[1].1 && lines[1].1 != lines[2].1, "{lines:?}");
    assert_eq!(best(&answers), lines[0].1);
}

#[test]
fn a_mate_is_told_and_looked_for() {
    for engine in ["c64", "reference"] {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name Engine value {engine}"));
        // Mated: fool's mate. Stalemate is not mate.
        let answers = gui.say("position startpos moves f2f3 e7e5 g2g4 d8h4\ngo movetime 100");
        assert_eq!(values(&answers, "mate"), ["0"], "{engine}: {answers:?}");
        assert_eq!(best(&answers), "0000");
        let answers = gui.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
        assert_eq!(values(&answers, "cp"), ["0"], "{answers:?}");
        for (fen, moves, expected) in [
            ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "e1e8"),
            // The key is quiet.
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
            // The programs do not promote to rooks, and a queen is stalemate.
            ("8/k1P5/2K5/8/8/8/8/8 w - - 0 1", 2, "c7c8r"),
            ("1k6/8/1K6/8/8/8/8/7R w - - 0 1", 1, "h1h8"),
        ] {
            let answers = gui.say(&format!("ucinewgame\nposition fen {fen}\ngo mate {moves}"));
            assert_eq!(best(&answers), expected, "{engine} {fen}: {answers:?}");
            let told =
                answers.iter().filter(|line| line.starts_with("info depth")).cloned().collect::<Vec<_>>();
            assert_eq!(values(&told, "mate").last(), Some(&moves.to_string().as_str()), "{answers:?}");
        }
        // Found by the rules as well if the answer waits for `stop`.
        gui.session.line("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        gui.session.line("go infinite mate 2 nodes 100");
        let mut answers = Vec::new();
        while !answers.iter().any(|line: &String| line.contains("score mate 2")) {
            std::thread::sleep(std::time::Duration::from_millis(5));
            answers.extend(gui.heard());
        }
        assert!(!answers.iter().any(|line| line.starts_with("bestmove")));
        assert_eq!(best(&gui.say("stop")), "a1a6");
        // The same if the search itself finds it.
        gui.session.line("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
        gui.session.line("go infinite mate 1");
        let mut answers = Vec::new();
        while !answers.iter().any(|line: &String| line.contains("score mate 1")) {
            std::thread::sleep(std::time::Duration::from_millis(5));
            answers.extend(gui.heard());
        }
        std::thread::sleep(std::time::Duration::from_millis(30));
        answers.extend(gui.heard());
        assert!(!answers.iter().any(|line| line.starts_with("bestmove")), "{engine}");
        assert_eq!(best(&gui.say("stop")), "e1e8");
    }
}

#[test]
fn a_mate_that_is_not_there_is_not_told() {
    for engine in ["c64", "reference"] {
        let mut gui = Gui::new();
        gui.say(&format!("setoption name Engine value {engine}"));
        for (fen, moves) in [
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1),
            ("8/8/8/4k3/8/8/R7/1R4K1 w - - 0 1", 3),
            // Mate comes only after the draw by fifty moves.
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 99 90", 2),
        ] {
            let answers = gui.say(&format!("ucinewgame\nposition fen {fen}\ngo mate {moves}"));
            assert_ne!(best(&answers), "0000");
            let near = |word: &&str| (1..=moves).contains(&word.parse::<i32>().expect("a number"));
            let told =
                answers.iter().filter(|line| line.starts_with("info depth")).cloned().collect::<Vec<_>>();
            assert_eq!(values(&told, "mate").iter().filter(|word| near(word)).count(), 0, "{answers:?}");
            assert!(answers.contains(&format!("info string there is no mate in {moves}")), "{answers:?}");
        }
        // The key is not among the moves.
        let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        let answers = gui.say(&format!("ucinewgame\nposition fen {fen}\ngo mate 2 searchmoves a1a5 c8d7"));
        assert!(["a1a5", "c8d7"].contains(&best(&answers)), "{answers:?}");
        assert!(answers.contains(&"info string there is no mate in 2".to_owned()), "{answers:?}");
    }
}

#[test]
fn a_fen_may_lack_its_clocks() {
    let mut gui = Gui::new();
    for fen in [
        "4k3/8/8/3q4/4P3/8/8/4K3 w - -",
        "4k3/8/8/3q4/4P3/8/8/4K3 w - - 7",
        "4k3/8/8/3q4/4P3/8/8/4K3  w -  - 7 30",
    ] {
        let answers = gui.say(&format!("position startpos\nposition fen {fen}\ngo depth 2"));
        assert_eq!(best(&answers), "e4d5", "{fen}: {answers:?}");
    }
    assert_eq!(gui.say("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w -").len(), 1);
}
