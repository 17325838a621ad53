        *=$1000
loop:   dex
        bne loop,x
