// vectors.asm - a page of vectors, steps and rights
//
// Provides: KindVectors, MakeWhiteVectors, RightsKept, LineStep, ZoneStep..., ZoneClear, KnightSteps
// Uses:     constants.asm, storage.asm (PadTo), king.asm (CastleBit), position/make.asm (Make...),
//           position/unmake.asm (Undo...)
#importonce

// RightsKept - castling rights that survive a move from or to a square;
// the en passant bits go in any case
.function Kept(sq) {
    .var kept = RIGHTS
    .if (sq == E1 || sq == H1) .eval kept = kept & (RIGHTS - RIGHT_WK)
    .if (sq == E1 || sq == A1) .eval kept = kept & (RIGHTS - RIGHT_WQ)
    .if (sq == E8 || sq == H8) .eval kept = kept & (RIGHTS - RIGHT_BK)
    .if (sq == E8 || sq == A8) .eval kept = kept & (RIGHTS - RIGHT_BQ)
    .return kept
}
.function HomeStep(white, bit) {
    .if ((1 << bit) == CastleBit(white, true))  .return 2
    .if ((1 << bit) == CastleBit(white, false)) .return -2
    .return DirStep.get(bit)
}

// The vectors must be where kinds of moves and doubled piece codes point; small
// tables fill the rest of the page.
.align $100
KindVectors:                    // how to undo a kind of move
RightsKept:     .fill $80, Kept(i)
LineStep:                       // step of a line code, at LineStep-LINE,code
    .for (var dir = 0; dir < 8; dir++) {
        .byte DirStep.get(dir), 0
    }
ZoneStep:       .fill 8, DirStep.get(i)
ZoneStepWhite:  .fill 8, HomeStep(true, i)
ZoneStepBlack:  .fill 8, HomeStep(false, i)
ZoneClear:      .fill 8, $FF - (1 << i)
KnightSteps:    .fill 8, KnightStep.get(i)
        PadTo(KIND_FIRST)
        .word UndoKing, UndoCapture, UndoKingCapture, UndoPawn, UndoShort, UndoLong
        .word UndoEnPassant, UndoPromote, UndoPromoteCapture, UndoNothing, UndoState
        PadTo($F0)
MakeWhiteVectors:               // the routine of a piece at twice its code
        .word MakeWhitePawn.begin, MakeWhiteBishop, MakeWhiteRook, MakeWhiteQueen
        .word MakeWhiteKnight, MakeNothing, MakeNothing, MakeWhiteKing.begin
        .errorif (<KindVectors) != 0 || (<MakeWhiteVectors) != (2*WHITE_PAWN & $FF), "vectors"
