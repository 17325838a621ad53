// path.asm - the way from the root to a node: repetitions, the best line, the limits
//
// Provides: Repeated, ExtendLine, Poll, NextPeriod
// Uses:     root.asm (RootRaised, FinishSearch), clock.asm (TimeIsUp), storage.asm
//
// Poll leaves the whole tree at once when a limit is reached: the position that is left
// after is private.
#importonce

.const POLL = 8                         // nodes between two looks at the limits

// Repeated - did the position occur before, since the last capture or pawn move?
//
// In:       zpClock >= 4, hash; the path, and the history before the root
// Out:      C = 1 yes
// Clobbers: A, X, Y
// Cycles:   48 four plies back
Repeated: {
        lda zpClock             // plies to look back, an even number
        and #$FE
        sta zpCount
        ldx #4
        lda zpPly
        sec
        sbc #4
        bcc before
path:   tay                     // Y = ply of the earlier position
        lda PlyHashLo,y
        cmp zpHashLo
        bne other
        lda PlyHashHi,y
        cmp zpHashHi
        beq yes
other:  inx
        inx
        cpx zpCount
        beq last
        bcs no
last:   tya
        sec
        sbc #2
        bcs path
before: lda HistoryUsed         // entries before the root: 0 if the history does not end with it
        beq no
        stx zpTemp              // distance - ply plies before the root
        lda HistoryCount
        clc                     // entry HistoryCount - 1 - (distance - ply)
        adc zpPly
        sec
        sbc zpTemp
        bcc no
        beq no
        tay
entry:  lda PositionHistoryLo-1,y
        cmp zpHashLo
        bne next
        lda PositionHistoryHi-1,y
        cmp zpHashHi
        beq yes
next:   inx
        inx
        cpx zpCount
        beq more
        bcs no
more:   dey
        beq no
        dey
        bne entry
no:     clc
        rts
yes:    sec
        rts
}

// ExtendLine - the line of a ply: its move and the line of the next ply
//
// In:       X = ply, less than LINE_MOVES; NodeMoveFrom/To
// Out:      X = ply. At the root also the answer, its value and the public line
// Clobbers: A, Y, zpTemp, zpHit
// Cycles:   68 alone
ExtendLine: {
        txa
        asl
        asl
        asl
        tay                     // Y = the ply's row
        lda NodeMoveFrom,x
        sta LinesFrom,y
        lda NodeMoveTo,x
        sta LinesTo,y
        lda #1
        cpx #LINE_MOVES-1
        bcs short               // the last ply that is kept
        lda LineCount+1,x
        sta zpTemp
        beq alone
        sta zpHit
copy:   lda LinesFrom+LINE_MOVES,y      // one row down, a place to the left
        sta LinesFrom+1,y
        lda LinesTo+LINE_MOVES,y
        sta LinesTo+1,y
        iny
        dec zpHit
        bne copy
alone:  lda zpTemp
        clc
        adc #1
short:  sta LineCount,x
        txa
        bne done
        jmp RootRaised
done:   rts
}

// Poll - look at the limits, every few nodes
//
// The node that reaches SearchNodes is not searched. When it is time, the stack is cut
// back to FindBestMove, which returns.
//
// Out:      zpTick, NodeCount
// Clobbers: A, X, Y
// Cycles:   91 no limit
Poll: {
        clc
        lda NodeCount
        adc Period
        sta NodeCount
        bcc low
        inc NodeCount+1
        bne low
        inc NodeCount+2
low:    lda SearchStop
        bne StopSearch
}
NextPeriod: {                   // A = nodes until the next look
        jsr TimeIsUp            // time goes on while it ponders
        ldy #POLL
        lda SearchPonder
        bne set
        bcs StopSearch
        lda SearchNodes
        ora SearchNodes+1
        ora SearchNodes+2
        beq set
        sec                     // nodes left
        lda SearchNodes
        sbc NodeCount
        tax
        lda SearchNodes+1
        sbc NodeCount+1
        sta zpTemp
        lda SearchNodes+2
        sbc NodeCount+2
        bcc StopSearch
        ora zpTemp
        bne set
        txa
        beq StopSearch
        cpx #POLL
        bcs set
        txa
        tay
set:    sty Period
        sty zpTick
        rts
}
StopSearch: {
        lda #0                  // all nodes are counted
        sta Period
        sta zpTick
        ldx RootStack
        txs
        jmp FinishSearch
}
