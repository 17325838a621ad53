// reu_badlines_pal: area reu, pal
// A transfer of 500 bytes waits while the VIC has the bus: its cycles with the display on, over seven bad lines,
// against the display off.
// Result: memory $c000-$c003, then exit by the debug cart.
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
    .macro Timed(dst) {
        lda #$00
        sta $df02
        lda #$c4
        sta $df03
        lda #0
        sta $df04
        sta $df05
        sta $df06
        lda #<500
        sta $df07
        lda #>500
        sta $df08
        lda #$ff
        sta $dc04
        sta $dc05
        Sync()
        To(49, 20)
        lda #$11
        sta $dc0e
        lda #$90
        sta $df01
        lda #0
        sta $dc0e
        lda $dc04
        sta dst
        lda $dc05
        sta dst + 1
    }
    Timed(RES)
    lda #$1b
    sta $d011
    Sync()
    Timed(RES + 2)
    Done()
