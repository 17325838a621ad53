 lda #1 ; {open
