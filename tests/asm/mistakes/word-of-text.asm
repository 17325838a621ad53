        *=$1000
        .word "ab"
