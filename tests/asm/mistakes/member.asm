a: {
x: nop
}
 lda yy
 jmp x
