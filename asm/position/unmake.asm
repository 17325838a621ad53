// unmake.asm - taking moves back on the private position
//
// Provides: UnmakeMoveSynced
// Uses:     constants.asm, storage.asm, zeropage.asm, make.asm (kinds, lists)
//
// Undo restores what make saved and never computes; the piece lists come back
// slot for slot.
#importonce

// UnmakeMoveSynced - take a move back on the private position
//
// In:       A = from, X = to: the bytes given to MakeMoveSynced
// Out:      private position before the move, zpPly - 1
// Clobbers: A, X, Y
// Cycles:   102 quiet knight, 222 knight takes pawn, 232 castling short, 209 promotion
UnmakeMoveSynced: {
        sta zpFrom
        dec zpPly
        ldy zpPly
        lda PlyHashLo,y
        sta zpHashLo
        lda PlyHashHi,y
        sta zpHashHi
        lda PlyHashEx,y
        sta zpHashEx
        lda PlyScoreLo,y
        sta zpScoreLo
        lda PlyScoreHi,y
        sta zpScoreHi
        lda PlyKind,y
        bne UndoSpecial
}
UndoQuiet: {
        dec zpClock
        ldy zpFrom
}
MoveBack: {                     // X = to, Y = from: board, list and side
        lda Work,x
        sta Work,y
        and #WHITE_COLOR
        sta zpSide
        lda #EMPTY_PIECE
        sta Work,x
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        rts
}
UndoSpecial: {
        sta kind
        jmp kind:(KindVectors)  // one of the routines below
}

// Undo... - X = to, Y = zpPly, the move's entry
UndoNothing: {
        lda zpSide
        eor #WHITE_COLOR
        sta zpSide
        lda PlyState,y
        sta zpState
        dec zpClock
        rts
}
UndoState: {
        lda PlyState,y
        sta zpState
        jmp UndoQuiet
}
UndoKing: {
        lda PlyState,y
        sta zpState
        jsr UndoQuiet
}
AimKings: {                     // zpSide is the side that moved
        lda zpSide
        bmi white
        jmp SetBlackKing
white:  jmp SetWhiteKing
}
UndoKingCapture: {
        jsr UndoCapture
        jmp AimKings
}
UndoPawn: {
        lda PlyState,y
        sta zpState
        lda PlyClock,y
        sta zpClock
        ldy zpFrom
        jmp MoveBack
}
UndoCapture: {
        stx zpTo
        jsr UndoPawn
        ldx zpTo
        ldy zpPly
}
Uncapture: {                    // X = square of the captured piece
        lda PlySlot,y
        sta zpSlot
        lda PlyCode,y
        jmp PutBackOnList
}
UndoEnPassant: {
        stx zpTo
        jsr UndoPawn
        lda zpTo
        eor #ROW
        tax
        ldy zpPly
        jmp Uncapture
}
UndoShort: {
        lda PlyState,y
        sta zpState
        jsr UndoQuiet
        lda zpFrom              // e1: the rook from f1 to h1
        clc
        adc #1
        tax
        adc #2
        tay
        jsr MoveBack
        jmp AimKings
}
UndoLong: {
        lda PlyState,y
        sta zpState
        jsr UndoQuiet
        lda zpFrom              // e1: the rook from d1 to a1
        sec
        sbc #1
        tax
        sbc #3
        tay
        jsr MoveBack
        jmp AimKings
}
UndoPromote: {
        lda PlyState,y
        sta zpState
        lda PlyClock,y
        sta zpClock
        lda PlyPawnSlot,y
        sta zpSlot
        txa
        and #ON_BOARD
        sta zpTo
        tay
        ldx Work,y              // the piece leaves the end of its list
        lda #EMPTY_PIECE
        sta Work,y
        txa
        and #$FF-TYPE_BITS      // PAWN is type 0
        tay
        and #WHITE_COLOR
        sta zpSide
        dec zpNextSlot,x
        lda zpNextSlot,x
        tax
        lda #NO_SQUARE
        sta $00,x
        tya
        ldx zpFrom
        jmp PutBackOnList
}
UndoPromoteCapture: {
        jsr UndoPromote
        ldx zpTo
        ldy zpPly
        jmp Uncapture
}
