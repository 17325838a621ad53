// Code behind an instruction that never goes on.
*=$1000
        jmp end
        nop                     // warning: W0302
        nop
end:    rts
        .byte 1, 2, 3           // data is not executed
table:  .word end
        jmp *+4                 // the operand leads to the byte behind the nop
        nop                     // warning: W0302
        rts
patched: rts                    // something else is written here
        lda #$ea
        sta patched
        bne *-1                 // tempo: allow(W0310)
.macro Maybe(stop) {
    .if (stop) { rts }
        lda #1                  // reached in one of its two runs
}
        Maybe(true)
        Maybe(false)
        jmp (table)
        // tempo: allow(W0302)
        nop
        rti
        inc $d020               // tempo: allow(W0301, W0302)
        jmp end
        inc $d020               // tempo: allow(W0301) // warning: W0302
        rts
