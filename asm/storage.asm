// storage.asm - the RAM of the program
//
// Provides: the public data of the call interface, the private boards and lists;
//           macros for RAM that is not loaded: SearchSpace, NodeSpace, UndoSpace,
//           HistorySpace
// Uses:     constants.asm
//
// The public names are what a caller reads and writes. Everything private is
// rebuilt from them by SyncPosition; only the guard cells around and inside
// Work are taken as they were loaded, and nothing writes to those.
#importonce

// PadTo - go on at an offset of the page
.macro PadTo(offset) {
        .errorif (* & $FF) > offset, "the space before offset $" + toHexString(offset) + " is full"
        .fill offset - (* & $FF), 0
}
.const UNDO_PLIES = 64          // moves MakeMoveSynced can make before one is taken back

// --- Public scalars ----------------------------------------------------------
.align $100
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
PerftCount:     .byte 0, 0, 0, 0        // leaves Perft counted, low byte first
StartState:     .byte $FF       // what Start found
HistoryStored:  .byte 0         // positions the history knows exactly
HistoryEnd:     .word HistoryChanges    // the end of their changes
BookOn:         .byte 0         // FindBestMove: not 0: the book may answer
BookSeed:       .byte 1         // ... and picks among its moves by this number, which changes

// --- Boards ---------------------------------------------------------------
// Row 0 sits at offset $70 of a page: base address plus index then stays in
// the page for every step a piece can take, bar the longest diagonal. Rows of
// guards lie above and below; Work has guards right of the board as well.
        PadTo($40)
BoardGuardAbove:
        .fill $30, GUARD_CELL
Board88:
        .fill $80, EMPTY_PIECE  // the public board, 0x88
        .fill $20, GUARD_CELL
PinSquare:      .fill 8, 0      // pins of the side to move, at most one in each direction
PinSlot:        .fill 8, 0
PinCode:        .fill 8, 0
        PadTo($40)
WorkGuardAbove:
        .fill $30, GUARD_CELL
Work:                           // the private board
    .for (var row = 0; row < 8; row++) {
        .fill 8, EMPTY_PIECE
        .fill 8, GUARD_CELL
    }
        .fill $20, GUARD_CELL   // a knight's jump down
        .errorif (<Board88) != $70 || (<Work) != $70, "the boards must sit at offset $70 of a page"

// --- Move list, undo of the private position, slots --------------------------------
// Move lists are page-aligned, with a spare byte behind them for two-byte stores: entry
// 256 of a list that no game can have lands there. Undo has one entry per ply.
        PadTo($40)
PlyHashLo:      .fill UNDO_PLIES, 0
PlyHashHi:      .fill UNDO_PLIES, 0
PlyScoreLo:     .fill UNDO_PLIES, 0
MoveListFrom:   .fill $100, 0
        .fill 1, 0
        PadTo($40)
PlyScoreHi:     .fill UNDO_PLIES, 0
PlyState:       .fill UNDO_PLIES, 0
PlyClock:       .fill UNDO_PLIES, 0
MoveListTo:     .fill $100, 0
        .fill 1, 0
        PadTo($40)
PlyKind:        .fill UNDO_PLIES, 0     // one of KIND_...
PlyCode:        .fill UNDO_PLIES, 0     // captured piece
PlySlot:        .fill UNDO_PLIES, 0     // ... and the slot it had
PieceSlot:      .fill $100, zpOverflowSlot  // slot of the piece on a square: a zero-page address.
                                        // Index NO_SQUARE is written by undo
PlyPawnSlot:    .fill UNDO_PLIES, 0     // slot of a promoted pawn
        .errorif (<PieceSlot) != 0 || (<MoveListTo) != 0 || (<MoveListFrom) != 0, "page alignment"

// --- RAM that is not loaded ------------------------------------------------------------
// main.asm places these macros in virtual blocks; their labels go to the root scope (@).
.const CHANGE_SPACE = $600              // 199 changes of a quiet move, and a long one
.const MAX_NODE     = 16                // plies the search can look ahead
.const NODE_MOVES   = $400              // moves of all nodes on the path

// SearchSpace - what the search keeps for each node of the path
.macro SearchSpace() {
@MoveKey:       .fill $100, 0           // sort keys of the generated list
@NodeKey:       .fill $100, 0           // ... and of the node's list while it is sorted
@NodeBaseLo:    .fill MAX_NODE, 0       // where a node's list begins
@NodeBaseHi:    .fill MAX_NODE, 0
@NodeIndex:     .fill MAX_NODE, 0       // the move being searched
@NodeTotal:     .fill MAX_NODE, 0
@NodeDepth:     .fill MAX_NODE, 0       // plies left
@NodeAlphaLo:   .fill MAX_NODE+1, 0
@NodeAlphaHi:   .fill MAX_NODE+1, 0
@NodeBetaLo:    .fill MAX_NODE+1, 0
@NodeBetaHi:    .fill MAX_NODE+1, 0
@RootFrom:      .byte 0                 // best move of the running iteration
@RootTo:        .byte 0
        .errorif (<MoveKey) != 0, "page alignment"
}

// NodeSpace - move lists of the path, one behind the other
.macro NodeSpace() {
@NodeFrom:      .fill NODE_MOVES, 0
@NodeTo:        .fill NODE_MOVES, 0
}

// UndoSpace - what MakeMove saves of the public position, by SearchDepth, and the
// latest position of the history
.macro UndoSpace() {
@PublicHashLo:  .fill $100, 0
@PublicHashHi:  .fill $100, 0
@PublicRights:  .fill $100, 0
@PublicEp:      .fill $100, 0
@PublicClock:   .fill $100, 0
@PublicKind:    .fill $100, 0           // one of KIND_...
@PublicCode:    .fill $100, 0           // captured piece
@HistoryLast:   .fill $80, 0            // see history.asm
        .errorif (<PublicHashLo) != 0, "page alignment"
}
.label SavedZeroPage = PublicHashLo     // Start saves BASIC's zero page while no move can be undone

// HistorySpace - hashes of the game's positions, and the changes between them
.macro HistorySpace() {
@HistoryChanges: .fill CHANGE_SPACE, 0
@PositionHistoryLo:
        .fill MAX_HISTORY, 0
@PositionHistoryHi:
        .fill MAX_HISTORY, 0
}
