// eval.asm - what a piece and its square are worth
//
// Provides: Place (tables by type), BaseValue, PlaceOf, SortValueOf
// Uses:     constants.asm
//
// The score is kept by make and unmake: white minus black, in hundredths of a
// pawn. A placement byte is 128 for "neither good nor bad"; Black's tables are
// turned upside down and negated, so that adding is right for both colours.
#importonce

.const VALUE_PAWN   = 100
.const VALUE_KNIGHT = 320
.const VALUE_BISHOP = 330
.const VALUE_ROOK   = 500
.const VALUE_QUEEN  = 950

.function ValueOf(type) {
    .if (type == PAWN)   .return VALUE_PAWN
    .if (type == KNIGHT) .return VALUE_KNIGHT
    .if (type == BISHOP) .return VALUE_BISHOP
    .if (type == ROOK)   .return VALUE_ROOK
    .if (type == QUEEN)  .return VALUE_QUEEN
    .return 0
}

// BaseValue - what to add beside the placement byte
.function BaseValue(white, type) {
    .return white ? ValueOf(type) - 128 : -ValueOf(type) - 127
}

// SortValueOf - a byte that orders captures by victim
.function SortValueOf(type) {
    .return type == PAWN ? 8 : type == KNIGHT ? 24 : type == BISHOP ? 25 : type == ROOK ? 40 : type == QUEEN ? 72 : 100
}

// Placement by formula: row 0 is rank 8, seen from White.
.function Centre(row, file) {           // 0 at the rim to 6 in the middle
    .return min(row, 7-row) + min(file, 7-file)
}
.function Placement(type, row, file) {
    .var centre = Centre(row, file)
    .if (type == PAWN) {
        .if (row == 0 || row == 7) .return 0
        .var advance = 6 - row
        .var value = advance * advance * 2
        .if (file == 3 || file == 4) .eval value = value + (row == 6 ? -18 : row == 5 ? 6 : row == 4 ? 20 : 10)
        .if ((file == 2 || file == 5) && row == 4) .eval value = value + 8
        .if (file == 0 || file == 7) .eval value = value - 4
        .return value
    }
    .if (type == KNIGHT) .return centre * 9 - 36 + (row == 7 ? -8 : 0)
    .if (type == BISHOP) .return centre * 4 - 12 + (row == 7 ? -10 : 0) + ((row == 6 && (file == 1 || file == 6)) ? 8 : 0)
    .if (type == ROOK)   .return (row == 1 ? 16 : 0) + ((row == 7 && (file == 3 || file == 4 || file == 5)) ? 8 : 0)
    .if (type == QUEEN)  .return centre * 2 - 6 + (row == 7 ? -4 : 0)
    .if (type == KING) {                // stay behind the pawns, castled
        .if (row < 7) .return -20 - 8 * (7 - row > 4 ? 4 : 7 - row)
        .return (file == 6 || file == 2) ? 28 : (file == 1 || file == 7) ? 20 : (file == 0) ? 14 : (file == 4) ? 0 : -6
    }
    .return 0
}

// PlaceByte - byte i of a type's half page: White's squares, Black's at square + 8
.function PlaceByte(index, i) {
    .var type = index == 5 ? KING : index
    .var row  = floor(i / 16)
    .var file = mod(i, 8)
    .if (mod(i, 16) < 8) .return 128 + Placement(type, row, file)
    .return 255 - (128 + Placement(type, 7 - row, file))
}

.function PlaceOf(white, type) { .return Place + KeyIndex(type)*$80 + (white ? 0 : 8) }

.align $100
Place:  .fill KEY_TYPES*$80, PlaceByte(floor(i / 128), mod(i, 128))
        .errorif (<Place) != 0, "page alignment"
