*=$1000
.struct P { x, y }
.enum { A, B = 4 }
.enum {
 C,
 D
}
 .byte A, D
