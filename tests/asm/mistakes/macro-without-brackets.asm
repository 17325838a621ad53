.macro M() { nop }
 M
