// keys_from_b_pal: area keyboard, pal
// The matrix read the other way round: rows driven on port B, columns read on port A, with A (PA1, PB2), S (PA1,
// PB5) and D (PA2, PB2) held, three corners of a rectangle. Row 2 pulls columns 1 and 2; row 5 pulls column 1 and,
// through A and D, column 2.
// Result: memory $c000-$c008, then exit by the debug cart.
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
    sta $dc02
    lda #$ff
    sta $dc03
    .for (var r = 0; r < 8; r++) {
        lda #$ff ^ [1 << r]
        sta $dc01
        lda $dc00
        sta RES + r
    }
    lda #$00
    sta $dc01
    lda $dc00
    sta RES + 8
    Done()
