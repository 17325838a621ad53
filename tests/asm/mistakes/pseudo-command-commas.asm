.pseudocommand mov a, b {
        lda a
        sta b
}
        mov #1 : $d020
