// Branches whose flag is known from the lines before.
*=$1000
start:  lda #0
        bne start               // warning: W0310
        ldx #5
        bpl start               // warning: W0310
        nop
        clc
        bcc short               // a short jump: the label after it is used
other:  rts
short:  lda value
        beq other
        bne *+3                 // warning: W0310
        nop
        lda value
        beq loop                // not known
        sec
loop:   bcs other               // the label may be reached with the carry clear
        lda #1
        jsr start
        bne other               // the routine may change the flag
        lda #0
        sta value
        lda value
        bne other               // an interrupt may have stored something
        lda #0
count:  beq other               // something leads here
patch:  ldx #1
        bne other
        ldx #2                  // tempo: allow(W0302)
        stx patch + 1
.macro Skip(on) {
        lda #on
        bne !+
        nop
!:
}
        Skip(1)
        sed
        clv
        bvs other               // warning: W0310
        php
        cld
        plp
        jmp (count)
good:   lda #1
        .byte $2c               // skips the next instruction
bad:    lda #0
        beq other
        inc $d020
        lda #0
        bne other               // warning: W0310
        jsr good
        jmp bad
value:  .byte 0
