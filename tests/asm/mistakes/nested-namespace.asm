.namespace ns { .namespace in { x: nop } }
 lda in.x
