// Code after an instruction that never continues.
*=$1000
        jmp end
        nop                     // warning: W0302
        nop
end:    rts
        .byte 1, 2, 3           // data is not executed
table:  .word end
        jmp *+4                 // the operand leads to the byte after the nop
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
        jmp entry1              // a table of entries
        jmp entry2
        jmp entry3
        nop                     // warning: W0302
entry1: rts
entry2: rts
entry3: rts
.const TEST = true
part1:  nop
        .if (TEST) { jmp entry1 }
        lda #0                  // reached when the condition is false
#if !NEVER
        jmp entry2
#endif
        lda #1                  // reached without the condition
        rts
        jsr entry1              // warning: W0302
        rts
part2:  nop
        .if (TEST) {
        jmp entry1
        nop                     // warning: W0302
        }
        jmp (table)
        // tempo: allow(W0302)
        nop
        rti
        inc $d020               // tempo: allow(W0301, W0302)
        jmp end
        inc $d020               // tempo: allow(W0301) // warning: W0302
        rts
