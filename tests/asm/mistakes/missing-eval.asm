.var x = 1
x++
 .byte x
