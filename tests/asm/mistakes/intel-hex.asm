        lda #0ffh
