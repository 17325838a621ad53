// cia_tod_latch_pal: area cia-tod, pal
// Reading the hours holds all four registers until the tenths are read, also while they are written; minutes and
// seconds alone hold nothing.
// Result: memory $c000-$c00a, then exit by the debug cart.
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
    lda #$00
    sta $dc0f
    lda #$05
    sta $dc0b
    lda #$12
    sta $dc0a
    lda #$34
    sta $dc09
    lda #$06
    sta $dc08
    lda $dc0b
    sta RES
    // Written while it is held: the clock runs on from the new values.
    lda #$07
    sta $dc0b
    lda #$21
    sta $dc0a
    lda #$43
    sta $dc09
    lda #$08
    sta $dc08
    lda $dc0b
    sta RES + 1
    lda $dc0a
    sta RES + 2
    lda $dc09
    sta RES + 3
    lda $dc08
    sta RES + 4
    lda $dc0a
    sta RES + 5
    lda $dc09
    sta RES + 6
    lda $dc08
    sta RES + 7
    lda $dc0b
    sta RES + 8
    lda $dc08
    // Hours of 12 keep their PM bit the wrong way round.
    lda #$12
    sta $dc0b
    lda $dc0b
    sta RES + 9
    lda #$92
    sta $dc0b
    lda $dc08
    lda $dc0b
    sta RES + 10
    Done()
