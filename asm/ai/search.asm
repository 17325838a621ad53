// search.asm - the value of a position: alpha-beta with pruning, to a depth
//
// Provides: SearchNode, SearchMoves, Clamp, LoadBeta
// Uses:     order.asm (which move next), static.asm, path.asm, mates.asm, quiesce.asm, tt.asm, fits.asm,
//           position/make.asm, position/unmake.asm, storage.asm
//
// Values are hundredths of a pawn for the side to move, and stay inside the window of
// the node. No difference of two values overflows 16 bits. root.asm calls.
#importonce

.const REVERSE_DEPTH = 3                // reverse futility up to this depth,
.const REVERSE_MARGIN = 90              // by this much for each ply
.const FUTILE_DEPTH  = 2
.const FUTILE_MARGIN = 110
.const REDUCE_DEPTH  = 3                // late moves are reduced from this depth on

ReverseLo:      .fill REVERSE_DEPTH+1, <(REVERSE_MARGIN*i)
ReverseHi:      .fill REVERSE_DEPTH+1, >(REVERSE_MARGIN*i)
FutileLo:       .fill FUTILE_DEPTH+1, <(FUTILE_MARGIN*i)
FutileHi:       .fill FUTILE_DEPTH+1, >(FUTILE_MARGIN*i)

// BranchValueBelow - to `below` if zpValue < a bound of node X
.macro BranchValueBelow(boundLo, boundHi, below) {
        lda zpValueLo
        cmp boundLo,x
        lda zpValueHi
        sbc boundHi,x
        bmi below
}

// NegateTo - a 16-bit value of node X, negated, to the next node
.macro NegateTo(fromLo, fromHi, toLo, toHi) {
        sec
        lda #0
        sbc fromLo,x
        sta toLo+1,x
        lda #0
        sbc fromHi,x
        sta toHi+1,x
}

// SearchNode - value of the private position for the side to move
//
// Draws and the table first; what they leave open is searched by the routines that follow, which
// fall through or jump to each other and return the value.
// In:       zpPly; NodeDepth, NodeAlpha, NodeBeta, NodeNull of it; zpInCheck
// Out:      zpValueLo/Hi within the window
// Clobbers: A, X, Y
// Cycles:   1,415 leaf at the start
SearchNode: {
        dec zpTick
        bne counted
        jsr Poll
counted:
        ldx zpPly
        cpx #LINE_MOVES
        bcs noLine
        lda #0
        sta LineCount,x
noLine: cpx #MAX_PLY
        bcs toQuiesce
        lda zpInCheck
        sta NodeCheck,x
        beq noCheck
        inc NodeDepth,x         // in check: look a ply further
noCheck:
        lda NodeDepth,x
        bne full
        lda NodeBetaHi,x        // captures find no mate against this side
        bpl toQuiesce
        cmp #>(-MATE_RANGE)
        bcc toBeta
toQuiesce:
        jmp QuiesceNode
toDraw: jmp Drawn
toBeta: jmp ReturnBeta
fifty:  lda NodeCheck,x
        beq toDraw
        bne again               // always: a mate would come before the fiftieth move
full:   lda zpClock
        cmp #4
        bcc fresh               // nothing can have come before
        cmp #FIFTY_MOVES
        bcs fifty
again:  jsr Repeated
        bcs toDraw
fresh:  jsr ProbeTable
        ldx zpPly
        bcc SearchUnknown
        and #T_DEPTHS           // deep enough?
        lsr
        lsr
        cmp NodeDepth,x
        bcs UseTable
}

// SearchUnknown - a node that the table does not decide: a side in check lists its evasions
//
// In:       X = ply
SearchUnknown: {
        lda NodeCheck,x
        beq Prune
        ldx zpSide
        jsr GenerateLegalMovesSynced
        beq Mated
        lda zpClock
        cmp #FIFTY_MOVES
        bcs SearchNode.toDraw
        ldx zpPly
        lda NodeBetaHi,x
        bpl SearchListed
        cmp #>(-MATE_RANGE)
        bcs SearchListed
        jsr OutOfReach
        bcs SearchNode.toBeta
        bcc SearchListed        // always
}

// SearchMates - a node where only a mate counts: all legal moves, at depth 2 or less only checks
SearchMates: {
        ldx zpSide
        jsr GenerateLegalMovesSynced
        beq SearchNode.toDraw
        ldx zpPly
        lda NodeDepth,x
        cmp #3
        bcs SearchListed
        jsr KeepChecks          // one move is left
}

// SearchListed - search the legal moves that were just generated
//
// In:       X = ply
SearchListed: {
        jsr ListAllMoves        // X = ply
        lda #1                  // there was a move: it is not a stalemate
        sta NodeFutile,x
        lda #STAGE_FOUND
        jmp SearchMoves
}

// UseTable - return the table's value if its bound decides, else search
//
// In:       X = ply; zpValue, zpBits of the entry
UseTable: {
        lda zpBits
        and #T_BOUND
        cmp #BOUND_LOWER
        beq lower
        bcc upper
        jmp Clamp               // exact
lower:  BranchValueBelow(NodeBetaLo, NodeBetaHi, SearchUnknown)
cut:    jmp ReturnBeta
upper:  lda NodeAlphaLo,x
        cmp zpValueLo
        lda NodeAlphaHi,x
        sbc zpValueHi
        bmi SearchUnknown
        jmp ReturnAlpha
}

// Mated - the value of a checkmate against the side to move
Mated: {
        clc
        lda #<-MATE
        adc zpPly               // a later mate is a smaller loss
        sta zpValueLo
        lda #>-MATE
        adc #0
        sta zpValueHi
        jmp Clamp
}

// Prune - a node out of check: windows of mates are set apart, the others pruned by the static value
//
// In:       X = ply
Prune: {
        lda NodeBetaHi,x
        bpl high
        cmp #>(-MATE_RANGE)     // beta: this side is mated, the question is how soon
        bcs ReverseFutility
        jsr OutOfReach
        bcs UseTable.cut
        jmp SearchStages.all
high:   cmp #>MATE_RANGE
        bcc ReverseFutility
        lda NodeAlphaHi,x       // alpha: only a mate by this side counts
        bmi ReverseFutility
        cmp #>MATE_RANGE
        bcs SearchMates
}

// ReverseFutility - beta if the static value is a margin above it
ReverseFutility: {
        jsr Static
        ldx zpPly
        ldy NodeDepth,x
        cpy #REVERSE_DEPTH+1
        bcs TryNull
        sec                     // static - margin - beta
        lda zpValueLo
        sbc ReverseLo,y
        sta zpTemp
        lda zpValueHi
        sbc ReverseHi,y
        sta zpHit
        lda zpTemp
        cmp NodeBetaLo,x
        lda zpHit
        sbc NodeBetaHi,x
        bpl TryNull.above
}

// TryNull - beta if the side to move could pass and still reach it
//
// In:       X = ply, Y = depth, zpValue = static value
TryNull: {
        cpy #2
        bcc Futility
        lda NodeNull,x
        bne Futility
        BranchValueBelow(NodeBetaLo, NodeBetaHi, Futility)
        lda zpSide              // pawns alone: passing may be the best move
        bpl black
        lda zpWhiteKnights      // negative if all four are
        and zpWhiteBishops
        and zpWhiteRooks
        and zpWhiteQueens
        bpl tryIt
        bmi Futility            // always
black:  lda zpBlackKnights
        and zpBlackBishops
        and zpBlackRooks
        and zpBlackQueens
        bmi Futility
tryIt:  jsr NullMove            // keeps the static value
        bcc Futility
above:  jmp ReturnBeta
}

// Futility - only captures are searched if the static value is a margin below alpha
//
// In:       zpValue = static value
// Out:      A = NodeFutile, X = ply, for SearchStages
Futility: {
        ldx zpPly
        ldy NodeDepth,x
        cpy #FUTILE_DEPTH+1
        bcs SearchStages.all
        clc                     // alpha - static - margin
        lda zpValueLo
        adc FutileLo,y
        sta zpTemp
        lda zpValueHi
        adc FutileHi,y
        sta zpHit
        lda NodeAlphaLo,x
        cmp zpTemp
        lda NodeAlphaHi,x
        sbc zpHit
        bmi SearchStages.all
        lda #1
        bne SearchStages.futile // always
}

// SearchStages - search the moves stage by stage, beginning with the table's
//
// In:       X = ply; `futile`: A = NodeFutile
SearchStages: {
all:    lda #0
futile: sta NodeFutile,x
        lda NodeBaseLo,x        // nothing is listed yet
        sta NodeBaseLo+1,x
        lda NodeBaseHi,x
        sta NodeBaseHi+1,x
        lda #STAGE_TABLE
        jmp SearchMoves
}

// SearchMoves - go through the moves of a node
//
// In:       A = stage, X = ply; window and depth, NodeFutile, NodeTableFrom
// Out:      zpValueLo/Hi
SearchMoves: {
        sta NodeStage,x
        lda #0
        sta NodeCounted,x
        sta NodeRaised,x
        jmp next

// --- A child with the whole window ---
whole:  ldx zpPly
        NegateTo(NodeBetaLo, NodeBetaHi, NodeAlphaLo, NodeAlphaHi)
        NegateTo(NodeAlphaLo, NodeAlphaHi, NodeBetaLo, NodeBetaHi)
        lda NodeDepth,x
        sec
        sbc #1
        sta NodeDepth+1,x
        jsr Descend
        inc NodeCounted,x
        sec                     // the value for this side
        lda #0
        sbc zpValueLo
        sta zpValueLo
        lda #0
        sbc zpValueHi
        sta zpValueHi
        lda NodeAlphaLo,x
        cmp zpValueLo
        lda NodeAlphaHi,x
        sbc zpValueHi
        bmi raised
next:   jsr NextMove
        bcs toDone
        ldx zpPly
        lda NodeDepth,x
        cmp #REDUCE_DEPTH
        bcs late
        lsr
        beq toLeaf              // one ply is left
        jmp whole
late:   jsr Reduction
        beq whole

// --- Reduced: with a null window, to see whether it is worth more ---
        ldx zpPly
        sta zpTemp
        lda NodeDepth,x
        clc                     // depth - 1 - reduction
        sbc zpTemp
        sta NodeDepth+1,x
        NegateTo(NodeAlphaLo, NodeAlphaHi, NodeBetaLo, NodeBetaHi)
        sec
        lda NodeBetaLo+1,x
        sbc #1
        sta NodeAlphaLo+1,x
        lda NodeBetaHi+1,x
        sbc #0
        sta NodeAlphaHi+1,x
        jsr Descend
        clc                     // value < -alpha: more than alpha for this side
        lda zpValueLo
        adc NodeAlphaLo,x
        sta zpTemp
        lda zpValueHi
        adc NodeAlphaHi,x
        bmi again
        inc NodeCounted,x
        jmp next
again:  jmp whole
toLeaf: jmp leaf
toDone: jmp done
toNext: jmp next

raised: lda zpValueLo
        sta NodeAlphaLo,x
        lda zpValueHi
        sta NodeAlphaHi,x
        lda #1
        sta NodeRaised,x
        lda NodeMoveFrom,x
        sta NodeBestFrom,x
        lda NodeMoveTo,x
        sta NodeBestTo,x
        cpx #LINE_MOVES
        bcs noLine
        jsr ExtendLine
noLine: BranchValueBelow(NodeBetaLo, NodeBetaHi, toNext)
        lda NodeMoveFrom,x      // a cut: a quiet move is a killer
        sta zpFrom
        lda NodeMoveTo,x
        sta zpTo
        jsr IsQuiet
        ldx zpPly
        bcs store
        lda zpTo
        cmp Killer1To,x
        bne newKiller
        lda zpFrom
        cmp Killer1From,x
        beq store
newKiller:
        lda Killer1From,x
        sta Killer2From,x
        lda Killer1To,x
        sta Killer2To,x
        lda zpFrom
        sta Killer1From,x
        lda zpTo
        sta Killer1To,x
store:  jsr LeaveLists
        jsr LoadBeta
        lda #BOUND_LOWER
        jmp StoreTable

done:   ldx zpPly
        jsr LeaveLists
        lda NodeCounted,x
        ora NodeFutile,x
        bne some
        jmp Drawn               // stalemate; in check there was a move
some:   jsr LoadAlpha
        lda NodeRaised,x
        beq upper
        lda #BOUND_EXACT
        jmp StoreTable
upper:  lda #BOUND_UPPER
        jmp StoreTable

// --- The last ply: captures answer the move, which therefore needs no hash, rights and clock.
// What is not so simple is made in full: kings, promotions, two steps, en passant, and what
// gives check. X = ply
leaf:   lda zpTo
        bmi inFull
        bit zpState
        bmi inFull
        lda NodeAlphaHi,x
        bmi tame
        cmp #>MATE_RANGE        // only mates count: no captures
        bcs inFull
tame:   ldy zpFrom
        lda Work,y
        ldy zpTo
        and #TYPE_BITS
        beq pawn
        cmp #KING
        bne simple
inFull: jmp whole
pawn:   cpy #RANK_7
        bcc inFull
        cpy #RANK_1
        bcs inFull
        tya
        eor zpFrom
        and #ROW                // two rows differ in other bits
        beq inFull
simple: lda zpScoreLo
        sta PlyScoreLo,x
        lda zpScoreHi
        sta PlyScoreHi,x
        lda Work,y
        bne takes
        ldy zpFrom
        jsr ScoreCapture.taker
        inc zpPly
        jsr Take.taker
        jsr AnswerLeaf
        dec zpPly
        ldx zpPly
        lda PlyScoreLo,x
        sta zpScoreLo
        lda PlyScoreHi,x
        sta zpScoreHi
        lda NodeMoveTo,x
        ldy NodeMoveFrom,x
        tax
        jsr MoveBack            // keeps C
        jmp answered
takes:  jsr ScoreCapture
        jsr Take
        jsr AnswerLeaf
        dec zpPly
        ldx zpPly
        lda NodeMoveTo,x
        sta zpTo
        ldy NodeMoveFrom,x
        jsr TakeBack.from
answered:
        ldx zpPly
        lda zpInCheck
        bne inFull
        inc NodeCounted,x
        bcc better
        jmp next
better: lda zpSide              // C = 0: the answer's value is better than alpha
        bpl black
        lda zpBetaLo
        sta zpValueLo
        lda zpBetaHi
        sta zpValueHi
        jmp line
black:  sec
        lda #0
        sbc zpAlphaLo
        sta zpValueLo
        lda #0
        sbc zpAlphaHi
        sta zpValueHi
line:   cpx #LINE_MOVES-1
        bcs noRow
        lda #0                  // the line ends with the move
        sta LineCount+1,x
noRow:  jmp raised
}

// AnswerLeaf - captures answer a simple move of the last ply
//
// In:       zpPly after the move, zpSide = the side that moved, zpFrom, zpTo; the window before it
// Out:      zpInCheck not 0: the move gives check, nothing is searched. Else as Quiesce...: C = 1 the
//           move is refuted, C = 0 its value is in the answering side's bound
AnswerLeaf: {
        lda zpSide
        bpl black
        jsr SeeCheck.blackKing
        lda zpInCheck
        bne check
        dec zpTick
        bne counted
        jsr Poll
counted:
        ldx zpPly
        lda NodeAlphaLo-1,x
        sta zpAlphaLo
        lda NodeAlphaHi-1,x
        sta zpAlphaHi
        lda NodeBetaLo-1,x
        sta zpBetaLo
        lda NodeBetaHi-1,x
        sta zpBetaHi
        jmp QuiesceBlack.counted
check:  rts
black:  jsr SeeCheck.whiteKing
        lda zpInCheck
        bne check
        dec zpTick
        bne counted2
        jsr Poll
counted2:
        ldx zpPly
        sec
        lda #0
        sbc NodeBetaLo-1,x
        sta zpAlphaLo
        lda #0
        sbc NodeBetaHi-1,x
        sta zpAlphaHi
        sec
        lda #0
        sbc NodeAlphaLo-1,x
        sta zpBetaLo
        lda #0
        sbc NodeAlphaHi-1,x
        sta zpBetaHi
        jmp QuiesceWhite.counted
}

// Descend - make the node's move, search, take it back
//
// In:       X = ply
// Out:      zpValueLo/Hi as the other side sees it, X = ply
Descend: {
        lda #0
        sta NodeNull+1,x
        ldy NodeMoveFrom,x
        lda NodeMoveTo,x
        tax
        tya
        jsr MakeMoveSynced
        jsr SeeCheck
        jsr SearchNode
        ldx zpPly
        lda NodeMoveTo-1,x
        ldy NodeMoveFrom-1,x
        tax
        tya
        jsr UnmakeMoveSynced
        ldx zpPly
        rts
}

// Reduction - plies by which the move is searched less
//
// In:       X = ply, A = its depth, REDUCE_DEPTH at least; zpFrom, zpTo
// Out:      A, Z with it
Reduction: {
        tay
        lda NodeCounted,x
        cmp #3
        bcc none
        lda NodeStage,x
        cmp #STAGE_QUIETS
        beq quiet
        txa
        bne none                // the root's list has everything
        lda NodeCheck
        bne none
        lda NodeAlphaHi
        bmi tame
        cmp #>MATE_RANGE        // the mate search reduces nothing
        bcs none
tame:   lda zpTo
        bmi quiet               // a knight's promotion
        jsr IsQuiet
        bcs none
        ldx zpPly
        ldy NodeDepth,x
quiet:  lda NodeCounted,x
        cmp #8
        bcc one
        cpy #4
        bcc one
        cmp #16
        bcc two
        cpy #6
        bcc two
        lda #3
        rts
two:    lda #2
        rts
one:    lda #1
        rts
none:   lda #0
        rts
}

// NullMove - let the other side move twice: C = 1 if the value is still beta
//
// In:       zpPly, zpValue = static value
// Out:      C, X = ply; zpValue is kept
NullMove: {
        ldx zpPly
        lda zpValueLo
        pha
        lda zpValueHi
        pha
        NegateTo(NodeBetaLo, NodeBetaHi, NodeAlphaLo, NodeAlphaHi)
        clc
        lda NodeAlphaLo+1,x
        adc #1
        sta NodeBetaLo+1,x
        lda NodeAlphaHi+1,x
        adc #0
        sta NodeBetaHi+1,x
        lda #1
        sta NodeNull+1,x
        lda NodeBaseLo,x
        sta NodeBaseLo+1,x
        lda NodeBaseHi,x
        sta NodeBaseHi+1,x
        lda zpClock
        sta NodeClock,x
        lda NodeDepth,x
        sec                     // depth - 1 - 3
        sbc #4
        bcs deep
        lda #0
deep:   sta NodeDepth+1,x
        jsr MakeNullSynced
        lda #0
        sta zpClock             // no repetition looks through it
        sta zpInCheck
        jsr SearchNode
        jsr UnmakeMoveSynced
        ldx zpPly
        lda NodeClock,x
        sta zpClock
        clc                     // value <= -beta: beta at least for this side
        lda zpValueLo
        adc NodeBetaLo,x
        sta zpTemp
        lda zpValueHi
        adc NodeBetaHi,x
        sta zpHit
        pla
        sta zpValueHi
        pla
        sta zpValueLo
        lda zpHit
        bmi yes
        ora zpTemp
        beq yes
        clc
        rts
yes:    sec
        rts
}

// Returns: value 0, beta or alpha of the node, or zpValue, inside the window
Drawn: {
        lda #0
        sta zpValueLo
        sta zpValueHi
}
Clamp: {
        ldx zpPly
        BranchValueBelow(NodeBetaLo, NodeBetaHi, notBeta)
        jmp LoadBeta
notBeta:
        BranchValueBelow(NodeAlphaLo, NodeAlphaHi, LoadAlpha)
        rts
}
ReturnAlpha:
LoadAlpha: {
        lda NodeAlphaLo,x
        sta zpValueLo
        lda NodeAlphaHi,x
        sta zpValueHi
        rts
}
ReturnBeta:
LoadBeta: {
        lda NodeBetaLo,x
        sta zpValueLo
        lda NodeBetaHi,x
        sta zpValueHi
        rts
}
