//! Pieces on squares that may or may not be a position, and the checks that make a [`Board`] of them.
//! FEN and the agent protocol both read into a `Setup`; neither checks positions itself.

use thiserror::Error;

use super::types::KING_FILE;
use super::{Bitboard, Board, CastlingRights, Code, Color, Piece, PieceKind, Square, Wing, zobrist};

/// A position as written down, unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The pieces by [`Square::index`].
    pub squares: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square a pawn passed over in the last move, if it made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move, 1 at the start; it grows after Black's move.
    pub fullmove_number: u32,
}

/// Why a setup is not a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupFault {
    /// A side has no king, or more than one.
    #[error("{} has {count} kings, a position has one", color.name())]
    KingCount {
        /// The side.
        color: Color,
        /// How many it has.
        count: u32,
    },
    /// A pawn on rank 1 or 8.
    #[error("a pawn is on {square}: pawns are never on ranks 1 and 8")]
    PawnOnLastRank {
        /// Its square.
        square: Square,
    },
    /// A castling right without king or rook on its home square.
    #[error("{} cannot castle {}: {}", color.name(), wing.name(), missing_for_castling(*.color, *.wing, *.king_at_home))]
    CastlingImpossible {
        /// The side that has the right.
        color: Color,
        /// The wing.
        wing: Wing,
        /// Whether the king is there, so that the rook is missing.
        king_at_home: bool,
    },
    /// An en passant square that no double step can have left.
    #[error("no pawn can have passed over {square}: {reason}")]
    EnPassantImpossible {
        /// The square.
        square: Square,
        /// The contradiction.
        reason: EnPassantReason,
    },
    /// More promoted pieces than pawns are missing. Such a position can be played but not reached.
    #[error("{} has {pieces} pieces that must be promoted pawns, beside {pawns} pawns: eight pawns make {} at most", color.name(), 8_u32.saturating_sub(*.pawns))]
    MaterialImpossible {
        /// The side.
        color: Color,
        /// Pieces beyond those of the start.
        pieces: u32,
        /// Its pawns.
        pawns: u32,
    },
    /// The number of the move is 0.
    #[error("the full move number is 0, it starts at 1")]
    FullmoveNumberZero,
    /// The side that has just moved is in check.
    #[error("it is {}'s turn and {} is in check", turn.name(), (!*.turn).name())]
    OpponentInCheck {
        /// The side to move.
        turn: Color,
    },
}

/// The contradiction of an en passant square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EnPassantReason {
    /// It is not on the rank that the opponent's pawns pass over.
    #[error("with White to move it lies on rank 6, with Black to move on rank 3")]
    WrongRank,
    /// A piece is on it.
    #[error("it is occupied")]
    Occupied,
    /// A piece is where the pawn came from.
    #[error("the square the pawn would have come from is occupied")]
    OriginOccupied,
    /// No pawn is where the double step ended.
    #[error("no enemy pawn is in front of it")]
    NoPawn,
}

fn missing_for_castling(color: Color, wing: Wing, king_at_home: bool) -> String {
    let rank = color.home_rank();
    if king_at_home {
        format!("there is no {} rook on {}", color.name(), Square::new(wing.rook_file(), rank))
    } else {
        format!("its king is not on {}", Square::new(KING_FILE, rank))
    }
}

impl SetupFault {
    /// The stable name of the fault, the same as in the agent protocol.
    pub fn code(&self) -> Code {
        match self {
            SetupFault::KingCount { .. } => Code::KingCount,
            SetupFault::PawnOnLastRank { .. } => Code::PawnOnLastRank,
            SetupFault::CastlingImpossible { .. } => Code::CastlingImpossible,
            SetupFault::EnPassantImpossible { .. } => Code::EnPassantImpossible,
            SetupFault::MaterialImpossible { .. } => Code::MaterialImpossible,
            SetupFault::FullmoveNumberZero => Code::OutOfRange,
            SetupFault::OpponentInCheck { .. } => Code::OpponentInCheck,
        }
    }
}

impl Default for Setup {
    /// An empty board, White to move.
    fn default() -> Setup {
        Setup {
            squares: [None; 64],
            turn: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

impl Setup {
    /// The position, or the first fault.
    pub fn board(&self) -> Result<Board, SetupFault> {
        self.check_material()?;
        self.check_castling()?;
        self.check_en_passant()?;
        self.check_clocks()?;
        self.check_opponent()
    }

    /// Every fault, in the order of checking, and material that no game leads to, which [`Setup::board`] lets pass: it can
    /// be played. Check is looked for only where there is one king each.
    pub fn faults(&self) -> Vec<SetupFault> {
        let mut faults: Vec<SetupFault> = self.king_faults().chain(self.pawn_faults()).collect();
        faults.extend(self.material_faults());
        let kings_stand = self.king_faults().next().is_none();
        faults.extend(self.castling_faults());
        faults.extend(self.check_en_passant().err());
        faults.extend(self.check_clocks().err());
        if kings_stand {
            faults.extend(self.check_opponent().err());
        }
        faults
    }

    /// One king each, no pawn on the end ranks.
    pub fn check_material(&self) -> Result<(), SetupFault> {
        self.king_faults().chain(self.pawn_faults()).next().map_or(Ok(()), Err)
    }

    /// A right needs king and rook on their home squares.
    pub fn check_castling(&self) -> Result<(), SetupFault> {
        self.castling_faults().next().map_or(Ok(()), Err)
    }

    /// An en passant square must be one that a double step has just passed over.
    pub fn check_en_passant(&self) -> Result<(), SetupFault> {
        let Some(square) = self.en_passant else { return Ok(()) };
        match self.en_passant_fault(square) {
            Some(reason) => Err(SetupFault::EnPassantImpossible { square, reason }),
            None => Ok(()),
        }
    }

    /// The number of the move must not be 0.
    pub fn check_clocks(&self) -> Result<(), SetupFault> {
        if self.fullmove_number == 0 { Err(SetupFault::FullmoveNumberZero) } else { Ok(()) }
    }

    /// The last check, made on the board: the side that is not to move is not in check.
    /// Call it when the others have passed.
    pub fn check_opponent(&self) -> Result<Board, SetupFault> {
        let board = self.assemble();
        if board.is_attacked(board.king(!self.turn), self.turn) {
            return Err(SetupFault::OpponentInCheck { turn: self.turn });
        }
        Ok(board)
    }

    /// Drops castling rights and an en passant square that the pieces contradict.
    pub fn drop_impossible(&mut self) {
        for (_, color, wing) in CastlingRights::letters() {
            if !self.may_have_right(color, wing) {
                self.castling = self.castling.without(color, wing);
            }
        }
        if self.check_en_passant().is_err() {
            self.en_passant = None;
        }
    }

    fn king_faults(&self) -> impl Iterator<Item = SetupFault> {
        Color::ALL.into_iter().filter_map(|color| {
            let king = Some(Piece { color, kind: PieceKind::King });
            let count = self.squares.iter().filter(|&&piece| piece == king).count() as u32;
            (count != 1).then_some(SetupFault::KingCount { color, count })
        })
    }

    fn pawn_faults(&self) -> impl Iterator<Item = SetupFault> {
        Bitboard::END_RANKS
            .filter(|square| self.squares[square.index()].is_some_and(|piece| piece.kind == PieceKind::Pawn))
            .map(|square| SetupFault::PawnOnLastRank { square })
    }

    /// A side starts with eight pawns, and each piece beyond the start was one of them.
    fn material_faults(&self) -> impl Iterator<Item = SetupFault> {
        let start =
            [(PieceKind::Queen, 1), (PieceKind::Rook, 2), (PieceKind::Bishop, 2), (PieceKind::Knight, 2)];
        Color::ALL.into_iter().filter_map(move |color| {
            let count = |kind| {
                let piece = Some(Piece { color, kind });
                self.squares.iter().filter(|&&found| found == piece).count() as u32
            };
            let pawns = count(PieceKind::Pawn);
            let pieces: u32 = start.into_iter().map(|(kind, most)| count(kind).saturating_sub(most)).sum();
            (pawns + pieces > 8).then_some(SetupFault::MaterialImpossible { color, pieces, pawns })
        })
    }

    fn castling_faults(&self) -> impl Iterator<Item = SetupFault> {
        let claimed = CastlingRights::letters()
            .into_iter()
            .filter(|&(_, color, wing)| self.castling.has(color, wing) && !self.may_have_right(color, wing));
        claimed.map(|(_, color, wing)| {
            let king_at_home = self.has(Square::new(KING_FILE, color.home_rank()), color, PieceKind::King);
            SetupFault::CastlingImpossible { color, wing, king_at_home }
        })
    }

    fn may_have_right(&self, color: Color, wing: Wing) -> bool {
        let rank = color.home_rank();
        self.has(Square::new(KING_FILE, rank), color, PieceKind::King)
            && self.has(Square::new(wing.rook_file(), rank), color, PieceKind::Rook)
    }

    fn en_passant_fault(&self, square: Square) -> Option<EnPassantReason> {
        let enemy = !self.turn;
        if square.rank() != self.turn.en_passant_rank() {
            return Some(EnPassantReason::WrongRank);
        }
        let origin = Square::new(square.file(), enemy.pawn_rank());
        let front = Square::new(square.file(), (square.rank() as i8 + enemy.forward()) as u8);
        if self.squares[square.index()].is_some() {
            Some(EnPassantReason::Occupied)
        } else if self.squares[origin.index()].is_some() {
            Some(EnPassantReason::OriginOccupied)
        } else if !self.has(front, enemy, PieceKind::Pawn) {
            Some(EnPassantReason::NoPawn)
        } else {
            None
        }
    }

    fn has(&self, square: Square, color: Color, kind: PieceKind) -> bool {
        self.squares[square.index()] == Some(Piece { color, kind })
    }

    fn assemble(&self) -> Board {
        let mut board = Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            hash: zobrist::turn(self.turn) ^ zobrist::castling(self.castling),
        };
        for square in Square::all() {
            if let Some(piece) = self.squares[square.index()] {
                board.toggle(piece, square);
            }
        }
        board
    }
}

impl From<&Board> for Setup {
    fn from(board: &Board) -> Setup {
        let mut squares = [None; 64];
        for square in Square::all() {
            squares[square.index()] = board.piece_at(square);
        }
        Setup {
            squares,
            turn: board.turn,
            castling: board.castling,
            en_passant: board.en_passant,
            halfmove_clock: board.halfmove_clock,
            fullmove_number: board.fullmove_number,
        }
    }
}
