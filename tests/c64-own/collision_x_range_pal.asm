// collision_x_range_pal: area collision, pal
// Where a sprite can be: sprite 1 covers the whole line by being moved along with sprite 0 to X = 0, 8, ... 504; a
// value above 503 is never reached on PAL, so nothing collides there. One bit per position.
// Result: memory $c000-$c03f, then exit by the debug cart.
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
    sta $d001
    sta $d003
    ldx #0
    stx $20
next: lda $20
    asl
    asl
    asl
    sta $d000
    sta $d002
    lda #0
    ldx $20
    cpx #32
    bcc !+
    lda #3
!: sta $d010
    jsr sync
    lda $d01e
    jsr sync
    lda $d01e
    ldx $20
    sta RES, x
    inc $20
    lda $20
    cmp #64
    bne next
    Done()
