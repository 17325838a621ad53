.macro M() { lab: nop }
.pseudocommand P a { own: lda a }
m: M()
p: P #1
 lda lab
 lda own
