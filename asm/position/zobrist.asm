// zobrist.asm - hash keys and the hash of a position
//
// Provides: InitZobristTables, ComputeZobristHash, FlipSideKey, SetState,
//           KeyLo..., KeyHi..., KeyEx..., KeyRights..., KeyFile..., tables by piece code
// Uses:     constants.asm, storage.asm, sync.asm
//
// Keys are successive states of a 16-bit xorshift generator whose period is
// 65,535: none is zero, no two are equal, and any 16 in a row have full rank.
// They are assembled into the image, so a hash is right even before
// InitZobristTables, which makes the same ones again.
// A third byte, from a generator of its own, serves the search: 16 bits are too few
// for a transposition table. It is no part of the public hash.
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
.var ExtraKeys = List()
.var extraSeed = $ACE1
.for (var k = 0; k < KEY_TYPES*128 + 4 + 8 + 1; k++) {
    .for (var step = 0; step < 8; step++) {
        .eval extraSeed = (extraSeed & 1) == 1 ? (extraSeed >> 1) ^ $B400 : extraSeed >> 1
    }
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

// One half page per type: White's key of a square at its index, Black's at index + 8.
.align $100
KeyLo:          .fill KEY_TYPES*$80, <Keys.get(i)
KeyHi:          .fill KEY_TYPES*$80, >Keys.get(i)
KeyEx:          .fill KEY_TYPES*$80, ExtraKeys.get(i)
KeyRightsLo:    .fill 16, <StateKey(Keys, i)    // by castling rights
KeyRightsHi:    .fill 16, >StateKey(Keys, i)
KeyRightsEx:    .fill 16, StateKey(ExtraKeys, i)
KeyFileLo:      .fill 16, <StateKey(Keys, i << 4)       // by en passant, STATE_EP and file
KeyFileHi:      .fill 16, >StateKey(Keys, i << 4)
KeyFileEx:      .fill 16, StateKey(ExtraKeys, i << 4)
KeyBits:        .fill 12, [<Keys.get(KEYS_RIGHTS+i), >Keys.get(KEYS_RIGHTS+i)]
        .errorif (<KeyLo) != 0 || (<KeyHi) != 0 || (<KeyEx) != 0, "page alignment"

// --- Tables by piece code: Black's eight at +0, White's at +$80 ---
// Read as Table-CODE_BITS,x with X = code.
.align $100
CodeTables:
.label TableHalf  = CodeTables + $00    // low byte of a type's tables
.label KeyPageLo  = CodeTables + $08    // high bytes: keys
.label KeyPageHi  = CodeTables + $10
.label PlacePage  = CodeTables + $18    // ... and placement scores
.label BaseLo     = CodeTables + $20    // material
.label BaseHi     = CodeTables + $28
.label SortValue  = CodeTables + $30    // what taking it is worth to a search
.label KeyPageEx  = CodeTables + $38
.for (var half = 0; half < 2; half++) {
    .var white = half == 1
        .fill 8, (KeyIndex(i) & 1)*$80 + (white ? 0 : 8)
        .fill 8, >KeyLo + KeyIndex(i)*$80
        .fill 8, >KeyHi + KeyIndex(i)*$80
        .fill 8, >Place + KeyIndex(i)*$80
        .fill 8, <BaseValue(white, i)
        .fill 8, >BaseValue(white, i)
        .fill 8, SortValueOf(i)
        .fill 8, >KeyEx + KeyIndex(i)*$80
        .fill $80-8*8, 0
}
        .errorif (<CodeTables) != 0, "page alignment"

// InitZobristTables - make all keys
//
// Out:      KeyLo, KeyHi, KeyBits, KeyRightsLo/Hi, KeyFileLo/Hi
// Clobbers: A, X, Y, zpSeedLo/Hi, zpPtrA, zpPtrB
// Cycles:   53,772
InitZobristTables: {
        lda #<KEY_SEED
        sta zpSeedLo
        lda #>KEY_SEED
        sta zpSeedHi
        lda #<KeyLo
        sta zpPtrA
        sta zpPtrB              // both tables start on a page
        lda #>KeyLo
        sta zpPtrA+1
        lda #>KeyHi
        sta zpPtrB+1
        ldx #KEY_TYPES/2        // three pages each
        ldy #0
piece:  jsr nextKey
        lda zpSeedLo
        sta (zpPtrA),y
        lda zpSeedHi
        sta (zpPtrB),y
        iny
        bne piece
        inc zpPtrA+1
        inc zpPtrB+1
        dex
        bne piece
single: jsr nextKey             // X = Y = 0: rights and files
        lda zpSeedLo
        sta KeyBits,y
        lda zpSeedHi
        sta KeyBits+1,y
        iny
        iny
        cpy #2*(4+8)
        bne single
state:  lda #0                  // X = rights
        sta zpSeedLo
        sta zpSeedHi
        txa
        ldy #0
bit:    lsr
        bcc clear
        pha
        jsr add
        pla
clear:  iny
        iny
        cpy #8
        bne bit
        lda zpSeedLo
        sta KeyRightsLo,x
        lda zpSeedHi
        sta KeyRightsHi,x
        inx
        cpx #16
        bne state
        ldx #7                  // the files follow the four rights
        ldy #2*(4+7)
file:   lda KeyBits,y
        sta KeyFileLo+8,x
        lda KeyBits+1,y
        sta KeyFileHi+8,x
        lda #0                  // no en passant, whatever the file
        sta KeyFileLo,x
        sta KeyFileHi,x
        dey
        dey
        dex
        bpl file
        rts
add:    lda KeyBits,y
        eor zpSeedLo
        sta zpSeedLo
        lda KeyBits+1,y
        eor zpSeedHi
        sta zpSeedHi
        rts
nextKey:                        // x ^= x << 7, x ^= x >> 9, x ^= x << 8
        lda zpSeedHi
        lsr
        lda zpSeedLo
        ror
        eor zpSeedHi
        sta zpSeedHi
        ror
        eor zpSeedLo
        sta zpSeedLo
        eor zpSeedHi
        sta zpSeedHi
        rts
}

// ComputeZobristHash - the hash of the public position, from scratch
//
// In:       the public position, SearchSide
// Out:      ZobristHash
// Clobbers: A, X, Y, private position
// Cycles:   7,013 at the start
ComputeZobristHash: {
        jsr SyncPosition
        jmp PublishHash
}

// PublishHash - the private hash with the rights as the caller wrote them
//
// The private state drops rights without king and rook in place; the public
// hash has them, so that it changes whenever castlerights does.
//
// In:       zpHashLo/Hi, zpState, castlerights
// Out:      ZobristHash
// Clobbers: A, X
// Cycles:   34 rights as the lists have them, 59 other rights
PublishHash: {
        lda zpHashLo
        sta ZobristHash
        lda zpHashHi
        sta ZobristHash+1
        lda castlerights
        and #RIGHTS
        eor zpState
        and #RIGHTS
        beq same
        tax                     // keys of single rights add up: those that differ
        lda KeyRightsLo,x
        eor ZobristHash
        sta ZobristHash
        lda KeyRightsHi,x
        eor ZobristHash+1
        sta ZobristHash+1
same:   rts
}

// FlipSideKey - the other side is to move
//
// Clobbers: A
// Cycles:   30
FlipSideKey: {
        lda zpHashLo
        eor #<SIDE_KEY
        sta zpHashLo
        lda zpHashHi
        eor #>SIDE_KEY
        sta zpHashHi
        lda zpHashEx
        eor #SIDE_KEY_EX
        sta zpHashEx
        rts
}

// SetState - new rights and en passant file
//
// In:       A = new zpState
// Out:      zpState, hash
// Clobbers: A, X, Y
// Cycles:   152
SetState: {
        pha
        jsr HashState           // the old one out, the new one in
        pla
        sta zpState
}
HashState: {                    // the keys of zpState into the hash
        lda zpState
        and #RIGHTS
        tax
        lda zpState
        lsr
        lsr
        lsr
        lsr
        tay
        lda KeyRightsLo,x
        eor KeyFileLo,y
        eor zpHashLo
        sta zpHashLo
        lda KeyRightsHi,x
        eor KeyFileHi,y
        eor zpHashHi
        sta zpHashHi
        lda KeyRightsEx,x
        eor KeyFileEx,y
        eor zpHashEx
        sta zpHashEx
        rts
}
