 lda %12
 .byte 1, %2
