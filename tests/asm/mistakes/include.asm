 .include "x.asm"
