// constants.asm - piece codes, squares, directions and limits
//
// Provides: every number with a meaning that more than one file uses
// Uses:     nothing
//
// Whatever a caller or a test needs by name is a .label, because a symbol
// file holds labels only; the rest is .const.
#importonce

// --- Colours and pieces ----------------------------------------------------
// A piece code is colour | %0111_1000 | type. Three facts are built on it:
//  * an empty cell is 0, a guard cell is $80, and both colours can tell
//    "own piece or edge" from "free or enemy" with one sign branch:
//        white to move   lda cell        N = 1: own or guard
//        black to move   cmp cell        N = 1: own or guard   (A = a square)
//    The second form works because squares are at most $77, black codes are
//    in $78..$7F and white ones in $F8..$FF; C = 0 then means "occupied".
//  * type bit 0 is "slides on diagonals", bit 1 "slides on ranks and files":
//    code | 1 is a queen for rooks and queens, code | 2 for bishops and queens.
//  * $78..$7F and $F8..$FF are zero-page addresses too: the cell at the
//    address of a code holds the next free slot of that piece's list.
.label EMPTY_PIECE  = $00
.label GUARD_CELL   = $80

.label WHITE_COLOR  = $80
.label BLACK_COLOR  = $00

.const CODE_BITS    = %0111_1000
.const PAWN         = 0
.const BISHOP       = 1
.const ROOK         = 2
.const QUEEN        = 3
.const KNIGHT       = 4
.const KING         = 7
.const TYPE_BITS    = %0000_0111

.label BLACK_PAWN   = BLACK_COLOR | CODE_BITS | PAWN
.label BLACK_BISHOP = BLACK_COLOR | CODE_BITS | BISHOP
.label BLACK_ROOK   = BLACK_COLOR | CODE_BITS | ROOK
.label BLACK_QUEEN  = BLACK_COLOR | CODE_BITS | QUEEN
.label BLACK_KNIGHT = BLACK_COLOR | CODE_BITS | KNIGHT
.label BLACK_KING   = BLACK_COLOR | CODE_BITS | KING
.label WHITE_PAWN   = WHITE_COLOR | CODE_BITS | PAWN
.label WHITE_BISHOP = WHITE_COLOR | CODE_BITS | BISHOP
.label WHITE_ROOK   = WHITE_COLOR | CODE_BITS | ROOK
.label WHITE_QUEEN  = WHITE_COLOR | CODE_BITS | QUEEN
.label WHITE_KNIGHT = WHITE_COLOR | CODE_BITS | KNIGHT
.label WHITE_KING   = WHITE_COLOR | CODE_BITS | KING

// KeyIndex - number of a type in tables that have one part per type
.const KEY_TYPES    = 6
.function KeyIndex(type) { .return type == KING ? 5 : type }

// --- Squares ---------------------------------------------------------------
.const OFF_BOARD    = $88               // a square & OFF_BOARD is 0 on the board
.const BELOW_BOARD  = $80               // ... this below the last row, and 8 right of the board
.const ON_BOARD     = $77
.const ROW          = $10               // from a square to the one below; eor #ROW goes between the
                                        // square passed over and the pawn that passed it
.const ROW_BITS     = %0111_0000
.const RANK_8       = $00               // file a of each rank
.const RANK_7       = $10
.const RANK_6       = $20
.const RANK_5       = $30
.const RANK_4       = $40
.const RANK_3       = $50
.const RANK_2       = $60
.const RANK_1       = $70
.const FILE_BITS    = %0000_0111
.label NO_SQUARE    = $FF
.const NO_DISTANCE  = $77               // of a difference table: the entry of a square and itself
.const A8 = $00
.const C8 = $02
.const D8 = $03
.const E8 = $04
.const F8 = $05
.const G8 = $06
.const H8 = $07
.const A1 = $70
.const B1 = $71
.const C1 = $72
.const D1 = $73
.const E1 = $74
.const F1 = $75
.const G1 = $76
.const H1 = $77

// --- Move flags in a `to` byte ----------------------------------------------
.label PROMOTE_KNIGHT = $80             // clear: queen, or no promotion
.label PROMOTE_MINOR  = $08             // a player's choice: clear bit 7 = rook, set = bishop

// --- Kinds of moves, for undo: 0, or the low byte of a vector in moves/tables.asm -----------
.const KIND_QUIET           = 0
.const KIND_FIRST           = $D8
.const KIND_KING            = KIND_FIRST
.const KIND_CAPTURE         = KIND_FIRST+2
.const KIND_KING_CAPTURE    = KIND_FIRST+4
.const KIND_PAWN            = KIND_FIRST+6
.const KIND_SHORT           = KIND_FIRST+8
.const KIND_LONG            = KIND_FIRST+10
.const KIND_EN_PASSANT      = KIND_FIRST+12
.const KIND_PROMOTE         = KIND_FIRST+14
.const KIND_PROMOTE_CAPTURE = KIND_FIRST+16
.const KIND_NOTHING         = KIND_FIRST+18
.const KIND_STATE           = KIND_FIRST+20     // a quiet move that changes rights or ends en passant

// --- Castling rights ----------------------------------------------------------
.const RIGHT_WK     = %0001
.const RIGHT_WQ     = %0010
.const RIGHT_BK     = %0100
.const RIGHT_BQ     = %1000
.const RIGHTS       = %0000_1111
.const STATE_EP     = %1000_0000        // zpState: a capture en passant is possible
.const STATE_FILE   = %0111_0000        // ... on this file

// --- Directions ---------------------------------------------------------------
// 0-3 are N E S W, 4-7 are NE SE SW NW. A line code is LINE | 2*direction:
// negative, its bit 3 tells diagonals, and it is the low byte of a vector.
.const LINE         = $80
.const LINE_DIAGONAL = %0000_1000
.const KNIGHT_JUMP  = $40               // in place of a line code: a knight's jump away
.var DirStep        = List().add(-16, 1, 16, -1, -15, 17, 15, -17).lock()
.var KnightStep     = List().add(-33, -31, -18, -14, 14, 18, 31, 33).lock()
.const DIR_N        = 0
.const DIR_E        = 1
.const DIR_S        = 2
.const DIR_W        = 3
.const DIR_NE       = 4
.const DIR_SE       = 5
.const DIR_SW       = 6
.const DIR_NW       = 7

// --- Limits -------------------------------------------------------------------
.const MAX_MOVES    = 255               // MoveCount is one byte
.label MAX_HISTORY  = 200
.const MAX_PIECES   = 16                // of one colour; more take the slow path
.const MAX_PAWNS    = 8
.const MAX_MINORS   = 10                // knights, bishops or rooks: two and eight promoted
.const MAX_QUEENS   = 9

// --- Values of the search: hundredths of a pawn, for the side to move ---
.const MATE         = 15000             // less the plies until then
.const INFINITE     = 16000
.const MATE_RANGE   = $3A00             // values from here on are mates
.const MAX_LEVEL    = 20                // deepest iteration

// --- Game states ----------------------------------------------------------------
.label GAME_NORMAL        = 0
.label GAME_CHECK         = 1
.label GAME_CHECKMATE     = 2
.label GAME_STALEMATE     = 3
.label GAME_DRAW_50       = 4
.label GAME_DRAW_REPEAT   = 5
.label GAME_DRAW_MATERIAL = 6
.const FIFTY_MOVES        = 100         // plies

// --- Time ---
.const CLOCK_PAL    = 985248            // cycles of a second
.const TIME_UNIT    = 1024              // cycles of SearchTime's unit

// --- Hardware ---------------------------------------------------------------------
.label CPU_PORT     = $01
.const ALL_RAM_IO   = $35               // no ROM, I/O visible: the program's home
.const ALL_RAM      = $34               // RAM instead of the I/O chips, too
.const CIA2_TIMER_A   = $DD04
.const CIA2_TIMER_B   = $DD06
.const CIA2_CONTROL_A = $DD0E
.const CIA2_CONTROL_B = $DD0F
