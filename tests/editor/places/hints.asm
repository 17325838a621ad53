// ask: hints tokens
.const WIDTH = 40
.label pointer = $fb
.macro Copy(count) {
        ldx #count
!loop:  lda $2000,x
        sta $0400,x
        dex
        bne !loop-
}
*=$10f0
start:  Copy(WIDTH)
        Copy(8)
        ldy #10
wait:   lda (pointer),y
        dey
        bne wait
.for (var i = 0; i < 3; i++) {
        inc $d020 + i
}
.fill 16, i
        lax pointer
