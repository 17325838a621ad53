* = $1000
        .word after // error: Value can't be resolved
        .text "X" + after
after:  rts
