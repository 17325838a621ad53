 lda #"a"
