// art.asm - the character set, made of font.txt and pieces.txt
//
// Provides: GLYPH_... numbers, macro CharacterSet
// Uses:     font.txt (104 characters, eight side by side: ASCII from blank on, then small pieces),
//           pieces.txt (six pieces of 12 x 24 wide pixels: '#' outline, 'o' body, '.' square)
//
// The screen is in multicolour text mode. Text is drawn in single pixels (colours 0-7), the
// board in wide ones: %00 outline, %01 light square, %10 dark square, %11 the piece's colour.
#importonce

.const GLYPH_SMALL  = 96                // small pieces, in the order of the types
.const GLYPH_ARROW  = 102
.const GLYPH_LIGHT  = 104               // pieces on light squares, nine characters each
.const PIECE_GLYPHS = 9
.const GLYPH_DARK   = GLYPH_LIGHT + 6*PIECE_GLYPHS
.const GLYPH_EMPTY  = GLYPH_DARK + 6*PIECE_GLYPHS       // light, dark
.const GLYPH_DOT    = GLYPH_EMPTY + 2                   // a square one can go to: light, dark
.const GLYPHS       = GLYPH_DOT + 2
.const GROUND_LIGHT = %01
.const GROUND_DARK  = %10

.const Font   = LoadBinary("font.txt")
.const Pieces = LoadBinary("pieces.txt")
.const FONT_LINE  = 8*9                 // eight characters, a blank or line end after each
.const FONT_BLOCK = 8*FONT_LINE + 1
.const PIECE_LINE = 6*13

// FirstLine - offset after the line of names
.function FirstLine() {
    .var at = 0
    .while (Pieces.uget(at) != 10) .eval at++
    .return at + 1
}
.const PIECE_ROWS = FirstLine()

// FontByte - one row of a character
.function FontByte(glyph, y) {
    .var bits = 0
    .var at = floor(glyph/8)*FONT_BLOCK + y*FONT_LINE + mod(glyph, 8)*9
    .for (var x = 0; x < 8; x++) .eval bits = bits*2 + (Font.uget(at+x) == $23 ? 1 : 0)
    .return bits
}

// PieceByte - four wide pixels of a piece on a square of that ground
.function PieceByte(piece, column, y, ground) {
    .var bits = 0
    .var at = PIECE_ROWS + y*PIECE_LINE + piece*13 + column*4
    .for (var x = 0; x < 4; x++) {
        .var c = Pieces.uget(at+x)
        .eval bits = bits*4 + (c == $23 ? %00 : c == $6F ? %11 : ground)
    }
    .return bits
}

.macro PieceSet(ground) {
    .for (var piece = 0; piece < 6; piece++)
        .for (var row = 0; row < 3; row++)
            .for (var column = 0; column < 3; column++)
                .fill 8, PieceByte(piece, column, row*8 + i, ground)
}

// CharacterSet - all glyphs, in order
.macro CharacterSet() {
    .for (var glyph = 0; glyph < GLYPH_LIGHT; glyph++) .fill 8, FontByte(glyph, i)
        PieceSet(GROUND_LIGHT)
        PieceSet(GROUND_DARK)
        .fill 8, GROUND_LIGHT * %01010101
        .fill 8, GROUND_DARK * %01010101
        .byte %01010101, %01111101, %11111111, %11111111, %11111111, %11111111, %01111101, %01010101
        .byte %10101010, %10111110, %11111111, %11111111, %11111111, %11111111, %10111110, %10101010
}
