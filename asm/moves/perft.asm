// perft.asm - counting the leaves of the move tree
//
// Provides: Perft
// Uses:     ai/movegen.asm, position/make.asm, position/unmake.asm, ai/order.asm (ListAllMoves)
//
// The yardstick of the generator and of make and unmake on the private
// position: the numbers are known for many positions.
#importonce

// Perft - count the positions after A plies
//
// In:       A = plies, 1 to MAX_PLY; the public position, SearchSide to move
// Out:      PerftCount
// Clobbers: A, X, Y, private position
// Cycles:   48,894 two plies at the start
Perft: {
        sta zpDepth
        jsr SyncPosition
        lda #0
        sta PerftCount
        sta PerftCount+1
        sta PerftCount+2
        sta PerftCount+3
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
next:   ldx zpPly
        lda NodeIndex,x
        cmp NodeTotal,x
        beq done
        jsr AimNode
        ldy NodeIndex,x
        lda (zpMovesTo),y
        tax
        lda (zpMovesFrom),y
        jsr MakeMoveSynced
        jsr PerftNode
        ldx zpPly
        dex
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
