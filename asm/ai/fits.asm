// fits.asm - may a remembered move be played here?
//
// Provides: FitsBoard, FitsQuietly, IsLegal, IsQuiet
// Uses:     moves/attack.asm (FirstHit, WorkAttacked), moves/enpassant.asm, moves/tables.asm
//
// Moves of the transposition table and killers come from other positions; captures are
// generated without a look at pins.
#importonce

// FitsQuietly - is the move pseudo-legal and quiet?
// FitsBoard - is the move pseudo-legal? Castling never fits
//
// In:       zpFrom (a square), zpTo with flags; zpSide
// Out:      C = 0 yes
// Clobbers: A, X, Y, zpTarget, zpHit, zpLine
// Cycles:   187 FitsQuietly a pawn's step, 84 FitsBoard a knight's move,
//           28 FitsBoard no piece there
FitsQuietly: {
        jsr IsQuiet             // as far as the piece there is concerned
        bcc FitsBoard
        rts
}
FitsBoard: {
        lda zpTo
        and #ON_BOARD
        sta zpTarget
        tay
        ldx zpFrom
        lda Work,x
        beq bad
        eor zpSide              // own pieces: bit 7 clear now
        bmi bad
        and #TYPE_BITS
        sta zpHit
        lda Work,y
        beq free
        eor zpSide
        bpl bad              // own
free:   lda zpHit
        beq pawn
        lda zpTo
        bmi bad              // only pawns promote
        lda zpFrom              // the way back, from the target: from - to + NO_DISTANCE
        sec
        sbc zpTarget
        clc
        adc #NO_DISTANCE
        tay
        ldx zpHit
        cpx #KNIGHT
        beq knight
        cpx #KING
        beq king
        lda LineAny,y
        bpl bad              // not in line
        sta zpLine
        and #LINE_DIAGONAL
        beq ortho
        cpx #ROOK
        beq bad
        bne way                 // always
ortho:  cpx #BISHOP
        beq bad
way:    ldx zpTarget
        lda zpLine
        jsr FirstHit
        cpy zpFrom
        bne bad
        clc
        rts
bad:    sec
        rts
knight: lda LineAny,y
        asl                     // KNIGHT_JUMP?
        bpl bad
        clc
        rts
king:   tya                     // NO_DISTANCE and one of eight steps
        sec
        sbc #NO_DISTANCE
        ldx #7
step:   cmp ZoneStep,x
        beq fine
        dex
        bpl step
        bmi bad              // always
fine:   clc
        rts

pawn:   lda zpTarget            // its last row, where alone a knight's flag is right
        cmp #RANK_7
        bcc last
        cmp #RANK_1
        bcs last
        lda zpTo
        bmi bad
last:   lda zpFrom              // how far it goes, White's view
        sec
        sbc zpTarget
        bit zpSide
        bmi white
        eor #$FF
        clc
        adc #1
white:  cmp #ROW
        beq PawnAhead
        cmp #2*ROW
        beq PawnDouble
        cmp #ROW-1
        beq takes
        cmp #ROW+1
        bne bad
takes:  lda Work,y              // an enemy is there, or the square of en passant
        bne fine
        bit zpState
        bpl bad
        jsr EpSquare
        lda zpEp
        cmp zpTarget
        beq fine
        sec
        rts
}
PawnAhead: {
        lda Work,y
        bne FitsBoard.bad
        clc
        rts
}
PawnDouble: {
        lda Work,y
        bne FitsBoard.bad
        lda zpFrom              // from its first row, over an empty square
        clc
        adc zpTarget
        ror
        tax
        lda Work,x
        bne FitsBoard.bad
        lda zpFrom
        and #ROW_BITS
        bit zpSide
        bmi white
        eor #RANK_7
        beq fine
no:     sec
        rts
white:  eor #RANK_2
        bne no
fine:   clc
        rts
}

// IsLegal - does a pseudo-legal move leave the king alone? The side is not in check
//
// In:       zpFrom, zpTo; zpSide
// Out:      C = 0 legal
// Clobbers: A, X, Y and what the attack tests do
// Cycles:   108 off the king's lines, 757 in line
IsLegal: {
        ldx zpFrom
        lda Work,x
        and #TYPE_BITS
        beq pawn
        cmp #KING
        beq king
line:   ldy zpFrom              // a piece in line with its king?
        bit zpSide
        bpl black
        lda (zpWhiteLineAny),y
        bmi whiteLine
legal:  clc
        rts
black:  lda (zpBlackLineAny),y
        bpl legal
        sta zpLine
        lda zpTo
        and #ON_BOARD
        tay
        lda (zpBlackLineAny),y
        cmp zpLine
        beq legal               // it stays on the line
        ldx zpBlackKing
        jmp between
whiteLine:
        sta zpLine
        lda zpTo
        and #ON_BOARD
        tay
        lda (zpWhiteLineAny),y
        cmp zpLine
        beq legal
        ldx zpWhiteKing
between:
        lda zpLine
        jsr FirstHit
        cpy zpFrom
        bne legal               // another piece is nearer
        ldx zpFrom
        lda zpLine
        jsr FirstHit
        eor zpSide              // an enemy's slider of this direction pins
        tax
        lda zpLine
        and #LINE_DIAGONAL
        beq ortho
        txa
        ora #2
        cmp #WHITE_COLOR | BLACK_QUEEN
        beq illegal
        clc
        rts
ortho:  txa
        ora #1
        cmp #WHITE_COLOR | BLACK_QUEEN
        beq illegal
        clc
        rts
king:   lda zpSide
        eor #WHITE_COLOR
        sta zpAttacker
        lda zpTo
        tax
        jmp WorkAttacked
pawn:   lda zpTo
        and #ON_BOARD
        tay
        eor zpFrom
        and #FILE_BITS
        beq line
        lda Work,y
        bne line
        sty zpEp                // en passant
        lda zpSide
        sta zpColor
        jmp EpKeepsLines        // X = zpFrom
illegal:
        sec
        rts
}

// IsQuiet - is the move no capture, no promotion, no en passant?
//
// In:       zpFrom, zpTo, the move is not made
// Out:      C = 0 quiet
// Clobbers: A, X, Y
// Cycles:   33 a knight's move
IsQuiet: {
        lda zpTo
        bmi no
        tay
        lda Work,y
        bne no
        ldx zpFrom
        lda Work,x
        and #TYPE_BITS
        bne yes
        tya
        eor zpFrom
        and #FILE_BITS
        bne no
        cpy #RANK_7
        bcc no
        cpy #RANK_1
        bcs no
yes:    clc
        rts
no:     sec
        rts
}
