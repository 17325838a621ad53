 .org $1000
 nop
