// brk_taken_over_pal: area irq, pal
// An NMI in each cycle of a BRK: early enough it takes the vector over, and the pushed status has B set; later it
// comes after the BRK's first instruction. Which handler ran first, the status it found on the stack, and the
// return address's low byte.
// Result: memory $c000-$c029, then exit by the debug cart.
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
    SetNmi(nmi)
    SetIrq(irq)
    lda #$81
    sta $dd0d
    .for (var k = 0; k < 14; k++) {
        lda #k + 4
        sta $dd04
        lda #0
        sta $dd05
        sta $10
        lda #$19
        sta $dd0e
        nop
        nop
        here: brk
        nop
        nop
        nop
        WaitS(30)
        lda $10
        sta RES + 3 * k
        lda $11
        sta RES + 3 * k + 1
        lda $12
        sec
        sbc #<here
        sta RES + 3 * k + 2
        bit $dd0d
    }
    Done()
nmi: ldy #1
    .byte $2c
irq: ldy #2
    lda $10
    bne second
    sty $10
    tsx
    lda $0101, x
    sta $11
    lda $0102, x
    sta $12
    rti
second: bit $dd0d
    rti
