lp: .for (var i=0;i<3;i++) { in: nop }
.for (var k=0;k<3;k++) { own: nop }
 lda in
 lda own
 lda #i
