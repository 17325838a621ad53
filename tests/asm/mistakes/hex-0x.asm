 lda 0x10,x
 .byte 0b101
