.var l = List()
 lda #l
