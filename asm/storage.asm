// storage.asm - the RAM of the program
//
// Provides: the public data of the call interface, the private boards and lists;
//           macros for memory that is not loaded: LowSpace, PathSpace, NodeSpace, UndoSpace,
//           HistorySpace
// Uses:     constants.asm, data/mating.asm (two tables that fit between these)
//
// The public names are what a caller reads and writes. Everything private is
// rebuilt from them by SyncPosition; only the guard cells around and inside
// Work are taken as they were loaded, and nothing writes to those.
#importonce
#import "data/mating.asm"

// PadTo - go on at an offset of the page
.macro PadTo(offset) {
        .errorif offset != 0 && (* & $FF) > offset, "the space before offset $" + toHexString(offset) + " is full"
        .fill (offset - *) & $FF, 0
}
.const LINE_MOVES = 8           // moves of a line that are kept
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
SearchLevel:    .byte 2         // FindBestMove: full-width plies, 1 to MAX_LEVEL
SearchNodes:    .byte 0, 0, 0   // FindBestMove: nodes at most, 24 bits; 0 = no limit
NodeCount:      .byte 0, 0, 0   // nodes of the last search
SearchStop:     .byte 0         // not 0: move now. Set while the search runs
SearchTime:     .byte 0, 0, 0   // time at most, in units of TIME_UNIT cycles; 0 = no limit
SearchSoft:     .word 0         // time after which no iteration begins that can be left out, in 256 units; 0 = none
SearchSkill:    .byte 0         // 0 = full strength; 1 to 7 overlook more and more answers
SearchPonder:   .byte 0         // not 0: think on without limits
SearchReached:  .byte 0         // last complete iteration
SearchDoing:    .byte 0         // the one that is running
SearchValue:    .word 0         // value of the answer, for the side to move
LineLength:     .byte 0         // the line the answer begins
LineFrom:       .fill LINE_MOVES, 0
LineTo:         .fill LINE_MOVES, 0
PerftCount:     .byte 0, 0, 0, 0        // leaves Perft counted, low byte first
StartState:     .byte $FF       // what Start found
HistoryStored:  .byte 0         // positions the history knows exactly
HistoryEnd:     .word HistoryChanges    // the end of their changes
BookOn:         .byte 0         // FindBestMove: not 0: the book may answer
BookSeed:       .byte 1         // ... and picks among its moves by this number, which changes

// --- Boards ---------------------------------------------------------------
// Row 0 sits at offset $70 of a page: base address plus index then stays in
// the page for every step a piece can take, bar the longest diagonal. Rows of
// guards are above and below; Work has guards right of the board as well.
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
PlySlot:        .fill UNDO_PLIES, 0     // undo: slot of the captured piece
        PadTo($5F)
        .fill $11, GUARD_CELL   // a king's step up from the first row, index modulo 256
        .errorif (<Board88) != $70 || (<Work) != $70, "the boards must sit at offset $70 of a page"

// --- Move list, undo of the private position, slots --------------------------------
// Move lists are page-aligned, with a spare byte after them for two-byte stores: entry
// 256 of a list that no game can have lands there. Undo has one entry per ply.
PlyHashLo:      .fill UNDO_PLIES, 0
PlyHashHi:      .fill UNDO_PLIES, 0
        PadTo(0)
MoveListFrom:   .fill $100, 0
        .fill 1, 0
PlyScoreLo:     .fill UNDO_PLIES, 0
PlyScoreHi:     .fill UNDO_PLIES, 0
PlyState:       .fill UNDO_PLIES, 0
        MatingBareTable()       // here, because it fits before the next page
        PadTo(0)
MoveListTo:     .fill $100, 0
        .fill 1, 0
PlyClock:       .fill UNDO_PLIES, 0
PlyKind:        .fill UNDO_PLIES, 0     // one of KIND_...
PlyCode:        .fill UNDO_PLIES, 0     // captured piece
        MatingKingsTable()
        PadTo(0)
PieceSlot:      .fill $100, zpOverflowSlot  // slot of the piece on a square: a zero-page address.
                                        // Index NO_SQUARE is written by undo
        .errorif (<PieceSlot) != 0 || (<MoveListTo) != 0 || (<MoveListFrom) != 0, "page alignment"

// --- RAM that is not loaded ------------------------------------------------------------
// main.asm places these macros in virtual blocks; their labels go to the root scope (@).
.const CHANGE_SPACE = $600              // 199 changes of a quiet move, and a long one
.const MAX_PLY      = 30                // plies the search can look ahead
.const PLIES        = MAX_PLY+1
.const QUIETS       = $200              // listed moves of all full nodes on the path
.const TERMS        = 7                 // terms of the evaluation, see ai/blend.asm
.const COUNTS       = 5                 // kinds of pieces that are counted
.label BucketFrom   = MoveListFrom      // captures by victim, see moves/captures.asm
.label BucketTo     = MoveListTo

// LowSpace - pages 2 and 3: keys while moves are sorted
.macro LowSpace() {
@MoveKey:       .fill $100, 0           // sort keys of the generated list
@NodeKey:       .fill $100, 0           // ... and of the node's list
        .errorif (<MoveKey) != 0, "page alignment"
}

// PathSpace - what the search keeps for each ply of the path
.macro PathSpace() {
@NodeBaseLo:    .fill PLIES, 0          // where a node's listed moves begin
@NodeBaseHi:    .fill PLIES, 0
@NodeIndex:     .fill PLIES, 0          // the listed move being searched
@NodeTotal:     .fill PLIES, 0
@NodeDepth:     .fill PLIES, 0          // plies left
@NodeAlphaLo:   .fill PLIES, 0
@NodeAlphaHi:   .fill PLIES, 0
@NodeBetaLo:    .fill PLIES, 0
@NodeBetaHi:    .fill PLIES, 0
@NodeCheck:     .fill PLIES, 0          // not 0: in check
@NodeNull:      .fill PLIES, 0          // not 0: after a null move
@NodeClock:     .fill PLIES, 0          // clock before a null move
@NodeStage:     .fill PLIES, 0          // where the moves come from, STAGE_...
@NodeCounted:   .fill PLIES, 0          // moves searched
@NodeFutile:    .fill PLIES, 0          // not 0: quiet moves are left out
@NodeRaised:    .fill PLIES, 0          // not 0: a move raised alpha, the best move
@NodeBestFrom:  .fill PLIES, 0
@NodeBestTo:    .fill PLIES, 0
@NodeTableFrom: .fill PLIES, 0          // the table's move, NO_SQUARE if none
@NodeTableTo:   .fill PLIES, 0
@NodeMoveFrom:  .fill PLIES, 0          // the move being searched
@NodeMoveTo:    .fill PLIES, 0
@NodeKiller1:   .fill PLIES, 0          // from square of a killer that was searched, or NO_SQUARE
@NodeKiller2:   .fill PLIES, 0
@Counts:        .fill 2*COUNTS, 0       // pieces by kind, see ai/endgame.asm
@ClockLo:       .byte 0                 // timer at the last look
@ClockHi:       .byte 0
@Elapsed:       .byte 0, 0, 0           // time since the search began
@RootTotal:     .byte 0                 // moves of the root list
@RootAlphaLo:   .byte 0                 // alpha an iteration began with
@RootAlphaHi:   .byte 0
@RootStack:     .byte 0                 // stack pointer of FindBestMove
@HistoryUsed:   .byte 0                 // not 0: the history ends with the root
@Period:        .byte 0                 // what zpTick began with
@Hunted:        .byte 0                 // searches for mates begun; not 0: no more of them
}

// NodeSpace - moves of the path, one node after the other: listed ones, captures; the rest of the path
.macro NodeSpace() {
@NodeFrom:      .fill QUIETS, 0
@NodeTo:        .fill QUIETS, 0
@CaptureFrom:   .fill $100, 0
@CaptureTo:     .fill $100, 0
@PlyHashEx:     .fill UNDO_PLIES, 0     // third byte of the hash, as the Ply arrays above
@Killer1From:   .fill PLIES, 0
@Killer1To:     .fill PLIES, 0
@Killer2From:   .fill PLIES, 0
@Killer2To:     .fill PLIES, 0
@CaptureBegin:  .fill PLIES, 0          // a node's captures: first, next, end
@CaptureNext:   .fill PLIES, 0
@CaptureEnd:    .fill PLIES, 0
@CaptureLast:   .fill PLIES, 0          // ... and the end of the losing ones
@BoundLo:       .fill PLIES, 0          // quiescence: the other side's bound
@BoundHi:       .fill PLIES, 0
@LineCount:     .fill LINE_MOVES+1, 0   // lines of the first plies
@LinesFrom:     .fill LINE_MOVES*LINE_MOVES, 0
@LinesTo:       .fill LINE_MOVES*LINE_MOVES, 0
        .errorif (<CaptureFrom) != 0, "page alignment"
}

// UndoSpace - what MakeMove saves of the public position, by SearchDepth, and the
// latest position of the history
.macro UndoSpace() {
@PublicHashLo:  .fill $100, 0
@PublicHashHi:  .fill $100, 0
@PublicRights:  .fill $100, 0
@PublicEp:      .fill $100, 0
@PublicClock:   .fill $100, 0
@PublicKind:    .fill $100, 0           // what the move changed, MOVE_...
@PublicCode:    .fill $100, 0           // captured piece
@HistoryLast:   .fill $80, 0            // see history.asm
@PlyPawnSlot:   .fill UNDO_PLIES, 0     // undo of the private position: slot of a promoted pawn
        .errorif (<PublicHashLo) != 0, "page alignment"
}

// HistorySpace - hashes of the game's positions, and the changes between them; after them what
// BlendValues writes
.macro HistorySpace() {
@HistoryChanges: .fill CHANGE_SPACE, 0
@PositionHistoryLo:
        .fill MAX_HISTORY, 0
@PositionHistoryHi:
        .fill MAX_HISTORY, 0
@FullShare:     .byte 0                 // high byte of the share, whose low byte is zpIndex
@Terms:         .fill TERMS, 0          // blended
@ShelterLo:     .fill 32, 0
@ShelterHi:     .fill 32, 0
}
