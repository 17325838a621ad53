// charset.asm - the character ROM, $D000-$DFFF, from the drawings in charset.txt
//
// Two sets of 256 characters: capitals with graphics, and small letters with capitals. The upper half of each is
// the lower one reversed.
// Assemble: tempo asm asm/kernal/charset.asm; `UPDATE=1 cargo test -p tempo-c64 --test rom` renews the copy that `emu` carries.
.const ART = LoadBinary("charset.txt")

// The pixels in the order of the text: row by row through eight glyphs that are side by side.
.var pixels = List()
.var comment = false
.for (var i = 0; i < ART.getSize(); i++) {
        .var character = ART.get(i)
        .if (character == $3B) .eval comment = true             // ;
        .if (character == $0A) .eval comment = false
        .if (!comment) {
                .if (character == $23) .eval pixels.add(1)      // #
                .if (character == $2E) .eval pixels.add(0)      // .
        }
}
.errorif pixels.size() != 2 * 128 * 64, "charset.txt has " + pixels.size() + " pixels, two sets of 128 glyphs have 16384"

// The byte of a row of a glyph.
.function row(glyph, line) {
        .var byte = 0
        .var at = floor(glyph / 8) * 512 + line * 64 + mod(glyph, 8) * 8
        .for (var x = 0; x < 8; x++) .eval byte = byte * 2 + pixels.get(at + x)
        .return byte
}

* = $D000 "characters"
.for (var set = 0; set < 2; set++) {
        .fill 128 * 8, row(set * 128 + floor(i / 8), mod(i, 8))
        .fill 128 * 8, row(set * 128 + floor(i / 8), mod(i, 8)) ^ $FF
}
