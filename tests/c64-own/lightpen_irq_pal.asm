// lightpen_irq_pal: area lightpen, pal
// The light pen as an interrupt: enabled with bit 3 of $D01A, pulled by a write to port B in line 60; the handler
// runs once, the flag is 8, and in the same frame a second pull gives nothing.
// Result: memory $c000-$c003, then exit by the debug cart.
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
    lda #$7f
    sta $dc0d
    lda #$10
    sta $dc03
    lda #$ff
    sta $dc01
    Sync()
    lda #$0f
    sta $d019
    lda #8
    sta $d01a
    lda #0
    sta $10
    Sync()
    To(60, 20)
    cli
    lda #$ef
    sta $dc01
    nop
    nop
    lda #$ff
    sta $dc01
    nop
    lda #$ef
    sta $dc01
    nop
    nop
    sei
    lda $10
    sta RES
    lda $11
    sta RES + 1
    lda $12
    sta RES + 2
    lda $13
    sta RES + 3
    lda #0
    sta $d01a
    Done()
handler: inc $10
    lda $d019
    sta $11
    sta $d019
    lda $d013
    sta $12
    lda $d014
    sta $13
    rti
