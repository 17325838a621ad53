.macro foo a,b { lda #a }
.macro bar {
 nop
}
.pseudocommand baz(a,b) { nop }
