 .repeat 5
 nop
