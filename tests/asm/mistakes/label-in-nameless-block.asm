a: { { deep: nop } }
 lda deep
