#if NEVER
   what ` is  \ this ?
#endif
 lda #1
