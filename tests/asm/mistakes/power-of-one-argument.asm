        *=$1000
        lda #2^3
        .byte pow(2)
