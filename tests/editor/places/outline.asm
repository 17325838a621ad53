// ask: outline folds links selection calls lens
#import "lib.asm"
#define DEBUG
#if DEBUG
        nop
#else
        brk
#endif

// One.
// Two.
.namespace sound {
play: {
        lda #0‸
loop:   rts
}
}
/* long
   comment */
.enum { off, on }
.struct Point { x, y }
.macro Twice(a) {
        .byte a, a
}
*=$1000
main:   jsr sub‸
        jsr sound.play
        Twice(1)
        rts
sub:    lda table
        rts
.label table = $2000
.function square(x) { .return x * x }
.segmentdef Data [start=$3000]
.segment Data "Tables"
        .byte 1
.segment Default
* = $1800 "More"
        .byte 2
.memblock "Rest"
        .byte 3
