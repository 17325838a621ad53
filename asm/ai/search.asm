// search.asm - choosing a move
//
// Provides: FindBestMove; ListAllMoves, ListCaptures, AimNode for others
// Uses:     movegen.asm, position/make.asm, position/unmake.asm, eval.asm (the score kept by make), storage.asm
//
// Alpha-beta with iterative deepening. SearchLevel is the number of full-width
// plies, SearchNodes the most nodes to visit (0: no limit). Below the last
// full ply captures and promotions go on until the position is quiet; a side
// in check gets a ply more. Values are hundredths of a pawn for the side to move.
#importonce

.const MATE     = 30000
.const INFINITE = 32000
.const MAX_LEVEL = 8
.const KEY_QUIET = 0

// FindBestMove - the move for SearchSide
//
// In:       the public position, SearchSide to move, SearchLevel, SearchNodes
// Out:      BestMoveFrom, BestMoveTo: legal; BestMoveFrom = NO_SQUARE without a
//           move. NodeCount. The public position is not touched
// Clobbers: A, X, Y, MoveCount and list, private position
// Cycles:   63,304 one ply at the start
FindBestMove: {
        ldx SearchSide
        jsr GenerateLegalMoves  // never trust stale lists
        bne some
        lda #NO_SQUARE
        sta BestMoveFrom
        rts
some:   lda MoveListFrom        // whatever happens, this one is legal
        sta BestMoveFrom
        lda MoveListTo
        sta BestMoveTo
        lda #0
        sta NodeCount
        sta NodeCount+1
        sta NodeCount+2
        sta zpStop
        sta NodeBaseLo
        sta NodeBaseHi
        lda zpOverflow
        bne done                // a crowd: any legal move
        ldx MoveCount
        dex
        beq done                // the only move
        jsr SyncPosition
        lda #1
deepen: sta zpLevel
        sta NodeDepth
        ldx #0
        stx zpNode
        lda #<-INFINITE
        sta NodeAlphaLo
        lda #>-INFINITE
        sta NodeAlphaHi
        lda #<INFINITE
        sta NodeBetaLo
        lda #>INFINITE
        sta NodeBetaHi
        jsr SearchNode
        lda zpStop
        bne done
        lda RootFrom            // a complete iteration: its best is the answer
        sta BestMoveFrom
        lda RootTo
        sta BestMoveTo
        lda zpLevel
        cmp SearchLevel
        bcs done
        cmp #MAX_LEVEL
        bcs done
        adc #1                  // C = 0
        jmp deepen
done:   rts
}

// SearchNode - value of the private position for the side to move
//
// In:       zpNode, NodeDepth, NodeAlpha and NodeBeta of it
// Out:      zpValueLo/Hi within the window; zpStop if the budget ran out
// Clobbers: A, X, Y
// Cycles:   2,869 leaf at the start
SearchNode: {
        inc NodeCount
        bne counted
        inc NodeCount+1
        bne counted
        inc NodeCount+2
counted:
        lda SearchNodes         // a limit, and is it reached?
        ora SearchNodes+1
        ora SearchNodes+2
        beq goOn
        lda NodeCount
        cmp SearchNodes
        lda NodeCount+1
        sbc SearchNodes+1
        lda NodeCount+2
        sbc SearchNodes+2
        bcc goOn
        inc zpStop
        rts
goOn:   lda #0
        sta zpInCheck
        ldx zpSide
        jsr GenerateLegalMovesSynced
        bne moves
        lda zpInCheck           // mate or stalemate
        beq drawn
        clc
        lda #<-MATE
        adc zpNode              // a later mate is a smaller loss
        sta zpValueLo
        lda #>-MATE
        adc #0
        sta zpValueHi
        rts
drawn:  lda #0
        sta zpValueLo
        sta zpValueHi
        rts
moves:  ldx zpNode
        beq full                // the root always has moves to offer
        lda zpClock
        cmp #FIFTY_MOVES
        bcs drawn
        cpx #MAX_NODE-1
        bcs standOnly
        lda NodeDepth,x
        bne full
        lda zpInCheck
        beq quiet
        inc NodeDepth,x         // in check: look at every answer
full:   jsr ListAllMoves
        jmp search
standOnly:
        jmp Evaluate

quiet:  jsr Evaluate            // standing pat: nobody is forced to capture
        ldx zpNode
        jsr CompareBeta
        bcc below
        lda NodeBetaLo,x
        sta zpValueLo
        lda NodeBetaHi,x
        sta zpValueHi
        rts
below:  jsr RaiseAlpha
        jsr ListCaptures

search: ldx zpNode
        lda #0
        sta NodeIndex,x
next:   ldx zpNode
        lda NodeIndex,x
        cmp NodeTotal,x
        bne another
        jmp finished
another:
        jsr AimNode
        ldy NodeIndex,x
        sec                     // the window, seen from the other side
        lda #0
        sbc NodeBetaLo,x
        sta NodeAlphaLo+1,x
        lda #0
        sbc NodeBetaHi,x
        sta NodeAlphaHi+1,x
        sec
        lda #0
        sbc NodeAlphaLo,x
        sta NodeBetaLo+1,x
        lda #0
        sbc NodeAlphaHi,x
        sta NodeBetaHi+1,x
        lda NodeDepth,x
        beq keep
        sec
        sbc #1
keep:   sta NodeDepth+1,x
        lda (zpMovesTo),y
        tax
        lda (zpMovesFrom),y
        jsr MakeMoveSynced
        inc zpNode
        jsr SearchNode
        dec zpNode
        ldx zpNode
        jsr AimNode
        ldy NodeIndex,x
        inc NodeIndex,x
        lda (zpMovesFrom),y
        sta zpTriedFrom
        lda (zpMovesTo),y
        sta zpTriedTo
        tax
        lda zpTriedFrom
        jsr UnmakeMoveSynced
        lda zpStop
        bne stopped
        sec                     // the value for this side
        lda #0
        sbc zpValueLo
        sta zpValueLo
        lda #0
        sbc zpValueHi
        sta zpValueHi
        ldx zpNode
        jsr RaiseAlpha
        bcc toNext
        cpx #0
        bne notRoot
        lda zpTriedFrom
        sta RootFrom
        lda zpTriedTo
        sta RootTo
notRoot:
        jsr CompareBeta
        bcs finished
toNext: jmp next
finished:
        ldx zpNode
        lda NodeAlphaLo,x       // fail hard: alpha is the value, beta at most
        sta zpValueLo
        lda NodeAlphaHi,x
        sta zpValueHi
        jsr CompareBeta
        bcc stopped
        lda NodeBetaLo,x
        sta zpValueLo
        lda NodeBetaHi,x
        sta zpValueHi
stopped:
        rts
}

// Evaluate - the score kept by make, for the side to move
//
// Out:      zpValueLo/Hi
// Clobbers: A
// Cycles:   23 White, 30 Black
Evaluate: {
        lda zpSide
        bpl black
        lda zpScoreLo
        sta zpValueLo
        lda zpScoreHi
        sta zpValueHi
        rts
black:  sec
        lda #0
        sbc zpScoreLo
        sta zpValueLo
        lda #0
        sbc zpScoreHi
        sta zpValueHi
        rts
}

// RaiseAlpha - alpha = the value if that is more
//
// In:       X = node, zpValueLo/Hi
// Out:      C = 1 raised. Keeps X
// Clobbers: A
// Cycles:   43 raised, 28 kept
RaiseAlpha: {
        lda NodeAlphaLo,x
        cmp zpValueLo
        lda NodeAlphaHi,x
        sbc zpValueHi
        bvc sign
        eor #$80
sign:   bpl no                  // alpha >= value
        lda zpValueLo
        sta NodeAlphaLo,x
        lda zpValueHi
        sta NodeAlphaHi,x
        sec
        rts
no:     clc
        rts
}

// CompareBeta - is the value at least beta?
//
// In:       X = node, zpValueLo/Hi
// Out:      C = 1 yes. Keeps X
// Clobbers: A
// Cycles:   27 reached, 28 below
CompareBeta: {
        lda zpValueLo
        cmp NodeBetaLo,x
        lda zpValueHi
        sbc NodeBetaHi,x
        bvc sign
        eor #$80
sign:   bmi no
        sec
        rts
no:     clc
        rts
}

// AimNode - point at a node's list
//
// In:       X = node
// Out:      zpMovesFrom, zpMovesTo
// Clobbers: A          Keeps: X, Y
// Cycles:   46
AimNode: {
        clc
        lda NodeBaseLo,x
        adc #<NodeFrom
        sta zpMovesFrom
        lda NodeBaseHi,x
        adc #>NodeFrom
        sta zpMovesFrom+1
        clc
        lda NodeBaseLo,x
        adc #<NodeTo
        sta zpMovesTo
        lda NodeBaseHi,x
        adc #>NodeTo
        sta zpMovesTo+1
        rts
}

// ListAllMoves - copy the generated moves to the node: captures first, best first
// ListCaptures - captures and promotions only
//
// In:       the move list, zpNode, its NodeBase
// Out:      NodeTotal, the list, NodeBase of the next node
// Clobbers: A, X, Y
// Cycles:   2,139 ListAllMoves at the start, 5,447 ListAllMoves on Kiwipete,
//           1,287 ListCaptures at the start, 3,671 ListCaptures on Kiwipete
ListAllMoves: {
        jsr ListCaptures
        ldy NodeTotal,x         // X = node
        lda NodeBaseHi,x
        cmp #>NODE_MOVES-$100   // no room for a long list: captures have to do
        bcs full
        ldx #0
next:   cpx MoveCount
        beq done
        lda MoveKey,x
        bne skip                // listed already
        lda MoveListFrom,x
        sta (zpMovesFrom),y
        lda MoveListTo,x
        sta (zpMovesTo),y
        iny
skip:   inx
        bne next
done:   tya
        ldx zpNode
        sta NodeTotal,x
        jmp NextBase
full:   rts
}

ListCaptures: {
        ldx zpNode
        jsr AimNode
        lda #0
        sta zpMoveTotal
        ldx #0
next:   cpx MoveCount
        beq done
        stx zpMoveIndex
        lda MoveListTo,x
        bmi promotes            // a knight's promotion
        tay
        lda Work,y
        beq noVictim
        tay
        lda SortValue-CODE_BITS,y
        ldy MoveListFrom,x      // the cheapest taker first
        sta zpBestKey
        lda Work,y
        and #TYPE_BITS
        tay
        lda zpBestKey
        sec
        sbc takerCost,y
        jmp insert
promotes:
        lda #1
        bne insert
noVictim:
        ldy MoveListFrom,x      // a pawn that reaches the last row?
        lda Work,y
        and #TYPE_BITS
        bne quiet
        lda MoveListTo,x
        and #ROW_BITS
        beq queens              // RANK_8
        cmp #RANK_1
        bne quiet
queens: lda #90
        bne insert
quiet:  lda #KEY_QUIET
        sta MoveKey,x
        inx
        bne next
done:   ldx zpNode
        lda zpMoveTotal
        sta NodeTotal,x
        jmp NextBase

insert: sta zpBestKey           // sorted by key, highest first
        sta MoveKey,x
        ldy zpMoveTotal
slide:  beq place               // Z from Y
        dey
        lda NodeKey,y
        cmp zpBestKey
        bcs after
        iny
        sta NodeKey,y
        dey
        lda (zpMovesFrom),y
        iny
        sta (zpMovesFrom),y
        dey
        lda (zpMovesTo),y
        iny
        sta (zpMovesTo),y
        dey
        jmp slide
after:  iny
place:  ldx zpMoveIndex
        lda zpBestKey
        sta NodeKey,y
        lda MoveListFrom,x
        sta (zpMovesFrom),y
        lda MoveListTo,x
        sta (zpMovesTo),y
        inc zpMoveTotal
        inx
        jmp next
takerCost:
        .byte 0, 3, 4, 6, 2, 0, 0, 7    // by type: pawn, bishop, rook, queen, knight, king
}

// NextBase - the next node's list begins behind this one
//
// In:       X = node. Out: Z = 0. Keeps X
NextBase: {
        clc
        lda NodeBaseLo,x
        adc NodeTotal,x
        sta NodeBaseLo+1,x
        lda NodeBaseHi,x
        adc #0
        sta NodeBaseHi+1,x
        rts
}
