 .byte (1+2
 lda #0
