// eval.asm - what a piece and its square are worth
//
// Provides: Place (tables by type), BaseValue, PlaceOf, SortValueOf
// Uses:     constants.asm, data/values.asm (the tuned values)
//
// The score is kept by make and unmake: white minus black, in hundredths of a
// pawn. A placement byte is 128 for "neither good nor bad"; Black's tables are
// turned upside down and negated, so that adding is right for both colours.
// There are values for the middle game and for the endgame. blend.asm mixes them
// once per search, by the pieces at its root, so that a node pays nothing for it.
#importonce

// BaseValue - what to add beside the placement byte, in the middle game
.function BaseValue(white, type) {
    .var value = BaseMiddle.get(KeyIndex(type == 5 || type == 6 ? KING : type))
    .return white ? value - 128 : -value - 127
}

// SortValueOf - a byte that orders captures by victim
.function SortValueOf(type) {
    .return type == PAWN ? 8 : type == KNIGHT ? 24 : type == BISHOP ? 24 : type == ROOK ? 40 : type == QUEEN ? 72 : 100
}

// PlaceByte - byte i of a type's half page: White's squares, Black's at square + 8
.function PlaceByte(index, i) {
    .var row  = floor(i / 16)
    .var file = mod(i, 8)
    .if (mod(i, 16) < 8) .return 128 + PlaceMiddle.get(index*64 + row*8 + file)
    .return 255 - (128 + PlaceMiddle.get(index*64 + (7-row)*8 + file))
}

.function PlaceOf(white, type) { .return Place + KeyIndex(type)*$80 + (white ? 0 : 8) }

.align $100
Place:  .fill KEY_TYPES*$80, PlaceByte(floor(i / 128), mod(i, 128))
        .errorif (<Place) != 0, "page alignment"
