// root.asm - choosing a move
//
// Provides: FindBestMove, BookCall
// Uses:     book.asm, clock.asm, search.asm, path.asm, mates.asm, order.asm, blend.asm, tt.asm, movegen.asm, position/sync.asm, storage.asm
//
// Iterative deepening to SearchLevel plies. SearchNodes is the most nodes to visit (0: no limit);
// SearchStop, set while it runs, ends the search at once. The best move of an iteration is
// the first of the next one, so that a move that raises alpha there is the answer at once.
#importonce

.const ASPIRATION = 35          // half the width of the window an iteration begins with

// FindBestMove - the move for SearchSide
//
// In:       the public position, SearchSide to move, SearchLevel, SearchNodes, SearchPonder,
//           BookOn, BookSeed;
//           SearchStop while it runs
// Out:      BestMoveFrom, BestMoveTo: legal; BestMoveFrom = NO_SQUARE without a move.
//           NodeCount, SearchReached, SearchValue, LineLength, LineFrom, LineTo.
//           The public position is not touched
// Clobbers: A, X, Y, MoveCount and list, private position
// Cycles:   115,578 one ply at the start
FindBestMove: {
        lda #0
        sta SearchStop
        sta NodeCount
        sta NodeCount+1
        sta NodeCount+2
        sta SearchReached
        sta SearchDoing
        sta SearchValue
        sta SearchValue+1
        sta LineLength
        jsr StartClock
        lda BookOn
        beq think
@BookCall:                              // a call that the screen program changes, see late.asm
        jsr BookMove
        bcs only
think:  ldx SearchSide
        jsr GenerateLegalMoves  // never trust stale lists
        bne some
        lda #NO_SQUARE
        sta BestMoveFrom
        rts
some:   lda MoveListFrom        // whatever happens, this one is legal
        sta BestMoveFrom
        lda MoveListTo
        sta BestMoveTo
        lda zpOverflow
        bne at                  // a crowd: any legal move
        ldx MoveCount
        dex
        bne choice
only:   lda BestMoveFrom        // the only move, or one of the book
        sta LineFrom
        lda BestMoveTo
        sta LineTo
        inc LineLength
at:     rts
choice: tsx
        stx RootStack
        jsr BlendValues
        jsr AgeTable
        jsr SyncPosition
        jsr LookBack
        lda #0
        sta zpCaptureTop
        sta NodeBaseLo
        sta NodeBaseHi
        sta NodeFutile
        sta NodeNull
        sta Hunted
        sta zpInCheck
        ldx #PLIES-1
        lda #NO_SQUARE
        sta NodeTableFrom
killers:
        sta Killer1From,x
        sta Killer2From,x
        dex
        bpl killers
        ldx zpSide
        jsr GenerateLegalMovesSynced    // sets zpInCheck
        lda zpInCheck
        sta NodeCheck
        jsr ListAllMoves
@RootListed:                    // a host may shorten the list here: go searchmoves
        lda NodeTotal
        sta RootTotal
        lda NodeFrom
        sta BestMoveFrom
        sta LineFrom
        lda NodeTo
        sta BestMoveTo
        sta LineTo
        inc LineLength
        jsr NextPeriod
        lda #1
deepen: sta SearchDoing
        cmp #2
        bcc whole               // nothing is known yet
        lda SearchValue+1
        bpl around
        cmp #>(-MATE_RANGE)
        bcc whole               // mated
around: clc                     // the last value is in the middle of the window
        lda SearchValue
        adc #ASPIRATION
        sta NodeBetaLo
        lda SearchValue+1
        adc #0
        sta NodeBetaHi
        sec
        lda SearchValue
        sbc #ASPIRATION
        tay
        lda SearchValue+1
        sbc #0
        tax
within: sty RootAlphaLo
        stx RootAlphaHi
        lda SearchDoing
        jsr IterateWithin
        lda NodeRaised
        beq low
        lda SearchValue+1
        bmi compare
        cmp #>MATE_RANGE        // a mate is its own bound, see RootRaised
        bcs inside
compare:
        ldx SearchValue
        cpx NodeBetaLo
        sbc NodeBetaHi
        bmi inside
        jsr OpenBeta            // it may be more
        ldy RootAlphaLo
        ldx RootAlphaHi
        jmp within
low:    ldy #<-INFINITE         // less, whatever is played
        ldx #>-INFINITE
        bmi within              // always
whole:  lda SearchDoing
        ldy #<-INFINITE
        ldx #>-INFINITE
        jsr Iterate
inside: lda SearchDoing
        sta SearchReached
        lda SearchValue+1
        bpl positive
        clc                     // mated: no later iteration can delay it?
        lda SearchValue
        adc #<MATE
        tax
        lda SearchValue+1
        adc #>MATE
        bne noMate
        dex
        cpx SearchDoing
        bcc FinishSearch
        bcs noMate              // always
positive:
        ldx Hunted
        bne mated
        cmp #>MATE_RANGE
        bcs hunt                // a mate: is there a shorter one?
        bit zpMode              // MODE_MINORS: the way to the first mate in three is long, and
        bvs noMate              // what the hunt costs is better spent on it
        ldx SearchDoing
        cpx #HUNT_DEPTH
        bcc noMate
        ldx SearchValue
        cpx #<HUNT_VALUE
        sbc #>HUNT_VALUE
        bcc noMate
hunt:   jsr Hunt
mated:  lda SearchValue+1
        cmp #>MATE_RANGE
        bcs FinishSearch
noMate: jsr IsEnough
        bcs FinishSearch
        lda SearchDoing
        cmp SearchLevel
        bcs FinishSearch
        cmp #MAX_LEVEL
        bcs FinishSearch
        adc #1                  // C = 0
        jmp deepen
}
FinishSearch: {
        sec                     // nodes since the last look at the limits
        lda Period
        sbc zpTick
        clc
        adc NodeCount
        sta NodeCount
        bcc done
        inc NodeCount+1
        bne done
        inc NodeCount+2
done:   rts
}

// RootMoves - one iteration. The list's base of the next ply is after the root's moves
RootMoves: {
        ldx #0
        lda #STAGE_ALL
        sta NodeStage
        stx NodeCounted
        stx NodeRaised
        lda RootTotal
        sta NodeBaseLo+1
        stx NodeBaseHi+1
        jmp SearchMoves.next
}

// RootRaised - a move raised alpha at the root: it is the answer
//
// In:       X = 0, LineCount and the first line
RootRaised: {
        lda zpValueLo
        sta SearchValue
        lda zpValueHi
        sta SearchValue+1
        bmi known
        cmp #>MATE_RANGE        // a mate is enough: Hunt looks for shorter ones
        bcc known
        sta NodeBetaHi
        lda zpValueLo
        sta NodeBetaLo
known:  lda NodeMoveFrom
        sta BestMoveFrom
        lda NodeMoveTo
        sta BestMoveTo
        ldy LineCount
        sty LineLength
copy:   dey
        bmi done
        lda LinesFrom,y
        sta LineFrom,y
        lda LinesTo,y
        sta LineTo,y
        jmp copy
done:   rts                     // X = 0 = ply
}

// LookBack - HistoryUsed = 1 if the history ends with the root's position
LookBack: {
        ldx HistoryCount
        beq none
        lda PositionHistoryLo-1,x
        cmp zpHashLo
        bne no
        lda PositionHistoryHi-1,x
        cmp zpHashHi
        bne no
        lda #1
        bne set                 // always
no:     ldx #0
none:   txa
set:    sta HistoryUsed
        rts
}
