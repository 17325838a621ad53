        lda.w $10
