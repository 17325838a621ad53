// cia_mode_change_pal: area cia-timer, pal
// Timer A (latch 8) is turned from continuous to one-shot k cycles before and after its underflow, and back: the
// control register and the counter 20 cycles later tell whether the underflow stopped it.
// Result: memory $c000-$c02f, then exit by the debug cart.
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
    .for (var k = 0; k < 12; k++) {
        .for (var way = 0; way < 2; way++) {
            lda #8
            sta $dc04
            lda #0
            sta $dc05
            ldx #way == 0 ? $09 : $01
            lda #way == 0 ? $11 : $19
            sta $dc0e
            WaitS(k == 0 ? 0 : k + 1)
            stx $dc0e
            WaitS(20)
            lda $dc0e
            ldy $dc04
            sta RES + 4 * k + 2 * way
            sty RES + 4 * k + 2 * way + 1
            lda #0
            sta $dc0e
            bit $dc0d
        }
    }
    Done()
