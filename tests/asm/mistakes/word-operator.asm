 .if (1 and 2) { nop }
