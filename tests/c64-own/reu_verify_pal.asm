// reu_verify_pal: area reu, pal
// A comparison of 4 bytes for every set of differing bytes: it ends behind the first difference, and if that is
// the last but one and the last byte is equal, the end of the block is reported, too. Status, length, address and
// cycles (stop watch) for the 16 sets.
// Result: memory $c000-$c03f, then exit by the debug cart.
#import "../c64/c64lib.asm"
BasicUpstart2(start)
*=$0c00 "main"
start: Begin()
    lda #0
    sta $ea          // BIT $EA of the waits clears V
    lda #$0b
    sta $d011
    Sync()
    Sync()
    ldx #3
    lda #0
!: sta $c400, x
    dex
    bpl !-
    lda #$00
    sta $df0a
    .macro Place() {
        lda #$00
        sta $df02
        lda #$c4
        sta $df03
        lda #0
        sta $df04
        sta $df05
        sta $df06
        sta $df08
        lda #4
        sta $df07
    }
    Place()
    lda #$90
    sta $df01
    .for (var m = 0; m < 16; m++) {
        .for (var i = 0; i < 4; i++) {
            lda #(m & (1 << i)) != 0 ? 1 : 0
            sta $c400 + i
        }
        Place()
        bit $df00
        lda #$ff
        sta $dc04
        sta $dc05
        lda #$11
        sta $dc0e
        lda #$93
        sta $df01
        lda $dc04
        ldx $df00
        ldy $df07
        sta RES + 4 * m + 3
        stx RES + 4 * m
        sty RES + 4 * m + 1
        lda $df02
        sta RES + 4 * m + 2
        lda #0
        sta $dc0e
    }
    Done()
