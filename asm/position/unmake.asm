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
// Cycles:   112 quiet knight, 237 knight takes pawn, 254 castling short, 234 promotion
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
        lda PlyState,y
        sta zpState
        lda zpSide
        eor #WHITE_COLOR
        sta zpSide
        lda PlyKind,y
        bne UndoSpecial
        dec zpClock
        ldy zpFrom
}
MoveBack: {                     // X = to, Y = from: board and list
        lda Work,x
        sta Work,y
        lda #EMPTY_PIECE
        sta Work,x
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        rts
}
UndoSpecial: {
        stx zpTo
        tax
        lda KindLo,x
        sta go
        lda KindHi,x
        sta go+1
        ldx zpTo
        ldy zpFrom
        jmp go:$FFFF            // patched: one of the routines below
}
KindLo: .byte 0, <UndoKing, <UndoCapture, <UndoKingCapture, <UndoPawn, <UndoShort, <UndoLong
        .byte <UndoEnPassant, <UndoPromote, <UndoPromoteCapture, <UndoNothing
KindHi: .byte 0, >UndoKing, >UndoCapture, >UndoKingCapture, >UndoPawn, >UndoShort, >UndoLong
        .byte >UndoEnPassant, >UndoPromote, >UndoPromoteCapture, >UndoNothing

// Undo... - X = zpTo, Y = zpFrom, zpPly = the move's entry
UndoNothing: {
        dec zpClock
        rts
}
UndoKing: {
        dec zpClock
        jsr MoveBack
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
        jsr MoveBack
        ldx zpPly
        lda PlyClock,x
        sta zpClock
        rts
}
UndoCapture: {
        jsr MoveBack
        ldx zpTo
}
Uncapture: {                    // X = square of the captured piece
        ldy zpPly
        lda PlyClock,y
        sta zpClock
        lda PlySlot,y
        sta zpSlot
        lda PlyCode,y
        jmp PutBackOnList
}
UndoEnPassant: {
        jsr MoveBack
        lda zpTo
        eor #ROW
        tax
        jmp Uncapture
}
UndoShort: {
        dec zpClock
        jsr MoveBack
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
        dec zpClock
        jsr MoveBack
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
        lda zpTo
        and #ON_BOARD
        tay
        ldx Work,y              // the piece leaves the end of its list
        stx zpCode
        lda #EMPTY_PIECE
        sta Work,y
        dec zpNextSlot,x
        lda zpNextSlot,x
        tax
        lda #NO_SQUARE
        sta $00,x
        ldy zpPly
        lda PlyClock,y
        sta zpClock
        lda PlyPawnSlot,y
        sta zpSlot
        lda zpCode
        and #$FF-TYPE_BITS      // PAWN is type 0
        ldx zpFrom
        jmp PutBackOnList
}
UndoPromoteCapture: {
        jsr UndoPromote
        lda zpTo
        and #ON_BOARD
        tax
        jmp Uncapture
}
