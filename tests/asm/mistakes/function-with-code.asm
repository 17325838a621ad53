.function f(a) { lda #a }
 .byte f(1)
