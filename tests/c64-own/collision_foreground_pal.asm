// collision_foreground_pal: area collision, pal
// What counts as foreground: a sprite over multicolour pairs 01, 10, 11 and over hires bits, in text and with the
// screen blanked by the vertical border; the sprite's bit in $D01F for each.
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
    lda #$1b
    sta $d011
    lda #$01
    sta $d015
    lda #60
    sta $d000
    lda #100
    sta $d001
    ldx #0
!: lda #$0b
    sta $d800, x
    sta $d900, x
    sta $da00, x
    sta $db00, x
    inx
    bne !-
    .for (var p = 0; p < 5; p++) {
        lda #p == 4 ? $0f : [p | p << 2 | p << 4 | p << 6]
        ldx #7
    !: sta CHR, x
        dex
        bpl !-
        .for (var mc = 0; mc < 2; mc++) {
            lda #mc == 0 ? $08 : $18
            sta $d016
            jsr sync
            jsr sync
            lda $d01f
            jsr sync
            lda $d01f
            sta RES + 2 * p + mc
        }
    }
    // In the vertical border there is no foreground.
    lda #20
    sta $d001
    jsr sync
    jsr sync
    lda $d01f
    jsr sync
    lda $d01f
    sta RES + 10
    Done()
