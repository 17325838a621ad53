#importonce
.filenamespace sprites
.label x = $d000
.label y = $d001
.label pointer = $07f8

* = $1800 "Sprites"
setup: {
            lda #shape / 64
            sta pointer
            lda #1
            sta $d015
            .watch y,,"store"
            rts
}

* = $2000 "Shape"
shape:
.for (var row = 0; row < 21; row++) {
    .var bits = pow(2, row + 1) - 1
    .byte >(bits >> 8), >bits, <bits
}
