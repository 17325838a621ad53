// nmi_sources_pal: area irq, pal
// CIA 2's line is an edge: flags of both timers before the register is read give one interrupt, a read between
// them gives two; a mask set while the flag is up gives one at once.
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
    SetNmi(handler)
    .macro Timers(a, b) { lda #a
        sta $dd04
        lda #b
        sta $dd06
        lda #0
        sta $dd05
        sta $dd07
        sta $10
        lda #$19
        sta $dd0e
        sta $dd0f }
    // Nobody reads the register: one.
    lda #$60
    sta acknowledge
    lda #$83
    sta $dd0d
    Timers(20, 60)
    WaitS(200)
    lda $10
    sta RES
    lda $dd0d
    sta RES + 1
    // The handler reads it: two.
    lda #$2c
    sta acknowledge
    Timers(20, 120)
    WaitS(250)
    lda $10
    sta RES + 2
    lda $dd0d
    sta RES + 3
    // The mask comes late.
    lda #$7f
    sta $dd0d
    Timers(5, 5)
    WaitS(30)
    lda $10
    sta RES + 4
    lda #$81
    sta $dd0d
    nop
    nop
    lda $10
    sta RES + 5
    lda $dd0d
    sta RES + 6
    Done()
handler: inc $10
    jsr acknowledge
    rti
acknowledge: bit $dd0d
    rts
