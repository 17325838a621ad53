.macro M() {
blk: { inner: nop }
 jmp inner
}
.namespace ns {
sub: { own: nop }
 jmp own
}
 M()
