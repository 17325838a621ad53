// movelist.asm - the list that generated moves are in
//
// Provides: ClearMoveList, AddMove, GetMove, FindMove
// Uses:     constants.asm, storage.asm
#importonce

// ClearMoveList - forget all moves
//
// Out:      MoveCount = 0
// Clobbers: A          Cycles: 12
ClearMoveList: {
        lda #0
        sta MoveCount
        rts
}

// AddMove - append one move
//
// In:       A = from square, X = to square (with flag)
// Out:      C = 0 stored; C = 1 list full, nothing written
// Clobbers: A, Y       Keeps: X
// Cycles:   32 stored, 15 full
AddMove: {
        ldy MoveCount
        cpy #MAX_MOVES
        bcs full                // C = 1 is the answer
        sta MoveListFrom,y
        txa
        sta MoveListTo,y
        inc MoveCount           // C is still 0 from cpy
full:   rts
}

// GetMove - read one move
//
// In:       X = index
// Out:      A = from, Y = to
// Cycles:   14
GetMove: {
        ldy MoveListTo,x
        lda MoveListFrom,x
        rts
}

// FindMove - is a move in the list?
//
// In:       A = from, X = to (with flag)
// Out:      C = 1 it is, Y = its index; C = 0 it is not
// Clobbers: A          Keeps: X
// Cycles:   42 first of the list, 380 not among 20 moves
FindMove: {
        stx zpTo
        ldy #0
next:   cpy MoveCount
        beq missing
        cmp MoveListFrom,y
        bne skip
        pha
        lda MoveListTo,y
        cmp zpTo
        beq found
        pla
skip:   iny
        bne next
missing:
        clc
        rts
found:  pla
        sec
        rts
}
