.macro M(par) { lab: lda #par }
 M(3)
 lda lab
 lda par
