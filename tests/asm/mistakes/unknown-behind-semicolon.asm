mv: lda #1; sta foo; rts
