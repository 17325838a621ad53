.namespace ns { .enum {E1} }
 lda #E1
