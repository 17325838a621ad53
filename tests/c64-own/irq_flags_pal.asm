// irq_flags_pal: area irq, pal
// What an interrupt leaves: B is clear on the stack after an IRQ and set after BRK, I is set in the handler and
// back after RTI, decimal mode stays on in the handler of an NMOS CPU.
// Result: memory $c000-$c005, then exit by the debug cart.
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
    lda #20
    sta $dc04
    lda #0
    sta $dc05
    lda #$19
    sta $dc0e
    sed
    cli
    WaitS(40)
    php
    pla
    sta RES
    lda $10
    sta RES + 1
    lda $11
    sta RES + 2
    lda $13
    sta RES + 3
    cld
    brk
    nop
    lda $10
    sta RES + 4
    lda $13
    sta RES + 5
    sei
    Done()
handler: pha
    txa
    pha
    tsx
    lda $0103, x
    sta $10
    php
    pla
    sta $11
    lda #$09
    clc
    adc #$01
    sta $13
    bit $dc0d
    pla
    tax
    pla
    rti
