        *=$1000
        .text "hello
        rts
