// Values whose upper bits are meant to go: pointers of sprites in an upper bank, counters that start with 256 turns.
        * = $0801
        BasicUpstart2(start)
        * = $0900
.const TURNS = 256
start:  lda #sprite / 64
        sta $47f8
        lda #(sprite + 64) / $40
        sta $47f9
        lda #sprite >> 6
        sta $47fa
        ldx #TURNS
!:      dex
        bne !-
        ldy #0
!:      iny
        cpy #TURNS
        bne !-
        rts
pointers:
        .byte sprite / 64, sprite / 64 + 1
// A counter of 512 bytes that repeats itself, and a table of low bytes.
        .fill 512, i
        .fill 300, i + 1
        * = $4400
sprite: .fill 128, 0
