 lda [1+2
