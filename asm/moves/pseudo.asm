// pseudo.asm - pseudo-legal moves piece by piece
//
// Provides: GeneratePawnMoves ... GenerateKingMoves, GenerateAllMoves, GenerateSlowly
// Uses:     constants.asm, storage.asm, movelist.asm, attack.asm
//
// These routines look at Board88 alone, square by square, and test the edge
// each time: they need no rebuild and no guards. The legal generator proper
// is movegen.asm; GenerateSlowly stands in for it when a board holds more
// pieces than any game can bring about.
#importonce

// --- Pieces. In: A = from, X = colour. Out: moves appended. Clobbers: A, X, Y ---

// GenerateKnightMoves - eight jumps
//
// Cycles:   412 b1 at the start
GenerateKnightMoves: {
        sta zpArgFrom
        stx zpColor
        ldy #7
next:   sty zpIndex
        lda KnightSteps,y
        jsr StepOnce
        ldy zpIndex
        dey
        bpl next
        rts
}

// GenerateQueenMoves - a rook's and a bishop's
//
// Cycles:   1,122 f3 on Kiwipete
GenerateQueenMoves: {
        jsr GenerateRookMoves
        lda zpArgFrom           // kept by it
        ldx zpColor
}
// GenerateBishopMoves - the four diagonals
//
// Cycles:   608 d2 on Kiwipete
GenerateBishopMoves: {
        ldy #4
        bne SlideFour           // always
}
// GenerateRookMoves - ranks and files
//
// Cycles:   371 h1 on Kiwipete
GenerateRookMoves: {
        ldy #0
}
SlideFour: {                    // directions Y to Y + 3
        sta zpArgFrom
        stx zpColor
        tya
        clc
        adc #3
        sta zpScan
next:   sty zpIndex
        lda zpArgFrom
        sta zpWalk
step:   ldy zpIndex
        lda zpWalk
        clc
        adc ZoneStep,y
        sta zpWalk
        tax
        and #OFF_BOARD
        bne stop
        lda Board88,x
        beq free
        eor zpColor
        bpl stop                // own piece
        jsr addWalk
        jmp stop
free:   jsr addWalk
        jmp step
stop:   ldy zpIndex
        cpy zpScan
        iny
        bcc next
        rts
addWalk:
        ldx zpWalk
        lda zpArgFrom
        jmp AddMove
}

// StepOnce - one step of A from zpArgFrom, for knights and kings
StepOnce: {
        clc
        adc zpArgFrom
        tax
        and #OFF_BOARD
        bne stop
        lda Board88,x
        beq free
        eor zpColor
        bpl stop
free:   lda zpArgFrom
        jmp AddMove
stop:   rts
}

// GenerateKingMoves - eight steps, and castling by the book: the right is set,
// the king is at home, the squares between are empty
//
// Cycles:   438 e1 at the start
GenerateKingMoves: {
        sta zpArgFrom
        stx zpColor
        ldy #7
next:   sty zpIndex
        lda ZoneStep,y
        jsr StepOnce
        ldy zpIndex
        dey
        bpl next
        lda castlerights
        ldx zpArgFrom
        ldy zpColor
        bpl black
        cpx #E1
        beq home
none:   rts
black:  cpx #E8
        bne none
        lsr                     // Black's rights to bits 0 and 1
        lsr
home:   lsr
        pha                     // bit 0: the long side
        bcc noShort
        lda Board88+1,x
        ora Board88+2,x
        bne noShort
        inx
        inx
        lda zpArgFrom
        jsr AddMove
        ldx zpArgFrom
noShort:
        pla
        lsr
        bcc none
        lda Board88-1,x
        ora Board88-2,x
        ora Board88-3,x
        bne none
        dex
        dex
        lda zpArgFrom
        jmp AddMove
}

// GeneratePawnMoves - steps, captures, promotions, en passant
//
// Cycles:   253 e2 at the start
GeneratePawnMoves: {
        sta zpArgFrom
        stx zpColor
        ldy #-ROW & $FF
        txa
        bmi white
        ldy #ROW
white:  sty zpForward
        lda zpArgFrom
        clc
        adc zpForward
        sta zpWalk
        tax
        and #OFF_BOARD
        bne done
        lda Board88,x
        bne captures
        jsr addStep
        lda zpArgFrom           // a double step from rank 2 or rank 7
        and #ROW_BITS
        ldx #RANK_2
        bit zpColor
        bmi rank
        ldx #RANK_7
rank:   stx zpTemp
        cmp zpTemp
        bne captures
        lda zpWalk
        clc
        adc zpForward
        tax
        lda Board88,x
        bne captures
        lda zpArgFrom
        jsr AddMove
captures:
        ldx zpWalk
        dex
        jsr capture
        ldx zpWalk
        inx
capture:
        txa
        and #OFF_BOARD
        bne done
        lda Board88,x
        beq passing
        eor zpColor
        bpl done                // own piece
        stx zpWalk2
        jmp addTo
passing:
        cpx enpassantsq
        bne done
        txa                     // White takes on rank 6, Black on rank 3
        and #ROW_BITS
        bit zpColor
        bmi whiteRow
        cmp #RANK_3
        bne done
        beq takes
whiteRow:
        cmp #RANK_6
        bne done
takes:  lda zpArgFrom
        jmp AddMove
addStep:
        stx zpWalk2
addTo:  lda zpArgFrom
        jsr AddMove
        lda zpWalk2             // on the last row a knight's promotion too
        and #ROW_BITS
        beq last
        cmp #RANK_1
        bne done
last:   lda zpWalk2
        ora #PROMOTE_KNIGHT
        tax
        lda zpArgFrom
        jmp AddMove
done:   rts
}

// GenerateAllMoves - all pseudo-legal moves of a colour
//
// In:       X = colour
// Out:      moves appended
// Clobbers: A, X, Y
// Cycles:   6,953 at the start, 8,718 on Kiwipete
GenerateAllMoves: {
        txa
        and #WHITE_COLOR
        sta zpAttacker          // the piece routines use zpColor
        lda #0
        sta zpSquare
next:   ldx zpSquare
        lda Board88,x
        beq skip
        tay
        eor zpAttacker
        bmi skip
        tya
        and #TYPE_BITS
        tay
        lda pieceLo,y
        sta go
        lda pieceHi,y
        sta go+1
        lda zpSquare
        ldx zpAttacker
        jsr go:$FFFF            // patched
skip:   inc zpSquare
        lda zpSquare
        and #OFF_BOARD
        beq next
        cmp #BELOW_BOARD
        beq done
        lda zpSquare            // past the right edge: next row
        clc
        adc #8
        sta zpSquare
        bpl next
done:   rts
pieceLo:
        .byte <GeneratePawnMoves, <GenerateBishopMoves, <GenerateRookMoves, <GenerateQueenMoves
        .byte <GenerateKnightMoves, <noMoves, <noMoves, <GenerateKingMoves
pieceHi:
        .byte >GeneratePawnMoves, >GenerateBishopMoves, >GenerateRookMoves, >GenerateQueenMoves
        .byte >GenerateKnightMoves, >noMoves, >noMoves, >GenerateKingMoves
noMoves:
        rts
}

// GenerateSlowly - legal moves of a board too crowded for the lists
//
// Each pseudo-legal move is tried on the work board.
//
// In:       X = colour; the work board and the kings are true
// Out:      MoveCount, the list; A = MoveCount
// Clobbers: A, X, Y
// Cycles:   29,914 at the start, 70,315 on Kiwipete
GenerateSlowly: {
        txa
        and #WHITE_COLOR
        sta zpSide
        tax
        jsr ClearMoveList
        jsr GenerateAllMoves
        lda #0
        sta zpScan              // moves kept
        sta zpMoveIndex
next:   ldx zpMoveIndex
        cpx MoveCount
        beq done
        lda MoveListFrom,x
        sta zpFrom
        lda MoveListTo,x
        sta zpTo
        jsr TryMove
        bcs drop
        ldx zpScan
        lda zpFrom
        sta MoveListFrom,x
        lda zpTo
        sta MoveListTo,x
        inc zpScan
drop:   inc zpMoveIndex
        bne next
done:   lda zpScan
        sta MoveCount
        rts
}

// TryMove - is a pseudo-legal move legal? Nothing but the work board is needed
//
// In:       zpFrom, zpTo, zpSide
// Out:      C = 0 legal, C = 1 not
// Clobbers: A, X, Y
// Cycles:   1,053 legal knight move
TryMove: {
        lda zpSide
        sta zpColor
        eor #WHITE_COLOR
        sta zpAttacker
        lda zpTo
        and #ON_BOARD
        sta zpEp                // the square gone to
        ldx zpFrom
        lda Work,x
        and #TYPE_BITS
        cmp #KING
        beq king
        cmp #PAWN
        bne plain
        ldy zpEp                // a pawn that changes file onto an empty square
        lda Work,y
        bne plain
        txa
        eor zpEp
        and #FILE_BITS
        beq plain
        tya                     // no victim, no capture
        eor #ROW
        tay
        lda zpAttacker
        ora #CODE_BITS | PAWN
        cmp Work,y
        bne illegal
        jmp EpIsLegal           // X = zpFrom
king:   txa                     // castling: two files
        eor zpEp
        cmp #2
        beq castle
        cmp #6
        beq castle
plain:  ldy zpEp
        lda Work,y
        sta zpHit
        lda Work,x
        sta zpCode
        sta Work,y
        lda #EMPTY_PIECE
        sta Work,x
        ldx zpWhiteKing
        lda zpSide
        bmi ours
        ldx zpBlackKing
ours:   cpx zpFrom              // the king himself moves
        bne stays
        ldx zpEp
stays:  clc
        txa
        bmi restore             // no king
        jsr WorkAttacked
restore:
        ldx zpFrom
        lda zpCode
        sta Work,x
        ldy zpEp
        lda zpHit
        sta Work,y
        rts
castle: lda zpState             // rights with king and rook in place only
        ldy zpSide
        bmi white
        lsr
        lsr
white:  ldy zpEp
        cpy zpFrom
        bcs short
        lsr                     // the long right
        dex                     // X = the square passed over
        bpl right               // always
short:  inx
right:  lsr
        bcc illegal
        stx zpCode
        ldx zpFrom
        jsr WorkAttacked        // not out of check
        bcs illegal
        ldx zpCode
        jsr WorkAttacked        // not through it
        bcs illegal
        ldx zpEp
        jmp WorkAttacked        // not into it
illegal:
        sec
        rts
}
