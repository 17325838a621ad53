// scroller.asm - a line of text that moves to the left, one pixel a frame
//
// Provides: Scroll, ClearScreen, Fine, Next, Line
// Uses:     c64.asm
#importonce
#import "c64.asm"

.label Line = SCREEN + 24 * 40

// ClearScreen - blanks everywhere, in white
//
// Clobbers: A, X
ClearScreen: {
        ldx #0
next:   lda #' '
    .for (var page = 0; page < 4; page++) {
        sta SCREEN + page * 250,x
    }
        lda #WHITE
    .for (var page = 0; page < 4; page++) {
        sta COLOURS + page * 250,x
    }
        inx
        cpx #250
        bne next
        rts
}

// Scroll - one pixel to the left; after eight of them by a character
//
// Clobbers: A, X
Scroll: {
        dec Fine
        bpl show
        lda #7
        sta Fine
        ldx #0
move:   lda Line + 1,x
        sta Line,x
        inx
        cpx #39
        bne move
        ldx Next
        lda Text,x
        bpl put                 // the end of the text has bit 7 set
        ldx #0
        lda Text
put:    sta Line + 39
        inx
        stx Next
show:   lda Fine
        ora #%11000000          // 38 columns: what comes and goes is behind the border
        sta CONTROL2
        rts
}

Fine:   .byte 0
Next:   .byte 0
Text:   .text "hello from the 6502 ... this text scrolls, the bars swing, and the tests know it ... "
        .byte $ff
