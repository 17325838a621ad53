// mates.asm - the hunt for mates in two and three
//
// Provides: Iterate, IterateWithin, OpenBeta, BestFirst, Hunt, OutOfReach, SeesKing
// Uses:     root.asm (RootMoves), path.asm (Poll), moves/attack.asm (FirstHit), storage.asm
//
// Pruning overlooks quiet moves that mate. A position that is won is therefore searched once
// more with a window of mates, in which nothing is pruned.
#importonce

.const HUNT_DEPTH   = 2                 // after this iteration,
.const HUNT_VALUE   = 600               // if the value is so high
.const HUNT_KEY     = $55               // the hunt's entries in the table are its own

// Iterate - search the root's list without an upper bound; the best move goes to its front
// IterateWithin - the same with one, in NodeBeta
//
// In:       A = depth, Y/X = alpha
// Out:      BestMove, SearchValue and the line, if a move is better than alpha
Iterate: {
        jsr OpenBeta
}
IterateWithin: {
        sta NodeDepth
        sty NodeAlphaLo
        stx NodeAlphaHi
        dec zpTick              // the root is a node too
        bne counted
        jsr Poll
counted:
        lda NodeCheck
        beq noCheck
        inc NodeDepth
noCheck:
        lda #0
        sta LineCount
        sta NodeIndex
        lda RootTotal
        sta NodeTotal
        jsr RootMoves
}
// BestFirst - the best move to the front of the root's list, the others keep their order
BestFirst: {
        ldx #$FF
find:   inx
        lda NodeFrom,x
        cmp BestMoveFrom
        bne find
        lda NodeTo,x
        cmp BestMoveTo
        bne find
        txa
        beq done
shift:  lda NodeFrom-1,x
        sta NodeFrom,x
        lda NodeTo-1,x
        sta NodeTo,x
        dex
        bne shift
        lda BestMoveFrom
        sta NodeFrom
        lda BestMoveTo
        sta NodeTo
done:   rts
}

// OpenBeta - no upper bound at the root. Keeps A
OpenBeta: {
        pha
        lda #<INFINITE
        sta NodeBetaLo
        lda #>INFINITE
        sta NodeBetaHi
        pla
        rts
}

// Hunt - look for a mate in three, and for one in two if there is one
//
// A check and its answer cost one ply, another move and its answer two: mates with one such
// move come before those with two.
//
// In:       SearchValue, positive; Hunted = 0
// Out:      as Iterate; Hunted
Hunt: {
        jsr otherKey
next:   ldy #<(MATE-6)
        jsr known
        bcc shorter
        inc Hunted
        lda Hunted              // 4 plies, then 5
        adc #2                  // C = 1
        ldx #>(MATE-6)
        jsr Iterate
        lda Hunted
        cmp #2
        bcc next
        bcs otherKey            // always
shorter:
        ldy #<(MATE-4)
        jsr known
        bcc otherKey
        lda #3
        ldx #>(MATE-6)
        jsr Iterate
otherKey:
        lda zpHashEx
        eor #HUNT_KEY
        sta zpHashEx
        rts
known:  cpy SearchValue         // Y = alpha: C = 0 if a mate like that is known
        lda #>(MATE-6)
        sbc SearchValue+1
        rts
        .errorif (>(MATE-4)) != (>(MATE-6)), "one high byte serves both"
}

// OutOfReach - can a side that is not mated here no longer be mated as soon as beta says?
//
// In:       X = ply
// Out:      C = 1 yes: in the plies left it is not
// Clobbers: A, Y
// Cycles:   41 at depth 3
OutOfReach: {
        lda NodeDepth,x
        cmp #2
        bcc yes
        lda NodeBetaLo,x        // beta <= -MATE + ply + 2?
        adc #<(MATE-3)          // C = 1
        tay
        lda NodeBetaHi,x
        adc #>(MATE-3)
        bmi yes
        bne no
        cpy zpPly
        bcc yes
        beq yes
no:     clc
        rts
yes:    sec
        rts
}

// SeesKing - is there nothing between a square and the other side's king?
//
// In:       Y = square, A = line code from the king to it
// Out:      Z = 1 yes; X = square, zpLine
SeesKing: {
        sta zpLine
        tya
        tax
        lda zpLine
        eor #4                  // the way back
        jsr FirstHit
        eor zpSide
        cmp #WHITE_COLOR | BLACK_KING
        rts
}
sights: .byte >LineDiag, >LineOrtho, >LineAny, >LineAny     // lines by which a type gives check
