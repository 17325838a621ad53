// keys.asm - the random numbers of the hash
//
// Provides: KEY_SEED, SIDE_KEY, KeyLo..., KeyHi..., KeyEx..., KeyRights..., KeyFile..., KeyBits
// Uses:     constants.asm
//
// Keys are successive states of a 16-bit xorshift generator whose period is
// 65,535: none is zero, no two are equal, and any 16 in a row have full rank.
// They are assembled into the image, so a hash is right even before
// InitZobristTables, which makes the same ones again.
// A third byte, from its own generator, serves the search: 16 bits are too few
// for a transposition table. It is not part of the public hash.
#importonce

.const KEY_SEED  = $4D2B

.function NextKey(v) {
    .var x = v
    .eval x = (x ^ (x << 7)) & $FFFF
    .eval x = x ^ (x >> 9)
    .eval x = (x ^ (x << 8)) & $FFFF
    .return x
}
// Keys in this order: type, row, colour (White first), file; then the four
// castling rights, the eight en passant files, the side.
.var Keys = List()
.var keySeed = KEY_SEED
.for (var k = 0; k < KEY_TYPES*128 + 4 + 8 + 1; k++) {
    .eval keySeed = NextKey(keySeed)
    .eval Keys.add(keySeed)
}
// ... and their third bytes: a 16-bit Galois register, eight steps for each
.function NextExtra(v) {
    .var x = v
    .for (var step = 0; step < 8; step++) .eval x = (x & 1) == 1 ? (x >> 1) ^ $B400 : x >> 1
    .return x
}
.var ExtraKeys = List()
.var extraSeed = $ACE1
.for (var k = 0; k < KEY_TYPES*128 + 4 + 8 + 1; k++) {
    .eval extraSeed = NextExtra(extraSeed)
    .eval ExtraKeys.add(extraSeed & $FF)
}
.const KEYS_RIGHTS = KEY_TYPES*128
.const KEYS_FILES  = KEYS_RIGHTS + 4
.const KEY_SIDE    = KEYS_FILES + 8
.label SIDE_KEY    = Keys.get(KEY_SIDE)
.label SIDE_KEY_EX = ExtraKeys.get(KEY_SIDE)

.function StateKey(keys, state) {
    .var key = 0
    .for (var bit = 0; bit < 4; bit++) {
        .if (((state >> bit) & 1) == 1) .eval key = key ^ keys.get(KEYS_RIGHTS + bit)
    }
    .if (state >= STATE_EP) .eval key = key ^ keys.get(KEYS_FILES + ((state >> 4) & 7))
    .return key
}

.function KeyLoOf(white, type)  { .return KeyLo + KeyIndex(type)*$80 + (white ? 0 : 8) }
.function KeyHiOf(white, type)  { .return KeyHi + KeyIndex(type)*$80 + (white ? 0 : 8) }
.function KeyExOf(white, type)  { .return KeyEx + KeyIndex(type)*$80 + (white ? 0 : 8) }

// By castling rights and en passant
KeyRightsLo:    .fill 16, <StateKey(Keys, i)    // by castling rights
KeyRightsHi:    .fill 16, >StateKey(Keys, i)
KeyRightsEx:    .fill 16, StateKey(ExtraKeys, i)
KeyFileLo:      .fill 16, <StateKey(Keys, i << 4)       // by en passant, STATE_EP and file
KeyFileHi:      .fill 16, >StateKey(Keys, i << 4)
KeyFileEx:      .fill 16, StateKey(ExtraKeys, i << 4)
KeyBits:        .fill 12, [<Keys.get(KEYS_RIGHTS+i), >Keys.get(KEYS_RIGHTS+i)]

// One half page per type: White's key of a square at its index, Black's at index + 8.
.align $100
KeyLo:          .fill KEY_TYPES*$80, <Keys.get(i)
KeyHi:          .fill KEY_TYPES*$80, >Keys.get(i)
KeyEx:          .fill KEY_TYPES*$80, ExtraKeys.get(i)
        .errorif (<KeyLo) != 0 || (<KeyHi) != 0 || (<KeyEx) != 0, "page alignment"
