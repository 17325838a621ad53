// A still text screen, and a program that works on memory meanwhile: moves a page about and adds it up. The usual
// interrupt of BASIC goes on, sixty times a second.
BasicUpstart2(start)

start:
        ldx #0
fill:   txa
        sta $0400, x
        sta $0500, x
        sta $0600, x
        sta $06e8, x
        inx
        bne fill
again:
        ldx #0
        clc
copy:   lda $c000, x
        adc $c100, x
        sta $c100, x
        inx
        bne copy
        jsr count
        jmp again

count:  inc $fb
        bne !+
        inc $fc
!:      rts
