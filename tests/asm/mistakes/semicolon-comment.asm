 lda #1 ; load one
