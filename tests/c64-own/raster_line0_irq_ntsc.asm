// raster_line0_irq_ntsc: area irq, ntsc
// Raster interrupts at line 0 and at line 1 among two-cycle instructions: that of line 0 comes one cycle later,
// because the counter changes in cycle 2 there. The handler reads timer A, which the exact place of the raster has
// started: difference to the start of the line, eight phases each.
// Result: memory $c000-$c01f, then exit by the debug cart.
#define NTSC
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
    SetIrq(handler)
    lda #$7f
    sta $dc0d
    .for (var l = 0; l < 2; l++) {
        .for (var k = 0; k < 6; k++) {
            lda #$ff
            sta $dc04
            sta $dc05
            lda #l
            sta $d012
            lda #$0b
            sta $d011
            lda #1
            sta $d01a
            lda #$0f
            sta $d019
            Sync()
            To(LINES - 3, 10)
            lda #$11
            sta $dc0e
            cli
            WaitS(8 + k)
            .for (var i = 0; i < 160; i++) nop
            sei
            lda $10
            sta RES + 16 * l + 2 * k
            lda $11
            sta RES + 16 * l + 2 * k + 1
            lda #0
            sta $dc0e
        }
    }
    lda #0
    sta $d01a
    Done()
handler: lda $dc04
    sta $10
    lda $dc05
    sta $11
    lda #$0f
    sta $d019
    rti
