.define kk { .var kk = 1
 .var loc = 2 }
 lda #loc
