// enpassant.asm - which captures en passant are legal
//
// Provides: EpSquare, EpIsLegal, EpKeepsLines, EpAllowed, EpAllowedQuickly;
//           macro TryEnPassant
// Uses:     attack.asm (WorkAttacked, WorkLines), storage.asm (Work)
#importonce

// TryEnPassant - append the captures en passant, at most two, that are legal
//
// In:       Y = list index, zpState says one is possible
// Out:      the generator's end: MoveCount, A = MoveCount
.macro TryEnPassant(white) {
        sty zpCount
        lda zpSide              // only for the side to move
    .if (white) {
        bpl done
    } else {
        bmi done
    }
        jsr EpSquare
        lda zpEp
        clc
        adc #(-ForwardOf(white)-1) & $FF
        jsr try
        lda zpEp
        clc
        adc #(-ForwardOf(white)+1) & $FF
        jsr try
done:   ldy zpCount
        sty MoveCount
        tya
        rts
try:    tax
        lda zpCheckers
        bne slowly
        lda Work,x
        cmp #PieceOf(white, PAWN)
        bne not
        stx zpSquare            // no check, and the king in line with neither pawn: legal
        txa
        tay
        lda (LineAnyOf(white)),y
        bmi lines
        lda zpEp
        eor #ROW
        tay
        lda (LineAnyOf(white)),y
        bpl append
lines:  jsr EpKeepsLines
        bcs not
        bcc append
slowly: jsr EpIsLegal
        bcs not
append:
        ldy zpCount
        lda zpSquare            // the pawn's square
        sta MoveListFrom,y
        lda zpEp
        sta MoveListTo,y
        inc zpCount
not:    rts
}

// EpSquare - the en passant square of zpState for the side zpSide
//
// Out:      zpEp; zpColor = zpSide
// Clobbers: A
// Cycles:   39 White, 41 Black
EpSquare: {
        lda zpState
        and #STATE_FILE
        lsr
        lsr
        lsr
        lsr
        sta zpEp
        lda zpSide
        sta zpColor
        bmi white
        lda #RANK_3
        bne row
white:  lda #RANK_6
row:    ora zpEp
        sta zpEp
        rts
}

// EpIsLegal - may the pawn on X take en passant on zpEp?
// EpKeepsLines - the same when the king is not in check before: only lines can open
//
// In:       X = square beside the victim, zpEp, zpColor = capturing side
// Out:      C = 0 legal, C = 1 no such pawn, or the king would be in check;
//           zpSquare = X
// Clobbers: A, X, Y
// Cycles:   29 EpIsLegal no pawn, 1,395 EpIsLegal e5xd6, 968 EpKeepsLines e5xd6
EpKeepsLines:
        lda #1
        bne EpTry               // always
EpIsLegal:
        lda #0
EpTry: {
        sta zpLinesOnly             // not 0: lines only
        stx zpSquare
        lda zpColor
        ora #CODE_BITS | PAWN
        cmp Work,x
        bne illegal             // guard cells are not pawns either
        ldy zpEp
        sta Work,y              // the pawn arrives
        lda #EMPTY_PIECE
        sta Work,x
        tya
        eor #ROW                // the victim's square: row 2 and 3, row 5 and 4
        sta zpVictim
        tay
        lda #EMPTY_PIECE
        sta Work,y
        lda zpColor
        eor #WHITE_COLOR
        sta zpAttacker
        ldx zpWhiteKing
        ldy zpColor
        bmi ours
        ldx zpBlackKing
ours:   clc
        txa
        bmi restore             // no king, no check; C = 0
        lda zpLinesOnly
        beq all
        jsr WorkLines
        jmp restore
all:    jsr WorkAttacked
restore:
        ldx zpEp
        lda #EMPTY_PIECE
        sta Work,x
        lda zpColor
        ora #CODE_BITS | PAWN
        ldx zpSquare
        sta Work,x
        eor #WHITE_COLOR
        ldx zpVictim
        sta Work,x
        rts                     // C is the answer
illegal:
        sec
        rts
}

// EpAllowed - is any capture en passant on zpEp legal for zpColor?
//
// In:       zpEp = an empty square with the victim behind it, zpColor
// Out:      C = 0 yes, C = 1 no
// Clobbers: A, X, Y
// Cycles:   1,462 e5xd6
EpAllowed: {
        lda zpEp
        eor #ROW
        tax
        dex                     // beside the victim
        jsr EpIsLegal
        bcc yes
        lda zpEp
        eor #ROW
        tax
        inx
        jsr EpIsLegal
yes:    rts
}

// EpAllowedQuickly - the same right after a double step
//
// The king who could be exposed was not attacked before. If he is in line with
// none of the squares that change (where the step began and ended, where the
// capturing pawn is), the capture is legal without a look at the board.
//
// In:       zpEp, zpColor; a pawn of zpColor is beside the victim
// Out:      C = 0 legal, C = 1 not
// Clobbers: A, X, Y
// Cycles:   122 king off the lines, 1,144 king in line
EpAllowedQuickly: {
        ldx #zpWhiteLineAny
        lda zpColor
        bmi king
        ldx #zpBlackLineAny
king:   lda $00,x               // the table, by the king of the capturing side
        sta zpPtrA
        lda $01,x
        sta zpPtrA+1
        lda zpEp
        eor #3*ROW              // where the double step began
        tay
        lda (zpPtrA),y
        bmi EpAllowed           // a check may have been discovered
        tya
        eor #2*ROW              // where it ended
        tay
        lda (zpPtrA),y
        bmi lines
        dey
        jsr pawnBeside
        beq quick
        iny
        iny
        jsr pawnBeside
        beq quick
lines:  lda zpEp                // the victim's own check goes with it: look along the lines
        eor #ROW
        tax
        stx zpVictim
        dex
        jsr try
        bcc out
        ldx zpVictim
        inx
try:    jmp EpKeepsLines
quick:  clc
out:    rts
pawnBeside:                     // Z = 1: a capturing pawn, not in line with the king
        lda zpColor
        ora #CODE_BITS | PAWN
        eor Work,y
        bne not
        lda (zpPtrA),y
        and #LINE
not:    rts
}
