// cia_restart_pal: area cia-timer, pal
// A one-shot timer started again: by the start bit alone, by start and force load, k cycles after the first start.
// The counter and the control register 6 cycles after that write.
// Result: memory $c000-$c037, then exit by the debug cart.
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
    .for (var k = 0; k < 14; k++) {
        .for (var force = 0; force < 2; force++) {
            lda #5
            sta $dc04
            lda #0
            sta $dc05
            ldx #force == 0 ? $09 : $19
            lda #$19
            sta $dc0e
            WaitS(k == 0 ? 0 : k + 1)
            stx $dc0e
            nop
            lda $dc04
            ldy $dc0e
            sta RES + 4 * k + 2 * force
            sty RES + 4 * k + 2 * force + 1
            lda #0
            sta $dc0e
            bit $dc0d
            WaitS(10)
        }
    }
    Done()
