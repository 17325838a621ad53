        lda ($fb,y)
