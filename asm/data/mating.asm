// mating.asm - how near bishop and knight are to mating a bare king
//
// Provides: MATING_UNIT; macros MatingBareTable, MatingKingsTable, which storage.asm places, and
//           MatingTables, for endgame.asm
// Uses:     nothing
//
// Five tables, the same as in tools/games/chess/src/search/mating.rs, which says where they come from.
// Squares are those of a board that CornerStatic has turned; row 0 is rank 8.
#importonce

.const MATING_UNIT = 4                  // hundredths of a pawn
// the bare king
.var BareNear = List()
.eval BareNear.add(200, 174, 136, 106,  79,  59,  53,  61)
.eval BareNear.add(  0, 131, 100,  63,  39,  28,  39,   0)
.eval BareNear.add(  0,   0,  66,  39,  12,  15,   0,   0)
.eval BareNear.add(  0,   0,   0,   7,   0,   0,   0,   0)
// the king who mates
.var KingNear = List()
.eval KingNear.add(  0,   7,  16,  40,  36,  25,  20,  20)
.eval KingNear.add(  2,  18,  62,  54,  53,  57,  20,  19)
.eval KingNear.add(  6,  65,  60,  67,  56,  57,  30,  35)
.eval KingNear.add( 31,  52,  60,  46,  53,  42,  37,  24)
.eval KingNear.add( 26,  60,  59,  50,  42,  40,  33,  35)
.eval KingNear.add( 31,  36,  55,  45,  42,  40,  40,  30)
.eval KingNear.add( 41,  47,  46,  52,  42,  44,  40,  33)
.eval KingNear.add( 47,  48,  51,  46,  45,  43,  43,  42)
// the knight
.var KnightNear = List()
.eval KnightNear.add( 10,  19,  43,  36,  25,  37,  20,  17)
.eval KnightNear.add(  8,  41,  32,  49,  36,  39,  22,  38)
.eval KnightNear.add( 48,  38,  35,  39,  42,  25,  48,   4)
.eval KnightNear.add( 36,  30,  44,  47,  45,  32,  30,  25)
.eval KnightNear.add( 30,  26,  48,  30,  17,  34,  17,  27)
.eval KnightNear.add( 15,  30,  15,  30,  24,  17,  13,  10)
.eval KnightNear.add(  7,  15,  26,  16,  12,  14,   8,   3)
.eval KnightNear.add(  5,   5,  11,   6,  18,   6,   2,   0)
// the kings, by rows and files between them
.var KingsNear = List()
.eval KingsNear.add(  0,   0, 134, 105,  77,  63,  50,  22)
.eval KingsNear.add(  0,   0, 119,  99,  77,  61,  43,  23)
.eval KingsNear.add(134, 119,  97,  86,  69,  57,  37,  20)
.eval KingsNear.add(105,  99,  86,  80,  67,  54,  36,  16)
.eval KingsNear.add( 77,  77,  69,  67,  56,  45,  30,  15)
.eval KingsNear.add( 63,  61,  57,  54,  45,  42,  24,   9)
.eval KingsNear.add( 50,  43,  37,  36,  30,  24,  16,   0)
.eval KingsNear.add( 22,  23,  20,  16,  15,   9,   0,   3)

// MatingBareTable - by square; the triangle of a8, h8 and the centre
.macro MatingBareTable() {
@MatingBare:
        .fill $35, mod(i, 16) < 8 ? BareNear.get(floor(i / 16)*8 + mod(i, 16)) : 0
}
// MatingKingsTable - by rows * 8 + files; the kings are never on the same square
.macro MatingKingsTable() {
        .label @MatingKings = *-1
        .fill 63, KingsNear.get(i+1)
}
// MatingTables - by square, the knight's at +8; the bishop's by half the steps from a8
.macro MatingTables() {
@MatingKing:
        .fill $80, (mod(i, 16) < 8 ? KingNear : KnightNear).get(floor(i / 16)*8 + mod(i, 8))
@MatingBishop:
        .byte 4, 23, 26, 21, 6, 0, 4, 0
}
