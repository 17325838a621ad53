// Unrolled loops of a plotter and a scroller.
.const SCREEN = $0400
.var order = List()
.for (var i=0; i<64; i++) .eval order.add(mod(i*37, 64))
.macro Column(x, height) {
    .for (var y=0; y<height; y++) {
        .var source = SCREEN + y*40 + x
        .if (mod(y, 2) == 0) {
            lda source + 1
            sta source
        } else {
            lda source - 1
            and #mask(x, y)
            sta source + 40
        }
    }
}
.function mask(x, y) {
    .var m = 0
    .for (var b=0; b<8; b++) .if (((x*b + y) & 3) == 1) .eval m = m | (1<<b)
    .return m
}
*=$2000
start:
.for (var x=0; x<39; x++) {
    Column(x, 25)
}
    ldx #0
plot:
.for (var i=0; i<order.size()*8; i++) {
    .var at = order.get(mod(i, 64))
    lda table + at,x
    ora #(1 << (i & 7))
    sta $8000 + at*8 + (i>>6),x
}
    jmp start
table: .fill 256, order.get(i & 63)*4 + random()*0
