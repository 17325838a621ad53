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
        let bytes = std::mem::take(&mut *self.heard.lock().expect("nobody panicked"));
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
