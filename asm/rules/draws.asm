// draws.asm - the halfmove clock, the fifty-move rule and dead positions
//
// Provides: UpdateHalfmoveClock, CheckFiftyMoveRule, CheckInsufficientMaterial; macro SquareParity
// Uses:     constants.asm, storage.asm, zeropage.asm
#importonce

// UpdateHalfmoveClock - count a ply
//
// In:       A = 1 if a pawn moved, C = 1 if a piece was captured
// Out:      HalfmoveClock 0 or one more, 255 at most
// Clobbers: A
// Cycles:   21 counted, 19 pawn move, 15 capture
UpdateHalfmoveClock: {
        bcs reset
        cmp #1
        beq reset
        inc HalfmoveClock
        bne done
        dec HalfmoveClock       // never wraps
done:   rts
reset:  lda #0
        sta HalfmoveClock
        rts
}

// CheckFiftyMoveRule - a hundred plies without pawn move or capture?
//
// Out:      C = 1 draw
// Clobbers: A          Cycles: 12
CheckFiftyMoveRule: {
        lda HalfmoveClock
        cmp #FIFTY_MOVES
        rts
}

// SquareParity - A, zpTemp = a square: A = 0 light, 1 dark (a8 is light). C = 0
.macro SquareParity() {
        lsr
        lsr
        lsr
        lsr                     // the row; C = 0, bit 3 of a square
        eor zpTemp              // bit 0: row + file
        and #1
}

// CheckInsufficientMaterial - K-K, KB-K, KN-K, KB-KB with bishops on one colour
//
// More bishops on that colour (promoted ones) cannot mate either and count too.
//
// Out:      C = 1 draw
// Clobbers: A, X, Y
// Cycles:   39 at the start, 1,173 two kings
CheckInsufficientMaterial: {
        lda #0
        sta zpCount             // minor pieces
        sta zpBits              // bit 0: a bishop on light squares, 1: on dark ones, 2: a knight
        tax
next:   lda Board88,x
        beq skip
        and #TYPE_BITS
        cmp #KING
        beq skip
        cmp #KNIGHT
        beq knight
        cmp #BISHOP
        bne enough              // pawn, rook or queen
        stx zpTemp
        txa
        SquareParity()
        adc #1                  // C = 0: 1 or 2
        bne mark                // always
knight: lda #%0100
mark:   ora zpBits
        sta zpBits
        inc zpCount
skip:   inx
        txa
        and #OFF_BOARD
        beq next
        cmp #BELOW_BOARD
        beq counted
        txa                     // past the right edge: next row
        clc
        adc #8
        tax
        bpl next
counted:
        lda zpCount
        cmp #2
        bcc draw                // none or one
        lda zpBits              // more: bishops only, and on one colour
        cmp #%0011
        bcc draw
enough: clc
        rts
draw:   sec
        rts
}
