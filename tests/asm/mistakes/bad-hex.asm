        lda #$gg
