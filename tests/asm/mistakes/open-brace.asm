a: {
 lda #0
