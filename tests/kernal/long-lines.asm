// frames: 50
// 30 lines scroll, and a line of more than 40 characters takes two rows.
BasicUpstart2(start)
start:  lda #0
        sta count
next:   lda #'L'
        jsr $ffd2
        lda count
        clc
        adc #$40
        jsr $ffd2
        ldx #43
        lda count
        and #7
        bne short
fill:   lda #'-'
        jsr $ffd2
        dex
        bne fill
short:  lda #13
        jsr $ffd2
        inc count
        lda count
        cmp #30
        bne next
        jmp *
count:  .byte 0
