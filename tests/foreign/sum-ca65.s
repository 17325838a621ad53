; The sum of four bytes, for ca65: ca65 -g, ld65 --dbgfile and -Ln
        .export start
.macro double
        asl a
        clc
.endmacro
        .segment "HEAD"
        .word start
        .segment "CODE"
start:  lda #0
        ldx #3
next:   clc
        adc data,x
        dex
        bpl next
        double
        sta result
        rts
data:   .byte 1, 2, 3, 4
result = $2000
