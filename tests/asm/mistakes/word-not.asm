 .if (not true) { nop }
