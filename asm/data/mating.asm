// mating.asm - how near bishop and knight are to mating a bare king
//
// Provides: MATING_UNIT; macros MatingBareTable, MatingKingsTable, which storage.asm places, and
//           MatingTables, for endgame.asm
// Uses:     nothing
//
// Five tables, the same as in tools/chess/src/search/mating.rs, which says where they come from.
// Squares are those of a board that CornerStatic has turned; row 0 is rank 8.
#importonce

.const MATING_UNIT = 4                  // hundredths of a pawn
// the bare king
.var BareNear = List()
.eval BareNear.add(192, 166, 129,  96,  69,  50,  46,  57)
.eval BareNear.add(  0, 126,  91,  56,  32,  25,  35,   0)
.eval BareNear.add(  0,   0,  58,  28,  10,  13,   0,   0)
.eval BareNear.add(  0,   0,   0,   8,   0,   0,   0,   0)
// the king who mates
.var KingNear = List()
.eval KingNear.add(  0,  14,  19,  42,  24,  23,  19,  23)
.eval KingNear.add(  7,  16,  70,  64,  57,  60,  30,  21)
.eval KingNear.add( 16,  74,  67,  73,  63,  64,  38,  31)
.eval KingNear.add( 33,  60,  66,  58,  60,  47,  40,  31)
.eval KingNear.add( 29,  53,  60,  56,  42,  42,  39,  36)
.eval KingNear.add( 32,  38,  52,  47,  47,  44,  40,  33)
.eval KingNear.add( 42,  49,  46,  48,  43,  47,  42,  36)
.eval KingNear.add( 49,  48,  53,  46,  46,  46,  48,  45)
// the knight
.var KnightNear = List()
.eval KnightNear.add(  5,  20,  34,  31,  24,  30,  12,  18)
.eval KnightNear.add(  6,  38,  29,  48,  34,  36,  20,  27)
.eval KnightNear.add( 41,  33,  35,  34,  39,  25,  42,   6)
.eval KnightNear.add( 34,  31,  40,  44,  44,  27,  28,  23)
.eval KnightNear.add( 25,  27,  45,  32,  16,  32,  17,  26)
.eval KnightNear.add( 19,  22,  21,  30,  23,  17,  12,   7)
.eval KnightNear.add(  4,  14,  26,  17,  11,  12,  10,   0)
.eval KnightNear.add(  3,   2,  15,   8,  15,   7,   0,   1)
// the kings, by rows and files between them
.var KingsNear = List()
.eval KingsNear.add(  0,   0, 132, 108,  83,  66,  46,  23)
.eval KingsNear.add(  0,   0, 117, 100,  78,  65,  44,  22)
.eval KingsNear.add(132, 117,  95,  86,  71,  58,  37,  20)
.eval KingsNear.add(108, 100,  86,  78,  68,  54,  36,  19)
.eval KingsNear.add( 83,  78,  71,  68,  59,  47,  34,  22)
.eval KingsNear.add( 66,  65,  58,  54,  47,  44,  22,  11)
.eval KingsNear.add( 46,  44,  37,  36,  34,  22,  16,   0)
.eval KingsNear.add( 23,  22,  20,  19,  22,  11,   0,   6)

// MatingBareTable - by square; the triangle of a8, h8 and the centre
.macro MatingBareTable() {
@MatingBare:
        .fill $35, mod(i, 16) < 8 ? BareNear.get(floor(i / 16)*8 + mod(i, 16)) : 0
}
// MatingKingsTable - by rows * 8 + files; the kings never stand on the same square
.macro MatingKingsTable() {
        .label @MatingKings = *-1
        .fill 63, KingsNear.get(i+1)
}
// MatingTables - by square, the knight's at +8; the bishop's by half the steps from a8
.macro MatingTables() {
@MatingKing:
        .fill $80, (mod(i, 16) < 8 ? KingNear : KnightNear).get(floor(i / 16)*8 + mod(i, 8))
@MatingBishop:
        .byte 2, 24, 27, 20, 6, 0, 4, 2
}
