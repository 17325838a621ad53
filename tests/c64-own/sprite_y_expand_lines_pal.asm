// sprite_y_expand_lines_pal: area sprite-dma, pal
// How long a sprite's DMA lasts: lost cycles over 50 lines with Y expansion off, on, and turned off half way, by
// the stop watch.
// Result: memory $c000-$c007, then exit by the debug cart.
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
    lda #100
    sta $d001
    lda #1
    sta $d015
    .macro Watch50(dst, at) {
        Sync()
        lda #$ff
        sta $dc04
        sta $dc05
        .eval SM = 0
        To(98, 10)
        lda #$11
        sta $dc0e
        .for (var i = 0; i < 20; i++) { ldx #20
        !: dex
            bne !-
            .if (i == at) { lda #0
                sta $d017 } }
        lda #0
        sta $dc0e
        lda $dc04
        sta dst
        lda $dc05
        sta dst + 1
    }
    lda #0
    sta $d017
    Watch50(RES, -1)
    lda #1
    sta $d017
    Watch50(RES + 2, -1)
    lda #1
    sta $d017
    Watch50(RES + 4, 10)
    lda #1
    sta $d017
    Watch50(RES + 6, 3)
    Done()
