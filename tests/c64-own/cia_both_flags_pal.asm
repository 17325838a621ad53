// cia_both_flags_pal: area cia-irq, pal
// Both timers of CIA 1 with their masks set and different latches: the interrupt register read every 4 cycles
// tells when each flag and bit 7 come, and that one read takes all.
// Result: memory $c000-$c01f, then exit by the debug cart.
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
    .for (var k = 0; k < 8; k++) {
        lda #20
        sta $dc04
        lda #20 + k - 4
        sta $dc06
        lda #0
        sta $dc05
        sta $dc07
        bit $dc0d
        lda #$83
        sta $dc0d
        lda #$19
        ldx #$19
        sta $dc0e
        stx $dc0f
        WaitS(14)
        lda $dc0d
        ldx $dc0d
        ldy $dc0d
        sta RES + 4 * k
        stx RES + 4 * k + 1
        sty RES + 4 * k + 2
        WaitS(20)
        lda $dc0d
        sta RES + 4 * k + 3
        lda #$7f
        sta $dc0d
        bit $dc0d
    }
    Done()
