.macro M() { nop }
.macro M() { nop }
