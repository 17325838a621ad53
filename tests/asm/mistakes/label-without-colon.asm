start   lda #0
        jmp start
