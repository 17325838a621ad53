.namespace ns { .const kk = 5 }
 lda #kk
