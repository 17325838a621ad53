// jsr before rts.
*=$1000
        jsr routine             // warning: W0303
        rts
        .byte 0
two:    jsr routine
out:    rts                     // others come here
routine:
        lda two
        beq out
        jsr target:routine      // the target is changed
        rts
        .byte target, >target   // warning: W0102
