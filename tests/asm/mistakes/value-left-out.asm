        *=$1000
.var table = 
        .byte 1,2,3
