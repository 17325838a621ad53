// zobrist.asm - the hash of a position
//
// Provides: InitZobristTables, ComputeZobristHash, FlipSideKey, SetState, tables by piece code
// Uses:     constants.asm, storage.asm, keys.asm, sync.asm
#importonce

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
.macro CodeHalf(white) {
        .fill 8, (KeyIndex(i) & 1)*$80 + (white ? 0 : 8)
        .fill 8, >KeyLo + KeyIndex(i)*$80
        .fill 8, >KeyHi + KeyIndex(i)*$80
        .fill 8, >Place + KeyIndex(i)*$80
        .fill 8, <BaseValue(white, i)
        .fill 8, >BaseValue(white, i)
        .fill 8, SortValueOf(i)
        .fill 8, >KeyEx + KeyIndex(i)*$80
}
        CodeHalf(false)

// --- Code that fits between the halves ---

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
        PadTo($80)
        CodeHalf(true)
        .errorif (<CodeTables) != 0, "page alignment"

// HashState - the keys of zpState into the hash
HashState: {
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
// Cycles:   6,988 at the start
ComputeZobristHash: {
        jsr SyncPosition
        jmp PublishHash
}

// SetState - new rights and en passant file
//
// In:       A = new zpState
// Out:      zpState, hash
// Clobbers: A, X, Y
// Cycles:   50
SetState: {
        tax                     // X = new state
        eor zpState
        cmp #RIGHTS+1
        bcs passing
rights: stx zpState
        tax                     // keys of single rights add up: those that differ
        lda zpHashLo
        eor KeyRightsLo,x
        sta zpHashLo
        lda zpHashHi
        eor KeyRightsHi,x
        sta zpHashHi
        lda zpHashEx
        eor KeyRightsEx,x
        sta zpHashEx
        rts
passing:
        sta zpTemp
        lda zpState             // Y = old file, X = new file
        lsr
        lsr
        lsr
        lsr
        tay
        stx zpState
        txa
        lsr
        lsr
        lsr
        lsr
        tax
        lda zpHashLo
        eor KeyFileLo,x
        eor KeyFileLo,y
        sta zpHashLo
        lda zpHashHi
        eor KeyFileHi,x
        eor KeyFileHi,y
        sta zpHashHi
        lda zpHashEx
        eor KeyFileEx,x
        eor KeyFileEx,y
        sta zpHashEx
        ldx zpState
        lda zpTemp
        and #RIGHTS
        bne rights
        rts
}
