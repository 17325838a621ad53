*=$1000
a: .fill 200, 0
 bne a
