//! A position in the program's memory: written from a reference board, read back, and moves between the
//! two notations.

use tempo_chess::{Board, CastlingRights, Color, Move, PieceKind, Setup, SetupFault, Square};

use crate::machine::{CallError, ChessMachine};
use crate::program::Routine;

/// Bit 7 of a `to` byte: promote to a knight.
const KNIGHT_FLAG: u8 = 0x80;
/// `enpassantsq` when there is none.
const NO_SQUARE: u8 = 0xff;

/// How much of a past is handed to the program; its history has room for 200.
const RECENT: usize = 150;

/// The 0x88 index of a square: row 0 is rank 8.
pub fn x88(square: Square) -> u8 {
    (7 - square.rank()) * 16 + square.file()
}

/// The square of a 0x88 index; `None` off the board.
pub fn from_x88(index: u8) -> Option<Square> {
    (index & 0x88 == 0).then(|| Square::new(index & 7, 7 - (index >> 4)))
}

/// A colour as the program has it.
pub fn colour_byte(color: Color) -> u8 {
    match color {
        Color::White => 0x80,
        Color::Black => 0x00,
    }
}

/// A move as the program's two bytes. Rook and bishop promotions have no code.
pub fn encode_move(mv: Move) -> Option<(u8, u8)> {
    let flag = match mv.promotion {
        None | Some(PieceKind::Queen) => 0,
        Some(PieceKind::Knight) => KNIGHT_FLAG,
        Some(_) => return None,
    };
    Some((x88(mv.from), x88(mv.to) | flag))
}

/// The program's two bytes as a move on this board; `None` if they are not squares.
pub fn decode_move(board: &Board, from: u8, to: u8) -> Option<Move> {
    let (start, goal) = (from_x88(from)?, from_x88(to & !KNIGHT_FLAG)?);
    let promotes = board.kind_at(start) == Some(PieceKind::Pawn) && matches!(goal.rank(), 0 | 7);
    let promotion = match (promotes, to & KNIGHT_FLAG != 0) {
        (false, false) => None,
        (true, false) => Some(PieceKind::Queen),
        // A knight flag where nothing promotes stays visible, as a move that no rule allows.
        (_, true) => Some(PieceKind::Knight),
    };
    Some(Move { from: start, to: goal, promotion })
}

/// The interface's variables for a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// On-board squares only, by 0x88 index; the others hold 0.
    pub board: [u8; 128],
    /// `whitekingsq`.
    pub white_king: u8,
    /// `blackkingsq`.
    pub black_king: u8,
    /// `castlerights`.
    pub castling: u8,
    /// `enpassantsq`.
    pub en_passant: u8,
    /// `SearchSide`.
    pub side: u8,
    /// `SearchDepth`.
    pub depth: u8,
    /// `HalfmoveClock`.
    pub halfmove_clock: u8,
    /// `FullmoveNumber`.
    pub fullmove_number: u16,
    /// `ZobristHash`.
    pub hash: u16,
}

impl Snapshot {
    /// The names of the variables that differ, with both values.
    pub fn differences(&self, other: &Snapshot) -> Vec<String> {
        let mut found = Vec::new();
        for (index, (ours, theirs)) in self.board.iter().zip(&other.board).enumerate() {
            if ours != theirs {
                let square = from_x88(index as u8).expect("off-board cells are equal");
                found.push(format!("Board88 at {square}: ${ours:02X}, ${theirs:02X}"));
            }
        }
        let mut scalar = |name: &str, ours: u16, theirs: u16| {
            if ours != theirs {
                found.push(format!("{name}: ${ours:02X}, ${theirs:02X}"));
            }
        };
        scalar("whitekingsq", self.white_king.into(), other.white_king.into());
        scalar("blackkingsq", self.black_king.into(), other.black_king.into());
        scalar("castlerights", self.castling.into(), other.castling.into());
        scalar("enpassantsq", self.en_passant.into(), other.en_passant.into());
        scalar("SearchSide", self.side.into(), other.side.into());
        scalar("SearchDepth", self.depth.into(), other.depth.into());
        scalar("HalfmoveClock", self.halfmove_clock.into(), other.halfmove_clock.into());
        scalar("FullmoveNumber", self.fullmove_number, other.fullmove_number);
        scalar("ZobristHash", self.hash, other.hash);
        found
    }
}

impl ChessMachine<'_> {
    /// Writes a position as a caller of the interface may: the board and the scalars, nothing private.
    pub fn set_position(&mut self, board: &Board) {
        let data = self.program.data;
        for cell in 0..128 {
            self.ram[data.board + cell] = self.program.pieces.empty;
        }
        for square in Square::all() {
            if let Some(piece) = board.piece_at(square) {
                self.ram[data.board + u16::from(x88(square))] = self.program.pieces.code(piece);
            }
        }
        self.ram[data.white_king] = x88(board.king(Color::White));
        self.ram[data.black_king] = x88(board.king(Color::Black));
        self.ram[data.castling] = board.castling().bits();
        self.ram[data.en_passant] = board.en_passant().map_or(NO_SQUARE, x88);
        self.ram[data.side] = colour_byte(board.turn());
        self.ram[data.depth] = 0;
        self.ram[data.halfmove_clock] = u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX);
        self.ram.set_word(data.fullmove_number, board.fullmove_number() as u16);
    }

    /// Starts a game in this position: empty history, hash ready, the position recorded.
    pub fn start_game(&mut self, board: &Board) -> Result<(), CallError> {
        self.continue_game(board, &[])
    }

    /// Takes up a game in this position, after the positions of `past`, oldest first.
    pub fn continue_game(&mut self, board: &Board, past: &[Board]) -> Result<(), CallError> {
        self.ram[self.program.data.history_count] = 0;
        // Older positions cannot come back: their pieces or rights differ, or the fifty-move rule is over.
        let recent = &past[past.len().saturating_sub(RECENT)..];
        for (clock, before) in (0u8..).zip(recent) {
            self.set_position(before);
            // A past has no clocks; any that counts up keeps the program from starting its history anew.
            self.ram[self.program.data.halfmove_clock] = clock;
            self.record()?;
        }
        self.set_position(board);
        self.record()
    }

    fn record(&mut self) -> Result<(), CallError> {
        self.call(Routine::ComputeZobristHash, 0, 0)?;
        self.call(Routine::RecordPosition, 0, 0)?;
        Ok(())
    }

    /// Makes a move of the game, at the root: no undo level stays in use.
    pub fn play(&mut self, mv: Move) -> Result<(), CallError> {
        let (from, to) = encode_move(mv).expect("games are played with queen and knight promotions");
        self.call(Routine::MakeMove, from, to)?;
        self.ram[self.program.data.depth] = 0;
        self.call(Routine::RecordPosition, 0, 0)?;
        Ok(())
    }

    /// Reads the present position from the program's memory.
    pub fn snapshot(&self) -> Snapshot {
        let (data, ram) = (self.program.data, &self.ram);
        let mut board = [0; 128];
        for square in Square::all() {
            board[usize::from(x88(square))] = ram[data.board + u16::from(x88(square))];
        }
        Snapshot {
            board,
            white_king: ram[data.white_king],
            black_king: ram[data.black_king],
            castling: ram[data.castling],
            en_passant: ram[data.en_passant],
            side: ram[data.side],
            depth: ram[data.depth],
            halfmove_clock: ram[data.halfmove_clock],
            fullmove_number: ram.word(data.fullmove_number),
            hash: ram.word(data.hash),
        }
    }

    /// The expected `snapshot` of a reference board, hash and depth apart, which are taken over.
    pub fn expected(&self, board: &Board, depth: u8, hash: u16) -> Snapshot {
        let mut cells = [0; 128];
        for square in Square::all() {
            cells[usize::from(x88(square))] = board
                .piece_at(square)
                .map_or(self.program.pieces.empty, |piece| self.program.pieces.code(piece));
        }
        Snapshot {
            board: cells,
            white_king: x88(board.king(Color::White)),
            black_king: x88(board.king(Color::Black)),
            castling: board.castling().bits(),
            en_passant: board.en_passant().map_or(NO_SQUARE, x88),
            side: colour_byte(board.turn()),
            depth,
            halfmove_clock: u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX),
            fullmove_number: board.fullmove_number() as u16,
            hash,
        }
    }

    /// The position as the program has it, if it is one.
    pub fn board(&self) -> Result<Board, SetupFault> {
        let (data, ram) = (self.program.data, &self.ram);
        let mut squares = [None; 64];
        for square in Square::all() {
            squares[square.index()] = self.program.pieces.piece(ram[data.board + u16::from(x88(square))]);
        }
        Setup {
            squares,
            turn: if ram[data.side] & 0x80 != 0 { Color::White } else { Color::Black },
            castling: CastlingRights::from_bits(ram[data.castling]),
            en_passant: from_x88(ram[data.en_passant]),
            halfmove_clock: ram[data.halfmove_clock].into(),
            fullmove_number: ram.word(data.fullmove_number).into(),
        }
        .board()
    }

    /// The moves in the program's list, as bytes, in its order.
    pub fn move_list(&self) -> Vec<(u8, u8)> {
        let (data, ram) = (self.program.data, &self.ram);
        (0..u16::from(ram[data.move_count]))
            .map(|i| (ram[data.move_from + i], ram[data.move_to + i]))
            .collect()
    }
}
