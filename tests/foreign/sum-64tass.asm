; The sum of four bytes, for 64tass: 64tass --vice-labels -l and -L
        * = $1000
double  .macro
        asl a
        clc
        .endm
start   lda #0
        ldx #3
next    clc
        adc data,x
        dex
        bpl next
        #double
        sta result
        rts
data    .byte 1, 2, 3, 4
result = $2000
