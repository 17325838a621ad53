// storage.asm - the RAM of the program
//
// Provides: the public data of the call interface, the private boards and lists;
//           macros for RAM that is not loaded: SearchSpace, HistorySpace
// Uses:     constants.asm
//
// The public names are what a caller reads and writes. Everything private is
// rebuilt from them by SyncPosition; only the guard cells around and inside
// Work are taken as they were loaded, and nothing writes to those.
#importonce

// --- Boards ---------------------------------------------------------------
// Row 0 sits at offset $70 of a page: base address plus index then stays in
// the page for every step a piece can take, bar the longest diagonal. Rows of
// guards lie above and below; Work has guards right of the board as well.
.align $100
        .fill $40, 0
BoardGuardAbove:
        .fill $30, GUARD_CELL
Board88:
        .fill $80, EMPTY_PIECE  // the public board, 0x88
        .fill $20, GUARD_CELL
        .fill $30, 0
WorkGuardAbove:
        .fill $30, GUARD_CELL
Work:                           // the private board
    .for (var row = 0; row < 8; row++) {
        .fill 8, EMPTY_PIECE
        .fill 8, GUARD_CELL
    }
        .fill $30, GUARD_CELL
        .errorif (<Board88) != $70 || (<Work) != $70, "the boards must sit at offset $70 of a page"

// --- Public scalars ----------------------------------------------------------
whitekingsq:    .byte E1
blackkingsq:    .byte E8
castlerights:   .byte RIGHTS
enpassantsq:    .byte NO_SQUARE
SearchSide:     .byte WHITE_COLOR
SearchDepth:    .byte 0
HalfmoveClock:  .byte 0
FullmoveNumber: .word 1
ZobristHash:    .word 0
HistoryCount:   .byte 0
MoveCount:      .byte 0
BestMoveFrom:   .byte NO_SQUARE
BestMoveTo:     .byte 0
SearchLevel:    .byte 2         // FindBestMove: full-width plies, 1 to 8
SearchNodes:    .byte 0, 0, 0   // FindBestMove: nodes at most, 24 bits; 0 = no limit
NodeCount:      .byte 0, 0, 0   // nodes of the last search

// --- Pins of the side to move, at most one in each direction ------------------
PinSquare:      .fill 8, 0
PinSlot:        .fill 8, 0
PinCode:        .fill 8, 0

// --- History of hashes ----------------------------------------------------------
HistoryBase:    .byte 0         // entry 0 of the history is this packed position
PositionHistoryLo:
        .fill MAX_HISTORY, 0
PositionHistoryHi:
        .fill MAX_HISTORY, 0
PackedNow:      .fill 34, 0     // the current position, packed

// --- Move list: page-aligned, one spare page end for two-byte stores -------------
.align $100
MoveListFrom:   .fill $100, 0
MoveListFromEnd:
        .fill 1, 0              // a store to entry 256 of a hopeless list lands here
.align $100
MoveListTo:     .fill $100, 0
        .fill 1, 0

.align $100
MoveKey:        .fill $100, 0   // the search's sort keys of the list

// --- Slot of the piece on a square: a zero-page address ---------------------------
.align $100
PieceSlot:      .fill $100, zpOverflowSlot  // index NO_SQUARE is written by undo
        .errorif (<PieceSlot) != 0 || (<MoveListTo) != 0 || (<MoveListFrom) != 0, "page alignment"

// --- Undo, one entry per ply; indexes wrap at 256 -----------------------------------
PlyHashLo:      .fill $100, 0
PlyHashHi:      .fill $100, 0
PlyScoreLo:     .fill $100, 0
PlyScoreHi:     .fill $100, 0
PlyState:       .fill $100, 0
PlyClock:       .fill $100, 0
PlyKind:        .fill $100, 0   // one of KIND_...
PlyCode:        .fill $100, 0   // captured piece
PlySlot:        .fill $100, 0   // ... and the slot it had
PlyPawnSlot:    .fill $100, 0   // slot of a promoted pawn
// What the public MakeMove saves of the public scalars.
PublicHashLo:   .fill $100, 0
PublicHashHi:   .fill $100, 0
PublicRights:   .fill $100, 0
PublicEp:       .fill $100, 0
PublicClock:    .fill $100, 0

// --- RAM that is not loaded ------------------------------------------------------------
// main.asm places these macros in virtual blocks; their labels go to the root scope (@).
.const PACKED_SIZE  = 34                // 32 bytes of board, state, side
.const MAX_NODE     = 16                // plies the search can look ahead
.const NODE_MOVES   = $500              // moves of all nodes on the path

.macro SearchSpace() {
@NodeFrom:      .fill NODE_MOVES, 0     // move lists of the path, one behind the other
@NodeTo:        .fill NODE_MOVES, 0
@NodeKey:       .fill NODE_MOVES, 0     // sort keys
@NodeBaseLo:    .fill MAX_NODE, 0       // where a node's list begins
@NodeBaseHi:    .fill MAX_NODE, 0
@NodeIndex:     .fill MAX_NODE, 0       // the move being searched
@NodeTotal:     .fill MAX_NODE, 0
@NodeDepth:     .fill MAX_NODE, 0       // plies left
@NodeAlphaLo:   .fill MAX_NODE+1, 0
@NodeAlphaHi:   .fill MAX_NODE+1, 0
@NodeBetaLo:    .fill MAX_NODE+1, 0
@NodeBetaHi:    .fill MAX_NODE+1, 0
}

.macro HistorySpace() {
@PackedHistory: .fill MAX_HISTORY*PACKED_SIZE, 0
@SavedZeroPage: .fill $100, 0
}
