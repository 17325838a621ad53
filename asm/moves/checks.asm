// checks.asm - moves that give check, of those in the move list
//
// Provides: KeepChecks
// Uses:     ai/mates.asm (SeesKing), moves/attack.asm (FirstHit), moves/tables.asm (Line...), storage.asm,
//           zeropage.asm
#importonce

// KeepChecks - forget moves that give no check
//
// Kept are pieces that come in sight of the king, moves out of the line of another piece to
// him, and every pawn's. Castling counts as a king's move.
//
// In:       the move list of zpSide
// Out:      the move list
// Clobbers: A, X, Y, zpPtrA, zpHit, zpBits, zpLine, zpWalk, zpMoveIndex
// Cycles:   1,402 at the start
KeepChecks: {
        lda zpWhiteLineAny      // low byte of tables around the other king
        bit zpSide
        bpl aim
        lda zpBlackLineAny
aim:    sta zpPtrA
        ldx #NO_SQUARE
        stx zpWalk              // the piece whose moves these are
        inx
        stx zpBits              // moves kept
next:   cpx MoveCount
        beq over
        stx zpMoveIndex
        ldy MoveListFrom,x
        cpy zpWalk
        beq same
        sty zpWalk
        lda Work,y
        and #TYPE_BITS
        sta zpHit
        beq keep
        lda #>LineAny
        sta zpPtrA+1
        lda (zpPtrA),y
        bpl direct
        jsr SeesKing            // X = from
        bne direct
        lda zpLine
        jsr FirstHit            // an own piece is next on the line
        eor zpSide
        beq direct              // the edge
        bmi direct
        lda #0                  // as a pawn's: all are kept
        sta zpHit
        beq keep                // always
direct: ldx zpMoveIndex
        ldy zpHit
        lda sights-1,y
        sta zpPtrA+1
same:   lda zpHit
        beq keep
        cmp #KING
        beq drop
        ldy MoveListTo,x
        cmp #KNIGHT
        lda (zpPtrA),y
        bcc slider
        asl                     // KNIGHT_JUMP?
        bmi keep
slider: bpl drop
        jsr SeesKing
        bne drop
keep:   ldx zpMoveIndex
        ldy zpBits
        inc zpBits
        lda MoveListFrom,x
        sta MoveListFrom,y
        lda MoveListTo,x
        sta MoveListTo,y
drop:   ldx zpMoveIndex
        inx
        bne next                // always
over:   lda zpBits
        sta MoveCount
        rts
}
