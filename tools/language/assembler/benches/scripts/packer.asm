// Level data packed into runs and pairs.
.const WIDTH = 160
.const HEIGHT = 24
.function tile(x, y) {
    .if (y > 20) .return 3
    .if (mod(x, 17) == 0 && y > 14) .return 5
    .if (mod(x*7 + y*3, 23) < 2) .return 9
    .return 0
}
.var level = List()
.for (var x=0; x<WIDTH; x++) .for (var y=0; y<HEIGHT; y++) .eval level.add(tile(x, y))
.var packed = List()
.var at = 0
.while (at < level.size()) {
    .var value = level.get(at)
    .var run = 1
    .while (at+run < level.size() && run < 127 && level.get(at+run) == value) .eval run++
    .var best = 0
    .var bestAt = 0
    .if (run < 3) {
        .for (var back=max(0, at-48); back<at; back++) {
            .var length = 0
            .while (at+length < level.size() && length < 16 && level.get(back+length) == level.get(at+length)) .eval length = length + 1
            .if (length > best) {
                .eval best = length
                .eval bestAt = back
            }
        }
    }
    .if (best > 2) {
        .eval packed.add($80 | best, at - bestAt)
        .eval at = at + best
    } else {
        .eval packed.add(run, value)
        .eval at = at + run
    }
}
*=$3000
level_data: .fill packed.size(), packed.get(i)
.print "packed " + packed.size() + " of " + level.size()
