        *=$1000
.print Hello
        rts
