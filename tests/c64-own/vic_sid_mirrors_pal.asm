// vic_sid_mirrors_pal: area registers, pal
// The VIC repeats every $40 bytes to $D3FF, the SID every $20 to $D7FF: a border colour, a sprite position and
// voice 3's sawtooth written and read at mirrors.
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
    lda #$05
    sta $d3e0
    lda $d020
    sta RES
    lda #$77
    sta $d140
    lda $d000
    sta RES + 1
    lda $d2c0
    sta RES + 2
    lda $d07f
    sta RES + 3
    // The test bit holds the oscillator at 0; then two bytes of frequency at mirrors.
    lda #$08
    sta $d432
    lda #$00
    sta $d7ee
    lda #$40
    sta $d44f
    lda #$20
    sta $d512
    WaitS(40)
    lda $d6fb
    sta RES + 4
    lda $d419
    sta RES + 5
    Done()
