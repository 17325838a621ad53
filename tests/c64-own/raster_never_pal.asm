// raster_never_pal: area irq, pal
// A compare value past the last line never matches: no flag in three frames with 312 and with 511; 311 matches
// once a frame, and 0 too.
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
    .macro Count(line, dst) {
        lda #<line
        sta $d012
        lda #line > 255 ? $8b : $0b
        sta $d011
        Sync()
        lda #$0f
        sta $d019
        ldy #0
        .for (var f = 0; f < 3; f++) {
            Sync()
            lda $d019
            and #1
            sta $10
            tya
            clc
            adc $10
            tay
            lda #$0f
            sta $d019
        }
        sty dst
    }
    Count(312, RES)
    Count(511, RES + 1)
    Count(311, RES + 2)
    Count(0, RES + 3)
    Count(100, RES + 4)
    Done()
