// Equal characters of a picture found by a hashtable.
.const COLUMNS = 40
.const ROWS = 25
.var picture = LoadPicture("picture.png", List().add($000000, $ffffff))
.var known = Hashtable()
.var chars = List()
.var map = List()
.for (var row=0; row<ROWS; row++) {
    .for (var column=0; column<COLUMNS; column++) {
        .var key = ""
        .var bytes = List()
        .for (var y=0; y<8; y++) {
            .var byte = 0
            .for (var x=0; x<8; x++) {
                .var colour = picture.getPixel(column*8+x, row*8+y)
                .if (colour == $ffffff || colour > $808080) .eval byte = byte | (1 << (7-x))
            }
            .eval bytes.add(byte)
            .eval key = key + toHexString(byte, 2)
        }
        .if (!known.containsKey(key)) {
            .eval known.put(key, chars.size())
            .eval chars.add(bytes)
        }
        .eval map.add(known.get(key))
    }
}
*=$2000 "charset"
.for (var c=0; c<min(chars.size(), 256); c++) {
    .fill 8, chars.get(c).get(i)
}
*=$0400 "screen"
.fill COLUMNS*ROWS, map.get(i) & $ff
.print "characters: " + chars.size()
