// cia_pb_override_pal: area cia-port, pal
// PB6 and PB7 as timer outputs while the direction register says input: the timers win over port and direction,
// and the other lines stay as they are.
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
    lda #0
    sta $dc02
    sta $dc03
    sta $dc01
    lda #$10
    sta $dc04
    sta $dc06
    lda #0
    sta $dc05
    sta $dc07
    lda $dc01
    sta RES
    lda #$02        // pulse mode, stopped: low
    sta $dc0e
    lda $dc01
    sta RES + 1
    sta RES + 2
    lda #$06        // toggle mode, stopped
    sta $dc0f
    lda $dc01
    sta RES + 2
    lda #$17        // started: high until the first underflow
    sta $dc0f
    lda $dc01
    sta RES + 3
    WaitS(20)
    lda $dc01
    sta RES + 4
    WaitS(10)
    lda $dc01
    sta RES + 5
    lda #$3f
    sta $dc03
    sta $dc01
    lda $dc01
    sta RES + 6
    lda #0
    sta $dc0e
    sta $dc0f
    lda $dc01
    sta RES + 7
    Done()
