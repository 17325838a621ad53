// collision_clear_pal: area collision, pal
// Two sprites over each other: the collision register collects until it is read, the second read in a row is 0,
// the next line sets it again; writes to it change nothing; the interrupt flag rises only when the register was 0.
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
    lda #$03
    sta $d015
    lda #100
    sta $d000
    sta $d002
    sta $d001
    sta $d003
    .eval SM = 3
    .eval SY = 100
    Sync()
    lda $d01e
    lda #$0f
    sta $d019
    To(104, 20)
    lda $d01e
    sta RES
    lda $d01e
    sta RES + 1
    lda $d019
    sta RES + 2
    lda #$0f
    sta $d019
    Setclock(106, 30)
    Wait(300)
    lda $d019
    sta RES + 3
    lda #$0f
    sta $d019
    Wait(200)
    lda $d019       // still set in the register: no new flag
    sta RES + 4
    lda #0
    sta $d01e
    lda $d01e
    sta RES + 5
    Wait(200)
    lda $d019
    sta RES + 6
    lda $d01e
    sta RES + 7
    Done()
