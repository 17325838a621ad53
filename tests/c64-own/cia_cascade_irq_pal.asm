// cia_cascade_irq_pal: area cia-irq, pal
// An interrupt of timer B that counts A's underflows: the handler notes timer A of CIA 2, a free stop watch, so
// that the latency of the cascade shows to the cycle. A's latches 1 to 8, B counts 3.
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
    SetIrq(handler)
    .for (var k = 0; k < 8; k++) {
        lda #1 + k
        sta $dc04
        lda #2
        sta $dc06
        lda #0
        sta $dc05
        sta $dc07
        bit $dc0d
        lda #$82
        sta $dc0d
        lda #$ff
        sta $dd04
        sta $dd05
        lda #$59
        sta $dc0f
        lda #$11
        sta $dd0e
        sta $dc0e
        cli
        WaitS(80)
        sei
        lda $10
        sta RES + k
        lda #0
        sta $dc0e
        sta $dd0e
        lda #$7f
        sta $dc0d
        bit $dc0d
    }
    Done()
handler: lda $dd04
    sta $10
    bit $dc0d
    rti
