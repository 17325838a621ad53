// ask: rename
.macro One() {
nex‸t:   nop
}
.macro Two() {
next:   nop
}
.macro Jump(near) { jmp near.ne‸xt }
*=$1000
one:    One()
two:    Two()
        Jump(one)
        Jump(two)
