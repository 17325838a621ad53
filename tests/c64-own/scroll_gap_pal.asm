// scroll_gap_pal: area pipeline, pal
// What a scrolled line shows left of its first byte: the background of the cell that was fetched last, in the line
// before, which has its own colour in bitmap and extended modes. XSCROLL and the mode change every sixteen lines.
// Result: a picture.
BasicUpstart2(main)
#import "../c64/c64lib.asm"
#import "noise.asm"
*=$1000 "main"
main: Begin()
    Noise(77)
    lda #$18
    sta $d018
    lda #14
    sta $d021
    .for (var n = 0; n < 3; n++) {
        lda #2 + 3*n
        sta $d022 + n
    }
    .eval YS = 3
frame: Sync()
    .for (var n = 0; n < 12; n++) {
        PokeAt(53 + 16*n, 58, $d011, List().add($3b, $3b, $1b, $5b).get(n & 3))
        PokeAt(54 + 16*n, 4, $d016, (n*5 & 7) | (n < 6 ? $08 : $18))
    }
    jmp frame
