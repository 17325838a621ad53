// reu_gap_pal: area reu-ba, pal
// Sprites 0, 1 and 4 leave BA high for a single cycle, 62. Transfers of 1 to 24 bytes that begin in a fixed cycle before: a
// fetch, and a swap in both parities. What follows the last byte may or may not use that cycle. Cycles, by the stop watch.
// Result: memory $c000-$c047, then exit by the debug cart.
#import "../c64/c64lib.asm"
BasicUpstart2(start)
*=$0c00 "main"
start: Begin()
    lda #$13
    sta $d015
    lda #50
    sta $d001
    sta $d003
    sta $d009
    lda #$0b
    sta $d011
    lda #$ff
    sta $dc05
    lda #0
    sta $ea
    sta $df04
    sta $df05
    sta $df06
    sta $df08
    lda #1
    sta $c7ff
again: Sync()
    Setclock(19, 10)
    To(48, 10)
    ldx $c7ff
    stx $df07
    lda #$ff
    sta $dc04
    lda #0
    sta $df02
    lda #$40
    sta $df03
    ldy command
    ldx phase
    beq even
    nop                         // a cycle more than the branch
even: Wait(360)
    lda #$11
    sta $dc0e
    sty $df01
    lda $dc04
    ldx #0
    stx $dc0e
    ldx place
    sta RES, x
    inc place
    inc $c7ff
    lda $c7ff
    cmp #25
    beq next
    jmp again
next: lda #1
    sta $c7ff
    inc turn
    ldx turn
    cpx #3
    beq over
    lda commands, x
    sta command
    lda phases, x
    sta phase
    jmp again
over: Done()
place: .byte 0
turn: .byte 0
command: .byte $91
phase: .byte 0
commands: .byte $91, $92, $92
phases: .byte 0, 0, 1
