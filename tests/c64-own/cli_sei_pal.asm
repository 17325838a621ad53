// cli_sei_pal: area irq, pal
// With a request pending: CLI, SEI lets one interrupt through, after SEI and with I set on the stack; PLP that
// clears I acts late too, RTI at once. The number of interrupts and the pushed status.
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
    .macro Pending() { lda #$7f
        sta $dc0d
        bit $dc0d
        lda #2
        sta $dc04
        lda #0
        sta $dc05
        sta $10
        lda #$81
        sta $dc0d
        lda #$19
        sta $dc0e
        WaitS(12) }
    Pending()
    cli
    sei
    nop
    nop
    lda $10
    sta RES
    lda $11
    sta RES + 1
    Pending()
    lda #0
    pha
    plp
    sei
    nop
    nop
    lda $10
    sta RES + 2
    lda $11
    sta RES + 3
    Pending()
    lda #>after
    pha
    lda #<after
    pha
    lda #0
    pha
    rti
after: sei
    nop
    lda $10
    sta RES + 4
    lda $11
    sta RES + 5
    lda #$7f
    sta $dc0d
    Done()
handler: pha
    txa
    pha
    tsx
    lda $0103, x
    sta $11
    inc $10
    bit $dc0d
    pla
    tax
    pla
    rti
