// mate.asm - mates that are proven: every move is tried
//
// Provides: MateNode, MateFound, StopLooking; macro MateText
// Uses:     play.asm (ShowTry), ai/order.asm (ListAllMoves, AimNode), position/make.asm, position/unmake.asm, position/check.asm
#importonce

// MateNode - does the side to move mate in zpDepth plies, which is odd, or escape a mate in them?
//
// In:       the private position
// Out:      C = 1 yes; the move is before NodeIndex of the ply
// Clobbers: A, X, Y
MateNode: {
        lda SearchStop
        bne yes
        lda zpDepth
        bne inside
        jsr SeeCheck                    // no check, no mate
        lda zpInCheck
        beq yes
        bne generate                    // always
inside: lda #0
        sta zpInCheck
generate:
        ldx zpSide
        jsr GenerateLegalMovesSynced
        beq none
        lda zpDepth
        beq yes
        jsr ListAllMoves
        ldx zpPly
        lda NodeTotal,x
        cmp MoveCount
        bne crowd
        dec zpDepth
next:   ldx zpPly
        lda NodeIndex,x
        cmp NodeTotal,x
        beq no
        jsr ListedMove
        jsr MakeMoveSynced
        jsr MateNode
        php
        ldx zpPly
        dex
        jsr ListedMove
        jsr UnmakeMoveSynced
        ldx zpPly
        inc NodeIndex,x
        plp
        bcs next                        // the other side has an answer
        inc zpDepth
yes:    sec
        rts
crowd:  inc SearchStop                  // no room for the moves: no claim
        bne yes                         // always
none:   lda zpDepth                     // the attacker without a move has not mated
        lsr
        bcs fails
        lda zpInCheck
        beq yes                         // stalemate
        bne fails                       // always
no:     inc zpDepth
fails:  clc
        rts
}

// ListedMove - the move at NodeIndex of a ply
//
// In:       X = ply
// Out:      A = from, X = to
// Clobbers: Y
ListedMove: {
        jsr AimNode
        ldy NodeIndex,x
        lda (zpMovesTo),y
        tax
        lda (zpMovesFrom),y
        rts
}

// MateFound - show the move that mates, the one before NodeIndex
//
// Clobbers: A, X, Y
MateFound: {
        jsr StopLooking
        ldx NodeIndex
        lda NodeFrom-1,x
        sta SanFrom
        lda NodeTo-1,x
        sta SanTo
        lda #<MatesText
        ldy #>MatesText
        jmp ShowTry
}

// StopLooking - the game goes on, with its legal moves
//
// Clobbers: A, X, Y
StopLooking: {
        lda #0
        sta Thinking
        ldx SearchSide
        jmp GenerateLegalMoves
}

// MateText - in the RAM below the I/O chips; main.asm places it
.macro MateText() {
@LookingText: Text("Looking...")
@NoMateText:  Text("No mate found")
@MatesText:   Text("Mates: ")
}
