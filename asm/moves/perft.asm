// perft.asm - counting the leaves of the move tree
//
// Provides: Perft
// Uses:     ai/movegen.asm, position/make.asm, position/unmake.asm, ai/search.asm (ListAllMoves)
//
// The yardstick of the generator and of make and unmake on the private
// position: the numbers are known for many positions.
#importonce

// Perft - count the positions after A plies
//
// In:       A = plies, 1 to MAX_NODE; the public position, SearchSide to move
// Out:      PerftCount
// Clobbers: A, X, Y, private position
// Cycles:   46,621 two plies at the start
Perft: {
        sta zpDepth
        jsr SyncPosition
        lda #0
        sta PerftCount
        sta PerftCount+1
        sta PerftCount+2
        sta PerftCount+3
        sta zpNode
        lda zpOverflow
        beq lists
        rts                     // a crowd: no such position arises
lists:  lda zpDepth
        bne start
        inc PerftCount          // the position itself
        rts
start:  lda #0
        sta NodeBaseLo
        sta NodeBaseHi
}
PerftNode: {
        ldx zpSide
        jsr GenerateLegalMovesSynced
        dec zpDepth
        bne inner
        clc                     // A = MoveCount: leaves
        adc PerftCount
        sta PerftCount
        bcc counted
        inc PerftCount+1
        bne counted
        inc PerftCount+2
        bne counted
        inc PerftCount+3
counted:
        inc zpDepth
        rts
inner:  jsr ListAllMoves
        ldx zpNode
        lda #0
        sta NodeIndex,x
next:   ldx zpNode
        lda NodeIndex,x
        cmp NodeTotal,x
        beq done
        jsr AimNode
        ldy NodeIndex,x
        lda (zpMovesTo),y
        tax
        lda (zpMovesFrom),y
        jsr MakeMoveSynced
        inc zpNode
        jsr PerftNode
        dec zpNode
        ldx zpNode
        jsr AimNode
        ldy NodeIndex,x
        inc NodeIndex,x
        lda (zpMovesTo),y
        tax
        lda (zpMovesFrom),y
        jsr UnmakeMoveSynced
        jmp next
done:   inc zpDepth
        rts
}
