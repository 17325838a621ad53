; the program
 lda #1
