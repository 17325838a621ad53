// reu_irq_pal: area reu, pal
// The interrupt of the RAM expansion: at the end of a block and at a difference, each by its own mask bit; the
// status read clears it.
// Result: memory $c000-$c009, then exit by the debug cart.
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
    .macro Block(command, mask) {
        lda #$00
        sta $df02
        lda #$c4
        sta $df03
        lda #0
        sta $df04
        sta $df05
        sta $df06
        sta $10
        sta $11
        sta $df08
        lda #4
        sta $df07
        lda $df00
        lda #mask
        sta $df09
        lda #command
        sta $df01
        nop
        cli
        nop
        nop
        sei
    }
    lda #1
    sta $c400
    Block($90, $00)
    lda $10
    sta RES
    lda $df00
    sta RES + 1
    Block($90, $c0)
    lda $10
    sta RES + 2
    lda $11
    sta RES + 3
    lda $df00
    sta RES + 4
    inc $c402
    Block($93, $a0)
    lda $10
    sta RES + 5
    lda $11
    sta RES + 6
    Block($93, $c0)
    lda $10
    sta RES + 7
    lda $df00
    sta RES + 8
    lda $df07
    sta RES + 9
    Done()
handler: inc $10
    lda $df00
    sta $11
    rti
