// jsr before rts is jmp only if the routine does not look where it was called from.
*=$1000
        jsr plain               // warning: W0303
        rts
r1:     jsr through             // warning: W0303
        rts
r2:     jsr saves               // warning: W0303
        rts
r3:     jsr pulls               // takes its parameters from after the jsr
        rts
        .byte 0
r4:     jsr deep                // calls one that does
        rts
r5:     jsr jumps               // ends in one that does
        rts
r6:     jsr peeks
        rts
r7:     jsr peeksByIndex
        rts
r8:     jsr $ffd2               // nobody knows
        rts
r9:     jsr changed
        rts
r10:    jsr vector
        rts
r11:    jsr data
        rts
r12:    jsr loop                // warning: W0303
        rts
r13:    Call(plain)             // each call of the macro would have to be one
r14:    Call(pulls)
r15:    Proper(plain)
r16:    Proper(saves)

.macro Call(routine) {
        jsr routine
        rts
}
.macro Proper(routine) {
        jsr routine             // warning: W0303
        rts
}

plain:  inc $d020
        rts
through:
        bne !+
        jmp plain
!:      jsr saves
        jmp through
saves:  pha
        lda #1
        pla
        rts
pulls:  pla
        sta $fb
        pla
        sta $fc
        pha
        lda $fb
        pha
        rts
deep:   jsr through
        jsr jumps
        rts                     // tells nothing: the jsr above is not one
jumps:  beq plain
        jmp pulls
peeks:  tsx
        lda $0101,x
        sta $fb
        rts
peeksByIndex:
        ldx #$f0
        lda $0100,x
        rts
changed:
        lda #$60
        sta opcode
opcode: pla
        rts
vector: jmp ($0314)
data:   .byte $2c
        rts
loop:   dex
        bne loop
        rts
