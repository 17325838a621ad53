// cia_alarm_irq_pal: area cia-tod, pal
// The alarm of the clock as an interrupt: the flag without a mask, with the mask the request and the handler, an
// alarm set to the present time, and no second flag while the time stays.
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
    lda #0
    sta $dc0e
    sta $dc0f
    lda #$01
    sta $dc0b
    lda #0
    sta $dc0a
    sta $dc09
    sta $dc08
    lda #$80
    sta $dc0f
    lda #$01
    sta $dc0b
    lda #0
    sta $dc0a
    sta $dc09
    lda #$02
    sta $dc08
    lda #0
    sta $dc0f
    bit $dc0d
!: lda $dc08
    cmp #2
    bne !-
    lda $dc0d
    sta RES
    lda $dc0d
    sta RES + 1
    // The same with the mask and a handler.
    SetIrq(handler)
    lda #$80
    sta $dc0f
    lda #$04
    sta $dc08
    lda #0
    sta $dc0f
    lda #$84
    sta $dc0d
    lda #0
    sta $10
    cli
!: lda $dc08
    cmp #5
    bne !-
    sei
    lda $10
    sta RES + 2
    lda $11
    sta RES + 3
    // An alarm that is set to the time there is.
    bit $dc0d
    lda $dc0b
    sta $12
    lda $dc0a
    lda $dc09
    lda $dc08
    ldx #$80
    stx $dc0f
    sta $dc08
    lda $dc0d
    sta RES + 4
    lda $dc0d
    sta RES + 5
    lda #$7f
    sta $dc0d
    Done()
handler: lda $dc0d
    sta $11
    inc $10
    rti
