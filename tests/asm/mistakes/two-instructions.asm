        *=$1000
        lda #1 sta $d020
