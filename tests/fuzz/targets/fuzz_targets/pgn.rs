//! Collections of games: a game that was read without a fault is written and read as the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_chess::pgn;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let (games, faults) = pgn::read(&text);
    for fault in &faults {
        assert!(fault.span.is_some_and(|span| span.end as usize <= text.len()), "{fault:?}");
    }
    let Some(game) = games.first().filter(|_| faults.is_empty()) else { return };
    let written = pgn::write(game);
    let (again, faults) = pgn::read(&written);
    let moves = |record: &pgn::Record| record.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
    let is_same = again.first().is_some_and(|again| moves(again) == moves(game) && again.result == game.result);
    assert!(faults.is_empty() && is_same, "{written} is read with {faults:?}");
});
