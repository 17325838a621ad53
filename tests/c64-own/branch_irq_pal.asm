// branch_irq_pal: area irq, pal
// A taken branch that stays in its page looks at the interrupt line one cycle before it is taken, so an interrupt
// in its last cycle waits for the next instruction: a run of taken branches against a run of NOPs and of branches
// not taken, interrupted k cycles after the timer's start. The offset into the run where it was left.
// Result: memory $c000-$c01a, then exit by the debug cart.
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
    lda #$81
    sta $dc0d
    .macro Run(k, base, dst) {
        .align $80
        lda #k + 6
        sta $dc04
        lda #0
        sta $dc05
        lda #$19
        sta $dc0e
        cli
        clc
    here: .if (base == 0) { .for (var i = 0; i < 14; i++) nop }
        .if (base == 1) { .for (var i = 0; i < 10; i++) bcc *+2 }
        .if (base == 2) { .for (var i = 0; i < 14; i++) bcs *+2 }
        sei
        lda $12
        sec
        sbc #<here
        sta dst
    }
    .for (var k = 0; k < 9; k++) {
        Run(k, 0, RES + 3 * k)
        Run(k, 1, RES + 3 * k + 1)
        Run(k, 2, RES + 3 * k + 2)
    }
    Done()
handler: pha
    txa
    pha
    tsx
    lda $0104, x
    sta $12
    bit $dc0d
    pla
    tax
    pla
    rti
