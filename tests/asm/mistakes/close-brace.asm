 lda #0
}
