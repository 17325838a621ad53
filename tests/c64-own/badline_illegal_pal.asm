// badline_illegal_pal: area ba-write, pal
// Read-modify-write instructions with their two writes, among them undocumented ones, begun k cycles before BA of
// a bad line: cycles from a fixed place to the stop watch. SLO (zp),Y, ISC abs,X, ROL abs and PHP in turn, k = 2
// to 11.
// Result: memory $c000-$c027, then exit by the debug cart.
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
    lda #$1b
    sta $d011
    Sync()
    Sync()
    .eval YS = 3
    lda #$00
    sta $20
    lda #$c4
    sta $21
    ldy #0
    .for (var k = 0; k < 10; k++) {
        .for (var which = 0; which < 4; which++) {
            lda #$ff
            sta $dc04
            sta $dc05
            Sync()
            ToBefore(59, 12, 16 + k)
            ldx #0
            ldy #0
            lda #$11
            sta $dc0e
            WaitS(4)
            .if (which == 0) slo ($20), y
            .if (which == 1) isc $c400, x
            .if (which == 2) rol $c400
            .if (which == 3) php
            lda $dc04
            sta RES + 4 * k + which
            lda #0
            sta $dc0e
            .if (which == 3) pla
        }
    }
    Done()
