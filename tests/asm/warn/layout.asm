// Blocks, segments and conditions.
.segmentdef Code [start=$1000]
.segmentdef Vars [startAfter="Code", start=$2000, virtual]      // warning: W0204
.segmentdef Small [start=$c000, max=$c001, virtual]
.segment Code
        lda v
        sta w
        rts
.segment Vars
v:      .byte 0
.segment Small
        .byte 0, 0
w:      .byte 0                 // warning: W0203
        .byte 0
.segment Default
*=$fffe "Vectors"
        .word $1000
        .word $1000             // warning: W0201
*=$12000 "Bank"                 // a bank of a cartridge is meant to be there
        .byte 0
#if DEBUG                       // warning: W0202
        .byte 1
