.function f(p) { .var loc = 1
 .return loc }
 lda #loc
 lda #p
