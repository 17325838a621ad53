        *=$1000
.var a = 3
        lda #a > 2 ? 1
