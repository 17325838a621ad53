//! Games from a JSON file: what passes the checker plays, and comes back to where it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_boardgame::Game;

fuzz_target!(|input: &[u8]| {
    let Ok(mut game) = tempo_gamespec::load(input) else { return };
    let start = game.clone();
    let mut played = Vec::new();
    for turn in 0..8 {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let _ = game.outcome();
        let Some(&mv) = moves.get(input.get(turn).map_or(0, |&byte| usize::from(byte)) % moves.len().max(1)) else {
            break;
        };
        let _ = game.move_text(mv);
        let undo = game.make(mv);
        played.push((mv, undo));
    }
    while let Some((mv, undo)) = played.pop() {
        game.unmake(mv, undo);
    }
    assert_eq!(game, start);
});
