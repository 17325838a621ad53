        *=$1000
.var a = 3
.if (1 < a < 5) { nop }
