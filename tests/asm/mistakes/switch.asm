        *=$1000
.var a = 1
.switch (a) {
 .case 1: nop
}
