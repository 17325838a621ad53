BasicUpstart2(start)
start:  .for (var i = 0; i < 3; i++) {
lda #i
.if (i > 1) {
sta $d020
}
}
rts
Routine: {
        .for (var i = 0; i < 2; i++) {
            .var x = i
            lda #x
        }
loop:   .if (true) { // after a label
        nop
        }
        rts
}
