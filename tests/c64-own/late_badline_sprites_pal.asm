// late_badline_sprites_pal: area forced-badline, pal
// A bad line begun in cycle 36 of line 82 while sprites 0 and 2 hold BA low to its end: the first three cells have the
// code $FF and for a colour the low nibble of the next opcode, a NOP ($EA).
// Result: picture.
#import "../c64/c64lib.asm"
BasicUpstart2(start)
*=$0c00 "main"
start: Begin()
    ldx #0
!:  txa
    eor #$5a
    sta CHR + $700, x
    inx
    bne !-
    lda #$05
    sta $d015
    lda #75
    sta $d001
    sta $d005
    lda #60
    sta $d000
    lda #100
    sta $d004
    lda #$1b
    sta $d011
    lda #9
    sta $02
    .eval YS = 3
    .eval SM = $05
    .eval SY = 75
frame: dec $02
    beq over
    jmp next
over: Sync()
    Done()
next: Sync()
    lda #$1b
    sta $d011
    Spent(6)
    lda #$1a
    Spent(2)
    StaAt(82, 36, $d011)
    nop
    nop
    nop
    nop
    jmp frame
