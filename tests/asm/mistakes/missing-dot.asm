 var x = 1
 .byte x
