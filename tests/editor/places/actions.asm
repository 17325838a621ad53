// ask: actions problems

*=$1000
.macro Set(a, b) { .byte a, b }
start:  lda bordr‸
        Se‸t(1)
        lda $d‸020
        rts
.label border = $d020
