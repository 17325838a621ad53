 LDA #1
