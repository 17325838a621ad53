 lda #1 ; the "big one
