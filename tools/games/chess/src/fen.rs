//! Positions as FEN text, read strictly and written exactly, and the simplified four-field form that
//! repetition is judged by. Knows the notation; `Setup` decides whether the pieces make a position.

use std::fmt::Write;
use std::ops::{ControlFlow, Range};
use std::str::FromStr;

use tempo_diagnostics::Span;
use thiserror::Error;

use super::{Board, CastlingRights, Code, Color, Fault, Piece, Setup, SetupFault, Square};

/// The start of a game.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A fault in a FEN, with the part of the text that holds it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct FenFault {
    /// The fault.
    pub kind: FenFaultKind,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// A fault of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenFaultKind {
    /// A character that no FEN has.
    #[error("a FEN is plain ASCII text, this has {found:?}")]
    NotAscii {
        /// The character.
        found: char,
    },
    /// Too many or too few fields.
    #[error("a FEN has 6 fields (or the first 4), separated by single spaces; this has {found}")]
    FieldCount {
        /// How many there are.
        found: usize,
    },
    /// Too many or too few ranks.
    #[error("the board has 8 ranks, this has {found}")]
    RankCount {
        /// How many there are.
        found: usize,
    },
    /// A rank that does not fill the board, or more than that.
    #[error("rank {rank} has {found} squares, it needs 8")]
    RankWidth {
        /// The rank, 1 to 8.
        rank: u8,
        /// How many squares it describes.
        found: usize,
    },
    /// Two counts of empty squares side by side.
    #[error("two digits in a row on rank {rank}: write their sum")]
    AdjacentDigits {
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// A letter that is not a piece.
    #[error("`{found}` is neither a piece (KQRBNP, kqrbnp) nor a count from 1 to 8")]
    BadPiece {
        /// The letter.
        found: char,
    },
    /// The second field names no side.
    #[error("the side to move is `w` or `b`, not `{found}`")]
    BadTurn {
        /// The field.
        found: String,
    },
    /// The third field is not a set of castling rights.
    #[error("castling rights are `-` or letters of KQkq in that order, not `{found}`")]
    BadCastling {
        /// The field.
        found: String,
    },
    /// The fourth field is not an en passant square.
    #[error("the en passant field is `-` or a square on rank 3 or 6, not `{found}`")]
    BadEnPassant {
        /// The field.
        found: String,
    },
    /// The fifth or sixth field is not a number.
    #[error("the {name} is a whole number of at most 9 digits, not `{found}`")]
    BadClock {
        /// The field's count.
        name: &'static str,
        /// The field.
        found: String,
    },
    /// The text can be read, but describes no position.
    #[error(transparent)]
    Position(#[from] SetupFault),
}

impl FenFault {
    /// The fault as a diagnostic about the text of the FEN.
    pub fn diagnostic(&self) -> Fault {
        Fault::error(self.kind.code(), Span::from(self.span.clone()), self.to_string())
    }
}

impl FenFaultKind {
    /// The stable name of the fault.
    pub fn code(&self) -> Code {
        match self {
            FenFaultKind::NotAscii { .. } => Code::NotAscii,
            FenFaultKind::FieldCount { .. } => Code::FieldCount,
            FenFaultKind::RankCount { .. } => Code::RankCount,
            FenFaultKind::RankWidth { .. } => Code::RankWidth,
            FenFaultKind::AdjacentDigits { .. } => Code::AdjacentDigits,
            FenFaultKind::BadPiece { .. } => Code::BadPiece,
            FenFaultKind::BadTurn { .. } => Code::BadTurn,
            FenFaultKind::BadCastling { .. } => Code::BadCastling,
            FenFaultKind::BadEnPassant { .. } => Code::BadEnPassant,
            FenFaultKind::BadClock { .. } => Code::OutOfRange,
            FenFaultKind::Position(fault) => fault.code(),
        }
    }
}

/// How closely the text is held to the notation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// FEN as its definition has it.
    Strict,
    /// As the agent protocol reads histories: digits may follow digits, castling letters may come in
    /// any order, five fields will do, and clocks are not looked at beyond being numbers.
    Lenient,
}

impl FromStr for Board {
    type Err = FenFault;

    /// Reads six fields, or four (as in EPD) with clocks of 0 and 1.
    fn from_str(text: &str) -> Result<Board, FenFault> {
        let fields = split(text, Manner::Strict)?;
        let setup = read(&fields, Manner::Strict)?;
        setup.board().map_err(|fault| place(fault, &fields))
    }
}

/// Everything that is wrong with a FEN, and the pieces as far as they can be read.
pub fn inspect(text: &str) -> (Option<Setup>, Vec<FenFault>) {
    let fields = match split(text, Manner::Strict) {
        Ok(fields) => fields,
        Err(fault) => return (None, vec![fault]),
    };
    // A field that cannot be read is left as it is in an empty setup, and the others are looked at all the same.
    let mut faults = Vec::new();
    let mut setup = Setup::default();
    let pieces = placement(fields[0], Manner::Strict, &mut |fault| {
        faults.push(fault);
        if faults.len() < MOST_BOARD_FAULTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let turn = turn(fields[1]).map_err(|fault| faults.push(fault)).ok();
    let rights = castling(fields[2], Manner::Strict).map_err(|fault| faults.push(fault)).ok();
    let passed = en_passant(fields[3]).map_err(|fault| faults.push(fault)).ok();
    let clocks = [(4, "halfmove clock"), (5, "full move number")].map(|(index, name)| {
        let field = fields.get(index)?;
        clock(*field, name, Manner::Strict).map_err(|fault| faults.push(fault)).ok().flatten()
    });
    setup.turn = turn.unwrap_or(setup.turn);
    setup.castling = rights.unwrap_or(setup.castling);
    setup.en_passant = passed.unwrap_or(setup.en_passant);
    setup.halfmove_clock = clocks[0].unwrap_or(setup.halfmove_clock);
    setup.fullmove_number = clocks[1].unwrap_or(setup.fullmove_number);
    let Some(squares) = pieces else {
        if setup.fullmove_number == 0 {
            faults.push(place(SetupFault::FullmoveNumberZero, &fields));
        }
        return (None, faults);
    };
    setup.squares = squares;
    // Whose turn it is decides about en passant squares and checks.
    let is_judged = |fault: &SetupFault| {
        let needs_turn =
            matches!(fault, SetupFault::EnPassantImpossible { .. } | SetupFault::OpponentInCheck { .. });
        turn.is_some() || !needs_turn
    };
    faults.extend(setup.faults().into_iter().filter(is_judged).map(|fault| place(fault, &fields)));
    faults.sort_by_key(|fault| fault.span.start);
    (Some(setup), faults)
}

fn place(fault: SetupFault, fields: &[Field<'_>]) -> FenFault {
    let field = match fault {
        SetupFault::CastlingImpossible { .. } => 2,
        SetupFault::EnPassantImpossible { .. } => 3,
        SetupFault::FullmoveNumberZero => 5,
        SetupFault::KingCount { .. }
        | SetupFault::MaterialImpossible { .. }
        | SetupFault::PawnOnLastRank { .. }
        | SetupFault::OpponentInCheck { .. } => 0,
    };
    FenFault { kind: fault.into(), span: fields[field].span() }
}

impl Board {
    /// The six fields. The en passant square is written after every double step, as FEN defines it.
    pub fn fen(&self) -> String {
        let mut text = self.four_fields(self.en_passant);
        let _ = write!(text, " {} {}", self.halfmove_clock, self.fullmove_number);
        text
    }

    /// The four fields that say which position it is: the en passant square only if a capture there is
    /// legal, no clocks.
    pub fn simplified_fen(&self) -> String {
        self.four_fields(self.legal_en_passant())
    }

    /// Reads a position of the past from a simplified FEN of four to six fields. Rights and en passant
    /// squares that the pieces contradict are dropped, the clocks ignored.
    pub fn from_simplified_fen(text: &str) -> Result<Board, FenFault> {
        let fields = split(text, Manner::Lenient)?;
        let mut setup = read(&fields, Manner::Lenient)?;
        setup.drop_impossible();
        setup.board().map_err(|fault| FenFault { kind: fault.into(), span: fields[0].span() })
    }

    /// Reads a line of a file of positions: a FEN, or an EPD of four fields and operations, of which
    /// `hmvc` and `fmvn` set the clocks and the rest is ignored.
    pub fn from_epd(line: &str) -> Result<Board, FenFault> {
        let line = line.trim_end();
        let ends: Vec<usize> = line.match_indices(' ').map(|(at, _)| at).take(4).collect();
        let [.., end] = ends[..] else { return line.parse() };
        let operations = &line[end..];
        // A fifth field that is a number makes it a FEN.
        if ends.len() < 4
            || operations.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c))
        {
            return line.parse();
        }
        let mut board: Board = line[..end].parse()?;
        for operation in operations.split(';').map(str::trim) {
            match operation.split_once(' ').map(|(code, operand)| (code, operand.trim().parse())) {
                Some(("hmvc", Ok(clock))) => board.halfmove_clock = clock,
                Some(("fmvn", Ok(number))) if number > 0 => board.fullmove_number = number,
                _ => {}
            }
        }
        Ok(board)
    }

    fn four_fields(&self, en_passant: Option<Square>) -> String {
        let mut text = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match self.piece_at(Square::new(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            let _ = write!(text, "{gap}");
                            gap = 0;
                        }
                        text.push(piece.symbol());
                    }
                }
            }
            if gap > 0 {
                let _ = write!(text, "{gap}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let turn = match self.turn {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let _ = write!(text, " {turn} {} ", self.castling);
        match en_passant {
            Some(square) => {
                let _ = write!(text, "{square}");
            }
            None => text.push('-'),
        }
        text
    }
}

/// One field and where it starts.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    start: usize,
}

impl Field<'_> {
    fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn fault(&self, kind: FenFaultKind) -> FenFault {
        FenFault { kind, span: self.span() }
    }

    /// The text for a message, shortened if it is long.
    fn quoted(&self) -> String {
        self.text.chars().take(20).collect()
    }
}

fn split(text: &str, manner: Manner) -> Result<Vec<Field<'_>>, FenFault> {
    if let Some((at, found)) = text.char_indices().find(|(_, c)| !c.is_ascii() || c.is_ascii_control()) {
        return Err(FenFault { kind: FenFaultKind::NotAscii { found }, span: at..at + found.len_utf8() });
    }
    let mut fields = Vec::with_capacity(6);
    let mut start = 0;
    for part in text.split(' ').take(8) {
        fields.push(Field { text: part, start });
        start += part.len() + 1;
    }
    let found = fields.len();
    let enough = found == 4 || found == 6 || found == 5 && manner == Manner::Lenient;
    if !enough || fields.iter().any(|field| field.text.is_empty()) {
        return Err(FenFault { kind: FenFaultKind::FieldCount { found }, span: 0..text.len() });
    }
    Ok(fields)
}

fn read(fields: &[Field<'_>], manner: Manner) -> Result<Setup, FenFault> {
    let mut first = None;
    let squares = placement(fields[0], manner, &mut |fault| {
        first = Some(fault);
        ControlFlow::Break(())
    });
    if let Some(fault) = first {
        return Err(fault);
    }
    let mut setup = Setup { squares: squares.unwrap_or([None; 64]), ..Setup::default() };
    setup.turn = turn(fields[1])?;
    setup.castling = castling(fields[2], manner)?;
    setup.en_passant = en_passant(fields[3])?;
    if let Some(&field) = fields.get(4) {
        setup.halfmove_clock = clock(field, "halfmove clock", manner)?.unwrap_or(0);
    }
    if let Some(&field) = fields.get(5) {
        setup.fullmove_number = clock(field, "full move number", manner)?.unwrap_or(1);
    }
    Ok(setup)
}

fn turn(field: Field<'_>) -> Result<Color, FenFault> {
    match field.text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(field.fault(FenFaultKind::BadTurn { found: field.quoted() })),
    }
}

/// More faults of one board than a person reads.
const MOST_BOARD_FAULTS: usize = 64;

/// The pieces, if there is no fault. `tell` gets the faults, and says whether to look for more.
fn placement(
    field: Field<'_>,
    manner: Manner,
    tell: &mut dyn FnMut(FenFault) -> ControlFlow<()>,
) -> Option<[Option<Piece>; 64]> {
    let found = field.text.split('/').count();
    let mut is_sound = found == 8;
    let mut fail = |kind, span| {
        is_sound = false;
        tell(FenFault { kind, span })
    };
    if found != 8 && fail(FenFaultKind::RankCount { found }, field.span()).is_break() {
        return None;
    }
    let mut squares = [None; 64];
    let mut start = field.start;
    for (index, text) in field.text.split('/').enumerate() {
        // With another number of ranks it is unknown which one this is: only its letters are looked at.
        let row = (found == 8).then(|| 7 - index as u8);
        let mut file = 0usize;
        let mut after_digit = false;
        let mut is_readable = true;
        for (at, symbol) in text.char_indices() {
            let here = start + at..start + at + 1;
            let is_digit = matches!(symbol.to_digit(10), Some(1..=8));
            let piece = Piece::from_symbol(symbol);
            let fault = match row {
                _ if !is_digit && piece.is_none() => Some(FenFaultKind::BadPiece { found: symbol }),
                Some(row) if is_digit && after_digit && manner == Manner::Strict => {
                    Some(FenFaultKind::AdjacentDigits { rank: row + 1 })
                }
                _ => None,
            };
            if let Some(kind) = fault {
                is_readable = false;
                if fail(kind, here).is_break() {
                    return None;
                }
            }
            if let (Some(row), Some(piece), 0..8) = (row, piece, file) {
                squares[usize::from(row) * 8 + file] = Some(piece);
            }
            file += if is_digit { symbol.to_digit(10).unwrap_or(1) as usize } else { 1 };
            after_digit = is_digit;
        }
        // How wide a rank is that cannot be read is a guess.
        if let Some(row) = row
            && file != 8
            && is_readable
        {
            let kind = FenFaultKind::RankWidth { rank: row + 1, found: file };
            if fail(kind, start..start + text.len()).is_break() {
                return None;
            }
        }
        start += text.len() + 1;
    }
    is_sound.then_some(squares)
}

fn castling(field: Field<'_>, manner: Manner) -> Result<CastlingRights, FenFault> {
    if field.text == "-" {
        return Ok(CastlingRights::NONE);
    }
    let bad = || field.fault(FenFaultKind::BadCastling { found: field.quoted() });
    let mut rights = CastlingRights::NONE;
    for letter in field.text.chars() {
        let (_, color, wing) =
            CastlingRights::letters().into_iter().find(|entry| entry.0 == letter).ok_or_else(bad)?;
        rights = rights.with(color, wing);
    }
    // Letters twice or out of order do not read back as they were written.
    let wrong_order = rights.to_string() != field.text;
    if field.text.len() > 4 || wrong_order && manner == Manner::Strict {
        return Err(bad());
    }
    Ok(rights)
}

fn en_passant(field: Field<'_>) -> Result<Option<Square>, FenFault> {
    if field.text == "-" {
        return Ok(None);
    }
    match field.text.parse::<Square>() {
        Ok(square) if matches!(square.rank(), 2 | 5) => Ok(Some(square)),
        _ => Err(field.fault(FenFaultKind::BadEnPassant { found: field.quoted() })),
    }
}

/// `None` for a number that is not looked at.
fn clock(field: Field<'_>, name: &'static str, manner: Manner) -> Result<Option<u32>, FenFault> {
    let digits = field.text.bytes().all(|byte| byte.is_ascii_digit());
    match field.text.parse() {
        _ if digits && manner == Manner::Lenient => Ok(None),
        Ok(number) if digits && field.text.len() <= 9 => Ok(Some(number)),
        _ => Err(field.fault(FenFaultKind::BadClock { name, found: field.quoted() })),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn what_is_read_is_written() {
        for fen in [
            START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "8/8/8/8/k1Pp3R/8/8/2K5 b - c3 0 12",
            "4k3/8/8/8/8/8/8/R3K2R w Q - 149 5000",
        ] {
            assert_eq!(fen.parse::<Board>().map(|board| board.fen()), Ok(fen.to_string()));
        }
    }

    #[test]
    fn everything_wrong_is_found_at_once() {
        let kinds = |text: &str| -> Vec<&str> {
            inspect(text).1.iter().map(|fault| fault.kind.code().as_str()).collect()
        };
        assert_eq!(
            kinds("4k3/8/8/8/8/8/8/4K2P x Kz e9 x -1"),
            [
                "pawn-on-last-rank",
                "bad-turn",
                "bad-castling",
                "bad-en-passant",
                "out-of-range",
                "out-of-range"
            ]
        );
        assert_eq!(
            kinds("4k3/8/8/8/8/8/8/8 w KQ - x 1"),
            ["king-count", "castling-impossible", "castling-impossible", "out-of-range"]
        );
        // The whole board is looked at, and the number of the move without it.
        assert_eq!(
            kinds("rnbqkbnr/ppppxppp/y7/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 0"),
            ["bad-piece", "bad-piece", "rank-width", "out-of-range"]
        );
        assert_eq!(kinds("4k3/8/8/44/8/8/8/x3K3/9 w - - 0 1"), ["rank-count", "bad-piece", "bad-piece"]);
        assert_eq!(kinds(&format!("{} w - - 0 1", "x".repeat(1000))).len(), 64);
        // Seven queens beside eight pawns: playable, but six of them were never pawns.
        let queens = "4k3/8/8/8/8/QQQQQQ2/PPPPPPPP/3QK3 b - - 0 1";
        assert_eq!(kinds(queens), ["material-impossible"]);
        assert!(queens.parse::<Board>().is_ok());
        assert_eq!(kinds("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"), [""; 0]);
    }

    #[test]
    fn four_fields_start_the_clocks() {
        let board: Board = "4k3/8/8/8/8/8/8/4K3 b - -".parse().expect("a position");
        assert_eq!(board.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn every_fault_has_its_name_and_place() {
        let table = [
            ("", "field-count", ""),
            ("8/8/8/8/8/8/8/8 w -", "field-count", "8/8/8/8/8/8/8/8 w -"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0", "field-count", "4k3/8/8/8/8/8/8/4K3 w - - 0"),
            ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", "field-count", "4k3/8/8/8/8/8/8/4K3  w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", "field-count", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x"),
            ("4k3/8/8/8/8/8/8/4♔3 w - - 0 1", "not-ascii", "♔"),
            ("4k3/8/8/8/8/8/8/4K3 w\t- - 0 1", "not-ascii", "\t"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "rank-count", "4k3/8/8/8/8/8/4K3"),
            ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "rank-count", "4k3/8/8/8/8/8/8/8/4K3"),
            ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank-width", "7"),
            ("4k3/8/8/8p/8/8/8/4K3 w - - 0 1", "rank-width", "8p"),
            ("4k3/8/8//8/8/8/4K3 w - - 0 1", "rank-width", ""),
            ("4k3/8/44/8/8/8/8/4K3 w - - 0 1", "adjacent-digits", "4"),
            ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", "bad-piece", "9"),
            ("4k3/8/x7/8/8/8/8/4K3 w - - 0 1", "bad-piece", "x"),
            ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "bad-turn", "W"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1", "bad-castling", "QK"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "bad-castling", "KK"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "bad-castling", "HAha"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "bad-en-passant", "e4"),
            ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", "bad-en-passant", "e"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "out-of-range", "-1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "out-of-range", "+1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 4294967296 1", "out-of-range", "4294967296"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "out-of-range", "0"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "king-count", "8/8/8/8/8/8/8/4K3"),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "king-count", "4k3/8/8/8/8/8/8/K3K3"),
            ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "pawn-on-last-rank", "4k3/8/8/8/8/8/8/4K2P"),
            ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn-on-last-rank", "p3k3/8/8/8/8/8/8/4K3"),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling-impossible", "K"),
            ("4k2r/8/8/8/8/8/8/3K3R w Kk - 0 1", "castling-impossible", "Kk"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en-passant-impossible", "e3"),
            ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "en-passant-impossible", "e3"),
            ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", "en-passant-impossible", "e3"),
            ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "en-passant-impossible", "e3"),
            ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", "opponent-in-check", "4k3/8/8/8/8/8/8/4R2K"),
            ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "opponent-in-check", "8/8/8/3kK3/8/8/8/8"),
        ];
        for (fen, code, place) in table {
            let fault = fen.parse::<Board>().expect_err(fen);
            assert_eq!((fault.kind.code().as_str(), &fen[fault.span]), (code, place), "{fen}");
        }
    }

    #[test]
    fn simplified_fen_names_en_passant_only_if_legal() {
        // After 1. e4, after 1. e4 a6 2. e5 d5, and with the capturing pawn pinned along its rank.
        for (fen, written) in [
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
            ),
            (
                "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
                "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
            ),
            ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/8/8/K2pP2r/8/8/8/7k w - -"),
        ] {
            let board: Board = fen.parse().expect("a position");
            assert_eq!(board.simplified_fen(), written);
        }
    }

    #[test]
    fn lines_of_position_files() {
        for (line, fen) in [
            ("4k3/8/8/8/8/8/8/4K3 b - - 7 9", "4k3/8/8/8/8/8/8/4K3 b - - 7 9"),
            ("4k3/8/8/8/8/8/8/4K3 b - -\r", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"a b\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 12; fmvn 40;", "4k3/8/8/8/8/8/8/4K3 w - - 12 40"),
        ] {
            assert_eq!(Board::from_epd(line).map(|board| board.fen()), Ok(fen.to_string()));
        }
        for line in [
            "",
            "x",
            "4k3/8/8/8/8/8/8/4K3 w -",
            "4k3/8/8/8/8/8/8/4K3 w - - 3",
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        ] {
            assert!(Board::from_epd(line).is_err(), "{line}");
        }
    }

    #[test]
    fn inspection_names_every_fault() {
        let (setup, faults) = inspect("P3k3/8/8/8/8/8/8/4K2p w KQ e6 0 0");
        let codes: Vec<_> = faults.iter().map(|fault| fault.kind.code().as_str()).collect();
        assert!(setup.is_some());
        assert_eq!(
            codes,
            [
                "pawn-on-last-rank",
                "pawn-on-last-rank",
                "castling-impossible",
                "castling-impossible",
                "en-passant-impossible",
                "out-of-range"
            ]
        );
        assert_eq!(inspect(START_FEN).1, []);
    }

    #[test]
    fn history_is_read_leniently() {
        for (text, read) in [
            ("4k3/8/8/44/8/8/8/R3K2R w QK - 7", "4k3/8/8/8/8/8/8/R3K2R w KQ -"),
            ("4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 99999999999999", "4k3/8/8/8/8/8/8/4K2R w K -"),
        ] {
            assert_eq!(Board::from_simplified_fen(text).map(|b| b.simplified_fen()), Ok(read.to_string()));
        }
        for text in ["", "4k3/8/8/8/8/8/8/4K2R w - - x", "8/8/8/8/8/8/8/8 w - -", "4k3/8 w - -"] {
            assert!(Board::from_simplified_fen(text).is_err(), "{text}");
        }
    }
}
