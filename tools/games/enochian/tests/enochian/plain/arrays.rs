//! The arrays, built from the tables of the rules page instead of its lists of pieces.

use super::{ARMIES, Piece, Plain, base, compass, corners, square};

/// The arrays of the page, built from its tables: setting and board give the row, the board who begins.
pub fn array(id: &str, without: &str) -> Plain {
    if id == "tablet_of_fire_prototype" {
        return prototype(without);
    }
    const BLUE: [&str; 4] = ["blue", "red", "black", "yellow"];
    let (setting, board, order) = match id {
        "tablet_of_water" => ("water", "water", ["blue", "black", "yellow", "red"]),
        "tablet_of_air" => ("air", "air", ["red", "yellow", "black", "blue"]),
        "tablet_of_earth" => ("earth", "earth", ["yellow", "blue", "red", "black"]),
        _ => {
            let (setting, board) = id.split_once("_of_").expect("an array of the page");
            // Clockwise from the army of the board's element.
            let first = ["water", "fire", "earth", "air"]
                .iter()
                .position(|element| *element == board)
                .expect("a board");
            let order = [0, 1, 2, 3].map(|k| BLUE[(first + k) % 4]);
            (setting, board, order)
        }
    };
    let row = match (setting, matches!(board, "fire" | "earth")) {
        ("earth", true) => "RBQN",
        ("earth", false) => "RNQB",
        ("air", true) => "BRNQ",
        ("air", false) => "BQNR",
        ("water", true) => "QNRB",
        ("water", false) => "QBRN",
        ("fire", true) => "NQBR",
        _ => "NRBQ",
    };
    let mut plain = Plain::new(corners(), order);
    plain.without = without.into();
    let rows = [
        ("h8 h7 h6 h5", "g8 g7 g6 g5"),
        ("h1 g1 f1 e1", "h2 g2 f2 e2"),
        ("a1 a2 a3 a4", "b1 b2 b3 b4"),
        ("a8 b8 c8 d8", "a7 b7 c7 d7"),
    ];
    for (army, (back, front)) in rows.iter().enumerate() {
        let king = square(back.split(' ').next().expect("a corner"));
        plain.pieces.push(Piece { at: king, army, letter: 'K', extra: String::new() });
        for ((letter, back), front) in row.chars().zip(back.split(' ')).zip(front.split(' ')) {
            let at = square(back);
            let extra = if matches!(letter, 'Q' | 'B') { plain.system_of(at) } else { String::new() };
            plain.pieces.push(Piece { at, army, letter, extra });
            plain.pieces.push(Piece { at: square(front), army, letter: 'P', extra: letter.to_string() });
        }
    }
    plain
}

/// Bands from south to north; allies nose to nose (N3).
fn prototype(without: &str) -> Plain {
    let mut camps = base();
    for (army, (forward, zone)) in
        [("north", "rank8"), ("south", "rank1"), ("north", "rank8"), ("north", "rank8")]
            .into_iter()
            .enumerate()
    {
        camps[army].forward = compass(forward);
        camps[army].zone = zone.into();
    }
    if without == "N3" {
        camps[2].forward = compass("south");
    }
    let mut plain = Plain::new(camps, ARMIES);
    plain.without = without.into();
    for (army, (back, front)) in [(0, 1), (7, 6), (2, 3), (4, 5)].into_iter().enumerate() {
        for (file, (letter, patron)) in "RNBQKBNR".chars().zip("RNBQQBNR".chars()).enumerate() {
            let at = (file as i32, back);
            let extra = if matches!(letter, 'Q' | 'B') { plain.system_of(at) } else { String::new() };
            plain.pieces.push(Piece { at, army, letter, extra });
            plain.pieces.push(Piece {
                at: (file as i32, front),
                army,
                letter: 'P',
                extra: patron.to_string(),
            });
        }
    }
    plain
}
