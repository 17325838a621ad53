.import "x.bin"
.import "x.asm"
