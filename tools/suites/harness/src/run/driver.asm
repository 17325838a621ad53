// The driver of `tempo test --on`: waits in memory for a call, makes it, and says how it ended. The rest of memory is the
// program's; while the driver waits, all of it is RAM.
//
// Needs: DRIVER (its address), QUIET (whether the interrupts of the CIAs are switched off)
// Block: A, X, Y, P, S, $01, the address to call; then the mark, which is written last by both sides
//        mark: 0 waits, 1 call, 2 is calling, 3 has returned, 4 has met a BRK

        BasicUpstart2(start)

start:  sei
        cld
        .if (QUIET) {
            lda #$7f
            sta $dc0d
            sta $dd0d
            lda $dc0d
            lda $dd0d
        }
        ldx #0
copy:   lda image,x
        sta DRIVER,x
        inx
        cpx #<(imageEnd - image)
        bne copy
        jmp wait

image:
.pseudopc DRIVER {
ra:     .byte 0
rx:     .byte 0
ry:     .byte 0
rp:     .byte 0
rs:     .byte 0
port:   .byte 0
target: .word 0
mark:   .byte 0

wait:   lda #$34                // all RAM
        sta $01
poll:   lda mark
        cmp #1
        bne poll
        inc mark
        lda target
        sta call + 1
        lda target + 1
        sta call + 2
        ldx rs
        txs
        lda port
        sta $01
        ldx rx
        ldy ry
        lda rp
        pha
        lda ra
        plp
call:   jsr $0000
        php
        sei
        cld
        sta ra
        stx rx
        sty ry
        pla
        sta rp
        lda #3
done:   tsx
        stx rs
        ldx $01
        stx port
        ldx #$34
        stx $01
        sta mark
        jmp poll

// Through $FFFE, if the program has nothing there.
broken: sta ra
        stx rx
        sty ry
        cld
        pla
        sta rp
        pla
        sta target
        pla
        sta target + 1
        lda #4
        bne done
}
imageEnd:
