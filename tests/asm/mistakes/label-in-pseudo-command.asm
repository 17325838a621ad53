.pseudocommand P a { own: lda a }
 P #1
 lda own
