// sid_frequency_change_pal: area sid, pal
// Voice 3's accumulator goes on from where it is when the frequency changes: sawtooth from 0, frequency $8000 for
// a while, 0, then $4000; the top byte after each, and the test bit that sets it back to 0.
// Result: memory $c000-$c004, then exit by the debug cart.
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
    ldx #$18
    lda #0
!: sta $d400, x
    dex
    bpl !-
    lda #$08
    sta $d412
    lda #$20
    sta $d412
    lda #$80
    sta $d40f
    WaitS(60)
    lda #$00
    sta $d40f
    lda $d41b
    sta RES
    WaitS(60)
    lda $d41b
    sta RES + 1
    lda #$40
    sta $d40f
    WaitS(60)
    lda #$00
    sta $d40f
    lda $d41b
    sta RES + 2
    lda #$10
    sta $d412
    lda $d41b
    sta RES + 3
    lda #$28
    sta $d412
    nop
    lda $d41b
    sta RES + 4
    Done()
