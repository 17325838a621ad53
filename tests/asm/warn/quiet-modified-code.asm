// Code that is changed by an index, by its address in memory, or through a pointer.
        * = $2000
start:  ldx #2
        lda #$ea
        sta code,x
        lda value
        sta stored + 1
        lda #<(switch + 1)
        sta $fb
        lda #>(switch + 1)
        sta $fc
        ldy #0
        lda value
        sta ($fb),y
        ldy #1
        sta row,y
        jsr code
        rts
code:   nop
        nop
        rts
        nop
        nop
        rts
switch: lda #0
        bne on
        rts
on:     rts
row:    lda #0
        bne on2
        rts
on2:    rts
hand:   lda flag:#0
        bne on
        rts
        .word flag
value:  .byte 1
stored: .pseudopc $0400 {
        lda #0
        bne copied
        rts
copied: rts
}
