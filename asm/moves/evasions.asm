// evasions.asm - the moves of a side with pinned pieces or in check
//
// Provides: macro Evasions
// Uses:     pins.asm, attack.asm (FirstHit), tables.asm, storage.asm
#importonce

// Evasions - there are pins or checks
//
// In:       zpPins, zpCheckers; X = king. The pinned pieces' moves are in the
//           list, zpCount of them
.macro Evasions(white, pieces, kings) {
        lda zpCheckers
        bne inCheck
        ldy zpCount             // pins only: all others move as ever
        jsr pieces
        jsr RestorePins
        lda MoveCount
        rts

inCheck:
        sta zpInCheck           // for the search: not 0
        ldy #0                  // pinned pieces cannot answer a check
        sty zpCount
        cmp #2
        bcs kingOnly
        jsr MarkPinned
        lda zpChecker
        jsr answer              // take the checker
        lda zpCheckLine
        beq answered
        tax
        lda LineStep-LINE,x
        sta zpStep
        lda KingOf(white)
between:
        clc
        adc zpStep
        cmp zpChecker
        beq answered
        jsr answer              // or step in between
        lda zpTarget
        jmp between
answered:
        jsr UnmarkPinned        // a pinned pawn may still take en passant
kingOnly:
        lda #EMPTY_PIECE        // sliders see through the king who leaves
        ldx KingOf(white)
        sta Work,x
        ldy zpCount
        jsr kings
        lda #PieceOf(white, KING)
        ldx KingOf(white)
        sta Work,x
        jsr RestorePins
        lda #0
        sta zpCheckers
        lda MoveCount
        rts

// --- All moves to one square: the checker's, or one on its line ---
answer: sta zpTarget
        tax
        eor #$FF                // NO_DISTANCE - target
        sec
        adc #NO_DISTANCE
        sta zpTargetOrtho
        sta zpTargetDiag
        sta zpTargetAny
        lda #>LineOrtho
        sta zpTargetOrtho+1
        lda #>LineDiag
        sta zpTargetDiag+1
        lda #>LineAny
        sta zpTargetAny+1
        cpx zpChecker
        beq pawnsTake
// a push to the empty square
        lda Work-ForwardOf(white),x
        bne onePush
    .if (white) {
        cpx #RANK_4             // a double step may reach it
        bcc pawnsDone
        cpx #RANK_4+8
        bcs pawnsDone
    } else {
        cpx #RANK_5
        bcc pawnsDone
        cpx #RANK_5+8
        bcs pawnsDone
    }
        lda Work-2*ForwardOf(white),x
        cmp #PieceOf(white, PAWN)
        bne pawnsDone
        lda Ident-2*ForwardOf(white),x
        jsr emitPawn
        jmp pawnsDone
onePush:
        cmp #PieceOf(white, PAWN)
        bne pawnsDone
        lda Ident-ForwardOf(white),x
        jsr emitPawn
        jmp pawnsDone
pawnsTake:
        lda Work-ForwardOf(white)-1,x
        cmp #PieceOf(white, PAWN)
        bne otherPawn
        lda Ident-ForwardOf(white)-1,x
        jsr emitPawn
otherPawn:
        ldx zpTarget
        lda Work-ForwardOf(white)+1,x
        cmp #PieceOf(white, PAWN)
        bne pawnsDone
        lda Ident-ForwardOf(white)+1,x
        jsr emitPawn
pawnsDone:
        ldx #KnightsOf(white)
nextKnight:
        ldy $00,x
        bmi knightsDone
        lda (zpTargetAny),y
        asl                     // KNIGHT_JUMP?
        bpl noKnight
        tya
        jsr emit
noKnight:
        inx
        bne nextKnight
knightsDone:
        ldx #BishopsOf(white)
nextBishop:
        ldy $00,x
        bmi bishopsDone
        lda (zpTargetDiag),y
        bpl noBishop
        jsr reach
noBishop:
        inx
        bne nextBishop
bishopsDone:
        ldx #RooksOf(white)
nextRook:
        ldy $00,x
        bmi rooksDone
        lda (zpTargetOrtho),y
        bpl noRook
        jsr reach
noRook: inx
        bne nextRook
rooksDone:
        ldx #QueensOf(white)
nextQueen:
        ldy $00,x
        bmi queensDone
        lda (zpTargetAny),y
        bpl noQueen
        jsr reach
noQueen:
        inx
        bne nextQueen
queensDone:
        rts

reach:  sty zpSlider            // is the slider the first thing seen from the target?
        stx zpIndex
        ldx zpTarget
        jsr FirstHit
        tya
        ldx zpIndex
        cmp zpSlider
        bne out
emit:   ldy zpCount             // A = from
        sta MoveListFrom,y
        lda zpTarget
        sta MoveListTo,y
        inc zpCount
out:    rts

emitPawn:
        ldy zpCount
        sta MoveListFrom,y
        sta MoveListFrom+1,y
        lda zpTarget
        sta MoveListTo,y
        inc zpCount
    .if (white) {
        cmp #RANK_7
        bcs out
    } else {
        cmp #RANK_1
        bcc out
    }
        ora #PROMOTE_KNIGHT
        sta MoveListTo+1,y
        inc zpCount
        rts
}
