// Decimal mode that the caller ends, and a routine that only turns it on.
        * = $1000
start:  jsr AddPoints
        jsr AddPoints
        cld
        jsr Bcd
        lda #1
        clc
        adc #9
        cld
        rts
AddPoints:
        sed
        lda score
        clc
        adc #1
        sta score
        rts
Bcd:    sed
        rts
score:  .byte 0
