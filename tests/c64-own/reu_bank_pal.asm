// reu_bank_pal: area reu, pal
// Bytes of an address that has counted on: a write to one of the lower two brings the other back as it was written, and
// leaves the bank; a write to the bank leaves both. Three bytes of the address each time, after 32 bytes from $01fff0 on.
// Result: memory $c000-$c00e, then exit by the debug cart.
#import "../c64/c64lib.asm"
BasicUpstart2(start)
*=$0c00 "main"
start: Begin()
    .macro Moved(register, value, dst) {
        lda #$00
        sta $df02
        sta $df08
        lda #$40
        sta $df03
        lda #$f0
        sta $df04
        lda #$ff
        sta $df05
        lda #1
        sta $df06
        lda #$20
        sta $df07
        lda #$90
        sta $df01
        .if (register != 0) {
            lda #value
            sta register
        }
        lda $df04
        sta dst
        lda $df05
        sta dst + 1
        lda $df06
        sta dst + 2
    }
    Moved(0, 0, RES)
    Moved($df04, $11, RES + 3)
    Moved($df05, $22, RES + 6)
    Moved($df06, $03, RES + 9)
    Moved($df08, $00, RES + 12)
    Done()
