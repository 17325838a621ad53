// colour_ram_bus_pal: area registers, pal
// Colour RAM has four bits; the upper ones of a read are what the VIC left on the bus: the idle byte, here $A5,
// $5A and $00. A read-modify-write keeps the lower four.
// Result: memory $c000-$c00b, then exit by the debug cart.
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
    .for (var i = 0; i < 3; i++) {
        lda #i == 0 ? $a5 : [i == 1 ? $5a : 0]
        sta $7fff
        lda #$37
        sta $d900
        Sync()
        LdaAt(30, 30, $d900)
        sta RES + 4 * i
        inc $d900
        Sync()
        LdaAt(30, 40, $d900)
        sta RES + 4 * i + 1
        lsr $d900
        Sync()
        LdaAt(30, 20, $d900)
        sta RES + 4 * i + 2
        Sync()
        LdaAt(30, 20, $dbff)
        and #$f0
        sta RES + 4 * i + 3
    }
    Done()
