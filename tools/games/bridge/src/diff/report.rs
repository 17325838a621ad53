//! A difference for people: the board, both answers, and a `.6502` test that shows it again.

use std::fmt::Write as _;

use tempo_chess::{Board, Color, Move, Square};

use super::{Difference, Subject};
use crate::position::{colour_byte, encode_move, x88};

/// The board in letters, rank 8 first.
pub fn picture(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let _ = write!(text, "  {} ", rank + 1);
        for file in 0..8 {
            let symbol = board.piece_at(Square::new(file, rank)).map_or('.', |piece| piece.symbol());
            let _ = write!(text, " {symbol}");
        }
        text.push('\n');
    }
    text.push_str("     a b c d e f g h\n");
    text
}

/// The whole story of a difference.
pub fn text(difference: &Difference) -> String {
    let mut text = String::new();
    let subject = match difference.subject {
        Subject::LegalMoves => "GenerateLegalMoves lists other moves",
        Subject::SyncedMoves => "GenerateLegalMovesSynced lists other moves",
        Subject::MoveCount => "GenerateLegalMoves returns another count than MoveCount",
        Subject::Check => "IsKingInCheck says otherwise",
        Subject::State => "CheckGameState says otherwise",
        Subject::MakeMove => "MakeMove leads to another position",
        Subject::Hash => "the hash after MakeMove is not that of the position",
        Subject::MoveChecks => "SeeCheck says otherwise of a move",
        Subject::UnmakeMove => "UnmakeMove does not restore the position",
        Subject::Untouched => "a question changed the position",
        Subject::BestMove => "FindBestMove gives no legal move",
        Subject::Call => "a routine did not come back",
        Subject::Count => "the expectation is not met",
        Subject::Search => "FindBestMove searches otherwise than the reference",
    };
    let _ = writeln!(text, "difference: {subject}");
    let _ = writeln!(text, "  in       {}", difference.fen);
    if !difference.line.is_empty() {
        let _ = writeln!(text, "  reached  {} from {}", difference.line.join(" "), difference.start);
    }
    if let Some(tried) = &difference.tried {
        let name = if difference.subject == Subject::Search { "limit" } else { "move" };
        let _ = writeln!(text, "  {name:8} {tried}");
    }
    if let Ok(board) = difference.fen.parse::<Board>() {
        text.push_str(&picture(&board));
    }
    let _ = writeln!(text, "  rules    {}", difference.expected);
    let _ = writeln!(text, "  program  {}", difference.found);
    if !difference.missing.is_empty() {
        let _ = writeln!(text, "  missing  {}", difference.missing.join(" "));
    }
    if !difference.extra.is_empty() {
        let _ = writeln!(text, "  extra    {}", difference.extra.join(" "));
    }
    text
}

/// A suite with one test that fails as long as the difference is there.
pub fn reproduction(difference: &Difference) -> String {
    let mut suite = Suite(String::new());
    suite.line(0, "suites {");
    suite.line(1, "suite(\"reproduction\") {");
    suite.line(2, "assemble(\"../asm/main.asm\")");
    suite.line(2, "test(\"difference\", \"program and rules agree\") {");
    suite.line(3, &format!("; {}", difference.fen));
    suite.call("InitZobristTables");
    match (difference.start.parse(), difference.fen.parse()) {
        (Ok(start), Ok(board)) => suite.body(difference, &start, &board),
        _ => suite.line(3, "; the position is not one that a FEN can say"),
    }
    suite.line(2, "}");
    suite.line(1, "}");
    suite.line(0, "}");
    suite.0
}

struct Suite(String);

impl Suite {
    fn line(&mut self, level: usize, text: &str) {
        let _ = writeln!(self.0, "{:indent$}{text}", "", indent = level * 2);
    }

    fn call(&mut self, routine: &str) {
        self.line(3, &format!("jsr([{routine}], stop_on_rts = true, fail_on_brk = true)"));
    }

    fn make(&mut self, routine: &str, mv: Move) {
        let Some((from, to)) = encode_move(mv) else { return };
        self.line(3, &format!("a = ${from:02X} x = ${to:02X}  ; {mv}"));
        self.call(routine);
    }

    fn position(&mut self, board: &Board) {
        self.line(3, "memfill([Board88], 128, [EMPTY_PIECE])");
        for square in Square::all() {
            if let Some(piece) = board.piece_at(square) {
                let color = board.color_at(square).map_or("", Color::name).to_uppercase();
                let kind = piece.kind.name().to_uppercase();
                self.line(3, &format!("[Board88] + ${:02X} = [{color}_{kind}]  ; {square}", x88(square)));
            }
        }
        self.line(3, &format!("[whitekingsq] = ${:02X}", x88(board.king(Color::White))));
        self.line(3, &format!("[blackkingsq] = ${:02X}", x88(board.king(Color::Black))));
        self.line(3, &format!("[castlerights] = %{:04b}", board.castling().bits()));
        self.line(3, &format!("[enpassantsq] = ${:02X}", board.en_passant().map_or(0xff, x88)));
        self.line(3, &format!("[SearchSide] = ${:02X}", colour_byte(board.turn())));
        self.line(3, "[SearchDepth] = 0");
        self.line(3, &format!("[HalfmoveClock] = {}", board.halfmove_clock().min(255)));
        self.line(3, "[HistoryCount] = 0");
        self.call("ComputeZobristHash");
        self.call("RecordPosition");
    }

    fn body(&mut self, difference: &Difference, start: &Board, board: &Board) {
        self.position(start);
        for mv in difference.line.iter().filter_map(|text| text.parse().ok()) {
            self.make("MakeMove", mv);
            self.line(3, "[SearchDepth] = 0");
            self.call("RecordPosition");
        }
        let tried: Option<Move> = difference.tried.as_ref().and_then(|text| text.parse().ok());
        let us = colour_byte(board.turn());
        match difference.subject {
            Subject::LegalMoves | Subject::SyncedMoves | Subject::MoveCount => {
                if !difference.missing.is_empty() {
                    self.line(3, &format!("; missing: {}", difference.missing.join(" ")));
                }
                if !difference.extra.is_empty() {
                    self.line(3, &format!("; extra: {}", difference.extra.join(" ")));
                }
                self.call("SyncPosition");
                self.line(3, &format!("x = ${us:02X}"));
                let synced = difference.subject == Subject::SyncedMoves;
                self.call(if synced { "GenerateLegalMovesSynced" } else { "GenerateLegalMoves" });
                let legal = board.legal_moves(tempo_chess::PromotionSet::QueenKnight).len();
                self.line(3, &format!("assert([MoveCount].b == {legal}, \"the number of legal moves\")"));
            }
            Subject::Check => {
                for color in Color::ALL {
                    let check = board.is_attacked(board.king(color), !color);
                    self.line(3, &format!("x = ${:02X}", colour_byte(color)));
                    self.call("IsKingInCheck");
                    self.line(3, &format!("assert(c == {check}, \"{} king\")", color.name()));
                }
            }
            Subject::State | Subject::Count => {
                self.call("CheckGameState");
                let state = difference.expected.split_whitespace().next().unwrap_or("0");
                self.line(3, &format!("assert(a == {state}, \"the game state\")"));
            }
            Subject::MakeMove | Subject::UnmakeMove | Subject::Hash | Subject::MoveChecks => {
                if let Some(mv) = tried {
                    self.made(difference.subject, board, mv);
                }
            }
            Subject::Search => self.searched(difference),
            Subject::Untouched | Subject::BestMove | Subject::Call => {
                self.line(3, &format!("; {}", difference.found));
                self.line(3, &format!("x = ${us:02X}"));
                self.call("GenerateLegalMoves");
            }
        }
    }

    /// The search at its limit with an empty table, and the answer of the reference.
    fn searched(&mut self, difference: &Difference) {
        let limit = difference.tried.as_deref().and_then(|text| text.split_once(' '));
        let Some((kind, number)) = limit else { return };
        let number: u32 = number.parse().unwrap_or(1);
        let (depth, nodes) = if kind == "depth" { (number, 0) } else { (20, number) };
        self.line(3, &format!("[SearchLevel] = {depth}"));
        for (offset, byte) in nodes.to_le_bytes()[..3].iter().enumerate() {
            self.line(3, &format!("[SearchNodes] + {offset} = {byte}"));
        }
        self.call("ClearTable");
        self.call("FindBestMove");
        self.line(3, &format!("; reference: {}", difference.expected));
        let best = difference.expected.split(',').next().and_then(|text| text.parse().ok());
        if let Some((from, to)) = best.and_then(encode_move) {
            self.line(3, &format!("assert([BestMoveFrom].b == ${from:02X}, \"from\")"));
            self.line(3, &format!("assert([BestMoveTo].b == ${to:02X}, \"to\")"));
        }
        let nodes =
            difference.expected.split(", ").find_map(|part| part.strip_suffix(" nodes")?.parse::<u32>().ok());
        if let Some(nodes) = nodes {
            self.line(3, &format!("assert([NodeCount].w == {}, \"nodes\")", nodes & 0xffff));
        }
    }

    /// The move that goes wrong, and what must be true after it.
    fn made(&mut self, subject: Subject, board: &Board, mv: Move) {
        self.make("MakeMove", mv);
        let mut after = board.clone();
        match subject {
            Subject::UnmakeMove => self.make("UnmakeMove", mv),
            _ => after.play(mv),
        }
        if subject == Subject::Hash {
            self.line(3, "x = peekbyte([ZobristHash]) y = peekbyte([ZobristHash] + 1)");
            self.line(3, "$02FE = x $02FF = y");
            self.call("ComputeZobristHash");
            self.line(3, "assert(memcmp([ZobristHash], $02FE, 2), \"the hash from scratch\")");
            return;
        }
        if subject == Subject::MoveChecks {
            self.call("SeeCheck");
            let sign = if after.in_check() { "!=" } else { "==" };
            self.line(
                3,
                &format!("assert(peekbyte([zpInCheck]) {sign} 0, \"whether the move gives check\")"),
            );
            return;
        }
        for square in Square::all() {
            let code = match after.piece_at(square) {
                Some(piece) => {
                    format!("{}_{}", piece.color.name().to_uppercase(), piece.kind.name().to_uppercase())
                }
                None => "EMPTY_PIECE".to_owned(),
            };
            let cell = format!("peekbyte([Board88] + ${:02X})", x88(square));
            self.line(3, &format!("assert({cell} == [{code}], \"{square}\")"));
        }
        let scalars = [
            ("whitekingsq", x88(after.king(Color::White))),
            ("blackkingsq", x88(after.king(Color::Black))),
            ("castlerights", after.castling().bits()),
            ("enpassantsq", after.en_passant().map_or(0xff, x88)),
            ("SearchSide", colour_byte(after.turn())),
            ("HalfmoveClock", after.halfmove_clock().min(255) as u8),
        ];
        for (name, value) in scalars {
            self.line(3, &format!("assert(peekbyte([{name}]) == ${value:02X}, \"{name}\")"));
        }
    }
}
