*=$1000
.macro Set(value, to) {
  lda #value
  sta to
}
main: ldx #3
loop: Set(5, $d020)
  jsr sub
  dex
  bne loop
  rts
sub: inc counter
  rts
counter: .byte 0
