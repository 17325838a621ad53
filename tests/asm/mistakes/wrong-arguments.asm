.macro M(a, b) { nop }
 M(1)
