// collision_multiplex_pal: area collision, pal
// A sprite used twice in one frame: moved after its last line, it meets another partner each time; the register
// tells both meetings apart when read between them.
// Result: memory $c000-$c002, then exit by the debug cart.
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
    lda #$07
    sta $d015
    lda #100
    sta $d000
    sta $d002
    sta $d004
    lda #60
    sta $d001
    sta $d003
    lda #120
    sta $d005
    Sync()
    Sync()
    lda $d01e
    ldx #0
!: lda $d012
    cmp #90
    bne !-
    lda $d01e
    sta RES
    lda #120
    sta $d001
!: lda $d012
    cmp #150
    bne !-
    lda $d01e
    sta RES + 1
    lda #60
    sta $d001
!: lda $d012
    cmp #40
    bne !-
!: lda $d012
    cmp #150
    bne !-
    lda $d01e
    sta RES + 2
    Done()
