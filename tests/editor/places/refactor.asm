// ask: refactor
*=$1000
.const SIZE = 3
.macro Fill(value, target) {
        ldx #SIZE
!:      lda #value + 1
        sta target,x
        dex
        bpl !-
}
start:  nop
‸        lda #1
        sta $0400
‸        jsr sub
        Fi‸‸ll(2 * 2, $0500)
.for (var i = 0; i < 2; i++) {
‸        lda #i
        sta $0400 + i
‸        beq start
}
        lda #$‸‸7f
        sta $d0‸‸20
sub:    rts
‸        pha
        beq start
‸        rts
