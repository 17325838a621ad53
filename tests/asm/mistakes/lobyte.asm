        lda #.lobyte(table)
table:  .byte 1
