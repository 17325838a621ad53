        lda #lo(table)
table:  .byte 1
