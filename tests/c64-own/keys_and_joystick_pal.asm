// keys_and_joystick_pal: area keyboard, pal
// A joystick and a key at once: joystick 2 pulls PA3 and PA4 low whatever is driven, so columns 3 and 4 are always
// asked: held G (PA3, PB2) shows in every column's row 2, and port A reads the switches.
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
    lda #$ff
    sta $dc02
    lda #0
    sta $dc03
    .for (var c = 0; c < 8; c++) {
        lda #$ff ^ [1 << c]
        sta $dc00
        lda $dc01
        sta RES + c
    }
    lda #$ff
    sta $dc00
    lda $dc00
    sta RES + 8
    lda $dc01
    sta RES + 9
    Done()
