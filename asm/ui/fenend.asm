// fenend.asm - the end of a FEN
//
// Provides: ReadEnPassant, RightLetters, RightBits
// Uses:     pgnread.asm (PlayText), record.asm (BeginSetUp), storage.asm
#importonce

// ReadEnPassant - the end of a FEN: the square passed over and the clock; the game begins
//
// Out:      C = 1
// Clobbers: A, X, Y
ReadEnPassant: {
        jsr PlayText.take
        bcs begin
        sec
        sbc #'a'
        cmp #8
        bcs clock                       // none
        ldx SearchSide
        bmi white
        ora #RANK_3
        bne square                      // always
white:  ora #RANK_6
square: tax                             // a pawn of the other side has passed over it
        eor #ROW
        tay
        lda Board88,y
        eor SearchSide
        cmp #WHITE_PAWN
        bne clock
        lda Board88,x
        bne clock
        stx enpassantsq
clock:  jsr PlayText.take
        bcs begin
        cmp #' '
        bne clock
digit:  jsr PlayText.take
        bcs begin
        sec
        sbc #'0'
        cmp #10
        bcs begin
        sta ones
        lda HalfmoveClock               // ten times what is there
        asl
        asl
        adc HalfmoveClock               // C = 0
        asl
        adc ones
        sta HalfmoveClock
        jmp digit
begin:  jsr BeginSetUp
        sec
        rts
ones:   .byte 0
}
RightLetters: .text "KQkq"
RightBits:   .byte RIGHT_WK, RIGHT_WQ, RIGHT_BK, RIGHT_BQ
