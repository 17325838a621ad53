// sprite_dma_late_pal: area sprite-dma, pal
// The DMA of sprite 0 is decided in cycles 55 and 56: enabled or disabled by a write in cycles 51 to 58; the
// cycles that the next line loses, by the stop watch (way 0 enables, way 1 disables).
// Result: memory $c000-$c00f, then exit by the debug cart.
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
    lda #99
    sta $d001
    .for (var k = 0; k < 8; k++) {
        .for (var way = 0; way < 2; way++) {
            lda #way == 0 ? 0 : 1
            sta $d015
            lda #$ff
            sta $dc04
            sta $dc05
            Sync()
            To(98, 40)
            ldx #way == 0 ? 1 : 0
            lda #$11
            sta $dc0e
            Spent(8)
            To(99, 48 + k)
            stx $d015       // in cycle 51 + k
            WaitS(100)
            lda #0
            sta $dc0e
            sta $d015
            lda $dc04
            sta RES + 2 * k + way
            Sync()
        }
    }
    Done()
