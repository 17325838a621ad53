a: { .const kk = 5 }
{ .var v = 5 }
 lda #kk
 lda #v
