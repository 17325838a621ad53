 lda #1 ; smile :)
