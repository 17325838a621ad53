.macro f(a) { nop }
 .byte f(1)
