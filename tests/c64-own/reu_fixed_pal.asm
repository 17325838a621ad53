// reu_fixed_pal: area reu, pal
// The RAM expansion with fixed addresses: one byte of the C64 fills 32 of the expansion, one of the expansion
// fills the C64, and both fixed; the address registers afterwards.
// Result: memory $c000-$c009, then exit by the debug cart.
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
    .macro Place(here, there, length, control) {
        lda #<here
        sta $df02
        lda #>here
        sta $df03
        lda #<there
        sta $df04
        lda #>there
        sta $df05
        lda #0
        sta $df06
        lda #<length
        sta $df07
        lda #>length
        sta $df08
        lda #control
        sta $df0a
    }
    lda #$5c
    sta $c400
    lda #$77
    sta $c401
    Place($c400, $2000, 32, $80)
    lda #$90
    sta $df01
    lda $df02
    sta RES
    lda $df04
    sta RES + 1
    Place($c500, $2000, 32, $00)
    lda #$91
    sta $df01
    lda $c500
    sta RES + 2
    lda $c51f
    sta RES + 3
    lda $df02
    sta RES + 4
    Place($c600, $201f, 16, $40)
    lda #$91
    sta $df01
    lda $c60f
    sta RES + 5
    lda $df04
    sta RES + 6
    Place($c401, $2000, 8, $c0)
    lda #$90
    sta $df01
    Place($c700, $2000, 2, $00)
    lda #$91
    sta $df01
    lda $c700
    sta RES + 7
    lda $c701
    sta RES + 8
    lda $df0a
    sta RES + 9
    Done()
