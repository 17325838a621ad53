// fen.asm - positions read from the FEN of a game
//
// Provides: ReadFen
// Uses:     pgnread.asm (PlayText), setup.asm (CheckBoard), fenend.asm (ReadEnPassant, RightLetters), notation.asm (TypeLetter)
#importonce

// ReadFen - the game begins with the position between the next two quotes
//
// Out:      C = 1: so it does; C = 0: it cannot be played
// Clobbers: A, X, Y
ReadFen: {
        ldx #'"'
        jsr PlayText.find
        bcs bad
        ldx #$7F
        lda #EMPTY_PIECE
clear:  sta Board88,x
        dex
        bpl clear
        inx                             // a8
cell:   jsr PlayText.take
        bcs bad
        cmp #' '
        beq board
        cmp #'/'
        beq row
        cmp #'9'
        bcs piece
        sec
        sbc #'0'
        sta skip
        txa
        clc
        adc skip
        tax
        bpl cell
bad:    clc
        rts
row:    txa                             // from the column after h to the next row
        clc
        adc #8
        tax
        bpl cell
        bmi bad                         // always
piece:  sta letter
        and #%1101_1111
        ldy #KING
kind:   cmp TypeLetter,y
        beq known
        dey
        bpl kind
        bmi bad                         // always
known:  txa
        and #OFF_BOARD
        bne bad
        lda letter                      // a capital is White's
        and #%0010_0000
        asl
        asl
        eor #WHITE_COLOR
        ora #CODE_BITS
        sta code
        tya
        ora code
        sta Board88,x
        inx
        bpl cell                        // always
board:  cpx #RANK_1+8
        bne bad
        jsr PlayText.take
        ldx #WHITE_COLOR
        cmp #'w'
        beq side
        ldx #BLACK_COLOR
        cmp #'b'
        bne bad
side:   stx SearchSide
        jsr CheckBoard                  // the rights that the squares allow
        bcc bad
        lda #0
        sta letter                      // the rights that are written
        jsr PlayText.take
right:  jsr PlayText.take
        bcs bad
        ldy #4
which:  cmp RightLetters-1,y
        beq has
        dey
        bne which
        cmp #' '
        bne right
        lda letter
        and castlerights
        sta castlerights
        jmp ReadEnPassant
has:    lda RightBits-1,y
        ora letter
        sta letter
        bne right                       // always
skip:
letter: .byte 0
code:   .byte 0
}
