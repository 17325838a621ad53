// cia_cascade_oneshot_pal: area cia-timer, pal
// Timer B one-shot behind a continuous timer A (latch 3, so an underflow every 4 cycles; B latch 1): B's low byte,
// its control register and the interrupt register, read k cycles after A's start, k = 0, 2 .. 17.
// Result: memory $c000-$c032, then exit by the debug cart.
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
    .for (var k = 0; k < 17; k++) {
        lda #3
        sta $dc04
        lda #1
        sta $dc06
        lda #0
        sta $dc05
        sta $dc07
        bit $dc0d
        lda #$59
        sta $dc0f
        lda #$11
        sta $dc0e
        WaitS(k == 0 ? 0 : k + 1)
        lda $dc06
        ldx $dc0f
        ldy $dc0d
        sta RES + 3 * k
        stx RES + 3 * k + 1
        sty RES + 3 * k + 2
        lda #0
        sta $dc0e
        sta $dc0f
    }
    Done()
