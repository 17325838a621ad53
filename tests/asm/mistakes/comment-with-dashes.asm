        *=$1000
        lda #1 -- load
