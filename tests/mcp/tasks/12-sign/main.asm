// move.asm - adds a signed byte to a 16-bit position
.label Position = $c000
.label Step = $c002

*=$1000
// Move - Position += Step, which is -128 to 127
Move: {
        ldx #0
        lda Step
        bpl add
        inx
add:    clc
        adc Position
        sta Position
        txa
        adc Position + 1
        sta Position + 1
        rts
}
