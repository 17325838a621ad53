.macro M(a, b) { nop }
 M(1 $d020)
