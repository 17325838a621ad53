//! The program's image and the places in it that the call interface names.
//! Knows the names of the interface; `machine` calls the routines.

use tempo_chess::{Color, Piece, PieceKind};
use tempo_emu::Ram;
use tempo_formats::symbols::Symbols;
use thiserror::Error;

/// An assembled chess program, ready to be copied into machines.
#[derive(Debug, Clone)]
pub struct Program {
    /// Memory with the program loaded.
    pub image: Box<Ram>,
    /// All labels of the program.
    pub symbols: Symbols,
    /// Where the variables of the interface are.
    pub data: Data,
    /// The bytes that stand for pieces.
    pub pieces: Pieces,
    routines: [u16; Routine::ALL.len()],
}

/// A place that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its label.
    pub name: &'static str,
    /// Its address.
    pub address: u16,
}

/// Why bytes and symbols are not a chess program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The file is too short for a load address and one byte of code.
    #[error("the program file is only {0} bytes long; a load address and code are needed")]
    TooShort(usize),
    /// The file reaches beyond the end of memory.
    #[error("{0}")]
    DoesNotFit(#[from] tempo_emu::LoadError),
    /// A label of the interface is not there.
    #[error("the symbol `{0}` of the call interface is missing")]
    MissingSymbol(&'static str),
    /// A label of the interface has a value that does not fit.
    #[error("the symbol `{name}` is {value}, which is not an address or byte")]
    BadSymbol {
        /// The label.
        name: &'static str,
        /// Its value.
        value: i64,
    },
    /// A piece code whose bit 7 is that of the other colour.
    #[error(
        "`{name}` = ${value:02X} breaks the promise that bit 7 is set on white pieces and clear on black ones"
    )]
    WrongColourBit {
        /// The label of the code.
        name: &'static str,
        /// The code.
        value: u8,
    },
}

macro_rules! routines {
    ($($name:ident),* $(,)?) => {
        /// The routines of the call interface.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Routine {
            $(
                #[doc = concat!("`", stringify!($name), "`.")]
                $name,
            )*
        }

        impl Routine {
            /// All routines.
            pub const ALL: &[Routine] = &[$(Routine::$name),*];

            /// The label in the program.
            pub fn name(self) -> &'static str {
                match self { $(Routine::$name => stringify!($name)),* }
            }
        }
    };
}

routines! {
    InitZobristTables, SyncPosition, GenerateLegalMovesSynced, ComputeZobristHash, ClearMoveList, AddMove,
    GetMove, GeneratePawnMoves, GenerateKnightMoves, GenerateBishopMoves, GenerateRookMoves,
    GenerateQueenMoves, GenerateKingMoves, GenerateAllMoves, GenerateLegalMoves, IsSquareAttacked,
    IsKingInCheck, MakeMove, UnmakeMove, UpdateHalfmoveClock, RecordPosition, CheckRepetition,
    CheckFiftyMoveRule, CheckInsufficientMaterial, CheckGameState, FindBestMove,
}

macro_rules! data {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// The addresses of the interface's variables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Data {
            $(
                #[doc = concat!("The address of `", $name, "`.")]
                pub $field: u16,
            )*
        }

        impl Data {
            fn from_symbols(symbols: &Symbols) -> Result<Data, ProgramError> {
                Ok(Data { $($field: address(symbols, $name)?),* })
            }
        }
    };
}

data! {
    board = "Board88",
    white_king = "whitekingsq",
    black_king = "blackkingsq",
    castling = "castlerights",
    en_passant = "enpassantsq",
    side = "SearchSide",
    depth = "SearchDepth",
    halfmove_clock = "HalfmoveClock",
    fullmove_number = "FullmoveNumber",
    hash = "ZobristHash",
    history_lo = "PositionHistoryLo",
    history_hi = "PositionHistoryHi",
    history_count = "HistoryCount",
    move_count = "MoveCount",
    move_from = "MoveListFrom",
    move_to = "MoveListTo",
    best_from = "BestMoveFrom",
    best_to = "BestMoveTo",
}

/// The piece codes the program chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    /// The code of an empty square.
    pub empty: u8,
    codes: [[u8; 6]; 2],
}

impl Pieces {
    fn from_symbols(symbols: &Symbols) -> Result<Pieces, ProgramError> {
        const NAMES: [[&str; 6]; 2] = [
            ["WHITE_PAWN", "WHITE_KNIGHT", "WHITE_BISHOP", "WHITE_ROOK", "WHITE_QUEEN", "WHITE_KING"],
            ["BLACK_PAWN", "BLACK_KNIGHT", "BLACK_BISHOP", "BLACK_ROOK", "BLACK_QUEEN", "BLACK_KING"],
        ];
        let mut codes = [[0; 6]; 2];
        for (color, names) in NAMES.iter().enumerate() {
            for (kind, name) in names.iter().enumerate() {
                let value = byte(symbols, name)?;
                if (value & 0x80 != 0) != (color == 0) {
                    return Err(ProgramError::WrongColourBit { name, value });
                }
                codes[color][kind] = value;
            }
        }
        Ok(Pieces { empty: byte(symbols, "EMPTY_PIECE")?, codes })
    }

    /// The code of a piece.
    pub fn code(&self, piece: Piece) -> u8 {
        self.codes[color_index(piece.color)][kind_index(piece.kind)]
    }

    /// The piece a code stands for; `None` for an empty square and for codes that mean nothing.
    pub fn piece(&self, code: u8) -> Option<Piece> {
        Color::ALL.into_iter().find_map(|color| {
            let kind = self.codes[color_index(color)].iter().position(|&known| known == code)?;
            Some(Piece { color, kind: PieceKind::ALL[kind] })
        })
    }
}

fn color_index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

fn kind_index(kind: PieceKind) -> usize {
    PieceKind::ALL.iter().position(|&known| known == kind).expect("every kind is listed")
}

impl Program {
    /// From a program file (load address first) and its symbols.
    pub fn from_prg(prg: &[u8], symbols: Symbols) -> Result<Program, ProgramError> {
        let [lo, hi, bytes @ ..] = prg else { return Err(ProgramError::TooShort(prg.len())) };
        if bytes.is_empty() {
            return Err(ProgramError::TooShort(prg.len()));
        }
        let mut image = Box::new(Ram::new());
        image.load(u16::from_le_bytes([*lo, *hi]), bytes)?;
        let mut routines = [0; Routine::ALL.len()];
        for (slot, routine) in routines.iter_mut().zip(Routine::ALL) {
            *slot = address(&symbols, routine.name())?;
        }
        let data = Data::from_symbols(&symbols)?;
        let pieces = Pieces::from_symbols(&symbols)?;
        Ok(Program { image, symbols, data, pieces, routines })
    }

    /// An entry point by its label, for routines that are not part of the interface.
    pub fn entry(&self, name: &'static str) -> Option<Entry> {
        let address = u16::try_from(self.symbols.get(name)?).ok()?;
        Some(Entry { name, address })
    }

    /// Where a routine begins.
    pub fn routine(&self, routine: Routine) -> u16 {
        self.routines[routine as usize]
    }
}

fn address(symbols: &Symbols, name: &'static str) -> Result<u16, ProgramError> {
    let value = symbols.get(name).ok_or(ProgramError::MissingSymbol(name))?;
    u16::try_from(value).map_err(|_| ProgramError::BadSymbol { name, value })
}

fn byte(symbols: &Symbols, name: &'static str) -> Result<u8, ProgramError> {
    let value = symbols.get(name).ok_or(ProgramError::MissingSymbol(name))?;
    u8::try_from(value).map_err(|_| ProgramError::BadSymbol { name, value })
}
