// cia_latch_at_underflow_pal: area cia-timer, pal
// The latch of timer A is rewritten (low byte 6 to 20) in each cycle around the underflow: a write in time is what
// the counter restarts from. The counter, 8 cycles after the write.
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
    .for (var k = 0; k < 16; k++) {
        lda #6
        sta $dc04
        lda #0
        sta $dc05
        ldx #20
        lda #$11
        sta $dc0e
        WaitS(k == 0 ? 0 : k + 1)
        stx $dc04
        WaitS(5)
        lda $dc04
        sta RES + k
        lda #0
        sta $dc0e
        bit $dc0d
    }
    Done()
