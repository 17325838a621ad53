// cia_mirrors_pal: area registers, pal
// The CIAs repeat every 16 bytes in their page: timer latches and ports written and read at mirrors, and the
// interrupt register at $DCFD cleared by a read.
// Result: memory $c000-$c006, then exit by the debug cart.
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
    lda #$21
    sta $dc14
    lda #$43
    sta $dcf5
    lda #$10
    sta $dc0e
    WaitS(6)
    lda $dca4
    sta RES
    lda $dc75
    sta RES + 1
    lda #$1f
    sta $dd42
    lda $dd02
    sta RES + 2
    lda #$3f
    sta $ddf2
    lda $ddb2
    sta RES + 3
    lda #2
    sta $dc04
    lda #0
    sta $dc05
    lda #$19
    sta $dc3e
    WaitS(12)
    lda $dcfd
    sta RES + 4
    lda $dc0d
    sta RES + 5
    lda $dc1e
    sta RES + 6
    Done()
