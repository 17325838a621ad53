// collision_idle_pal: area collision, pal
// The idle pattern ($3FFF of the bank, $39FF with ECM) is foreground where the bottom border is open: a sprite in
// line 252 collides with it, and does not with pattern 0 or with the border closed.
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
    lda #$1b
    sta $d011
    lda #$01
    sta $d015
    lda #100
    sta $d000
    lda #252
    sta $d001
    .macro Look(idle, ecmIdle, d011, opened, dst) {
        lda #idle
        sta $7fff
        lda #ecmIdle
        sta $79ff
        lda #d011
        sta $d011
        .for (var f = 0; f < 2; f++) {
            jsr sync
            lda $d01f
            .if (opened == 1) {
            !: lda $d012
                cmp #249
                bne !-
                lda #d011 & $f7
                sta $d011
            !: lda $d012
                cmp #254
                bne !-
                lda #d011
                sta $d011
            }
        !: lda $d011
            bpl !-
        !: lda $d012
            cmp #30
            bne !-
        }
        lda $d01f
        sta dst
    }
    Look($ff, $00, $1b, 1, RES)
    Look($00, $ff, $1b, 1, RES + 1)
    Look($00, $ff, $5b, 1, RES + 2)
    Look($ff, $00, $5b, 1, RES + 3)
    Look($ff, $ff, $1b, 0, RES + 4)
    Done()
