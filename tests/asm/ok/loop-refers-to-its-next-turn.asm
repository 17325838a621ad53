// A body may refer to members of its own label that only the runs to come will define.
*=$1000
steps:  .for (var i=0; i<3; i++) {
entry:  ldx #i
        .if (i<2) { jmp steps[i+1].entry }
        else rts
        .word steps[2-i].entry
}
outer:  Twice()
.macro Twice() {
        jmp outer.last
first:  nop
last:   jmp outer.first
}
