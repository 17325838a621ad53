// clock.asm - seconds of a clock, two decimal digits in a byte
.label Seconds = $c000

*=$1000
// NextSecond - Seconds += 1 in decimal; C = 1 and 0 after 59
NextSecond: {
        sed
        clc
        lda Seconds
        adc #1
        cmp #60
        bcc store
        lda #0
store:  sta Seconds
        cld
        rts
}
