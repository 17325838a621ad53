// phi1_ecm_pal: area phi1, pal
// The byte of an idle read seen at $DE00: $3FFF of the bank outside of the display, whatever ECM says; in the
// display window without bad lines the idle graphics access is $39FF with ECM.
// Result: memory $c000-$c007, then exit by the debug cart.
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
    lda #$a5
    sta $7fff
    lda #$5a
    sta $79ff
    .for (var e = 0; e < 2; e++) {
        lda #e == 0 ? $1b : $5b
        sta $d011
        Sync()
        Sync()
        // No bad line yet: idle state.
        LdaAt(40, 30, $de00)
        sta RES + 4 * e
        Spent(4)
        LdaAt(41, 56, $de00)
        sta RES + 4 * e + 1
        Spent(4)
        LdaAt(43, 20, $df80)
        sta RES + 4 * e + 2
        Spent(4)
        LdaAt(44, 57, $de00)
        sta RES + 4 * e + 3
    }
    Done()
