*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: inc $d020
  jmp start
