// keys: {WAIT 3}Q
// frames: 40
// PLOT, SCREEN, IOBASE, MEMTOP, RDTIM, GETIN and STOP, each with what it gives.
BasicUpstart2(start)
start:  clc
        ldx #5
        ldy #10
        jsr $fff0
        lda #'P'
        jsr $ffd2
        sec
        jsr $fff0
        jsr hexx                // 05
        jsr hexy                // 0B: behind the P
        jsr return
        jsr $ffed
        jsr hexx                // 28
        jsr hexy                // 19
        jsr return
        jsr $fff3
        jsr hexx                // 00
        jsr hexy                // DC
        jsr return
        sec
        jsr $ff99
        jsr hexx                // 00
        jsr hexy                // A0
        jsr return
wait:   jsr $ffe4
        beq wait
        jsr hex                 // 51
        jsr return
        lda #0
        tax
        tay
        jsr $ffdb
tick:   jsr $ffde
        cmp #3
        bne tick
        jsr hexx                // 00
        jsr $ffe1
        beq stopped
        lda #'N'
        jsr $ffd2
stopped:
        jmp *
hexx:   txa
        jmp hex
hexy:   tya
        jmp hex
#import "print.inc"
