.var s = "abc"
        *=$1000
        .byte s.charAt(5)
