// vic_bank_ntsc: area phi1, ntsc
// The bank of the VIC follows $DD00 from the next cycle on, and inputs count as 1: the idle byte of each bank,
// seen at $DE00, for port values 0 to 3 and with the direction bits off.
// Result: memory $c000-$c005, then exit by the debug cart.
#define NTSC
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
    lda #$11
    sta $3fff
    lda #$22
    sta $7fff
    lda #$33
    sta $bfff
    lda #$34
    sta $01
    lda #$44
    sta $ffff
    lda #$35
    sta $01
    Sync()
    .for (var b = 0; b < 4; b++) {
        PokeAt(30 + 2 * b, 20, $dd00, b)
        LdaAt(30 + 2 * b, 58, $de00)
        sta RES + b
        Spent(4)
    }
    lda #0
    sta $dd00
    lda #$3c
    sta $dd02
    Setclock(40, 1)
    Sync()
    LdaAt(30, 58, $de00)
    sta RES + 4
    lda #$3d
    sta $dd02
    Sync()
    LdaAt(30, 58, $de00)
    sta RES + 5
    Done()
