screen = $0400
 lda screen
