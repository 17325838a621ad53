// port_ram_banking_pal: area memory, pal
// The 6510 port decides with its pins: direction bits off read the pull-ups as 1, so ROM and I/O come back when
// $00 is cleared; the data register keeps its value meanwhile.
// Result: memory $c000-$c005, then exit by the debug cart.
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
    lda #$34
    sta $01
    lda #$9c
    sta $d020
    lda #$35
    sta $01
    lda #$02
    sta $d020
    lda #$34
    sta $01
    lda $d020
    sta RES
    lda #$00
    sta $00
    lda $d020
    and #$0f
    sta RES + 1
    lda $01
    and #$17
    sta RES + 2
    lda #$2f
    sta $00
    lda $d020
    sta RES + 3
    lda $01
    and #$07
    sta RES + 4
    lda #$2e        // LORAM an input: reads 1
    sta $00
    lda $d020
    and #$0f
    sta RES + 5
    lda #$2f
    sta $00
    lda #$35
    sta $01
    Done()
