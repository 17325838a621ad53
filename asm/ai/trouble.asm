// trouble.asm - checks, pins and en passant: what makes a move illegal
//
// Provides: NoteChecker, KnightChecks, MarkPinned, PushPin, RestorePins,
//           EpIsLegal, EpAllowed, EpAllowedQuickly; macros LineTest, ZoneTest, Trouble, TryEnPassant
// Uses:     attack.asm (FirstHit, WorkAttacked), tables.asm, storage.asm
#importonce

// CastleBit - the bit of zpCand that stands for a castling target at home
.function CastleBit(white, short) {
    .if (white) .return short ? 1<<2 : 1<<5
    .return short ? 1<<4 : 1<<7
}

// NoteChecker - a pawn or a knight gives check
//
// In:       A = its square
// Out:      zpCheckers counted, zpChecker, zpCheckLine = 0
// Clobbers: A      Keeps: X, Y
// Cycles:   19
KnightChecks:                   // entry with Y = square, from the list scan
        tya
NoteChecker: {
        sta zpChecker
        inc zpCheckers
        lda #0
        sta zpCheckLine
        rts
}

// LineTest - an enemy slider stands in line with the king: check, pin or neither?
//
// In:       A = line code, Y = slider, X = king
// Out:      zpCheckers and zpChecker, or a pin with its moves. Keeps X
// Cycles:   about 60 blocked, 45 check, 150 and up for a pin
.macro LineTest(white) {
        sty zpSlider
        sta zpLine
        jsr FirstHit
        sta zpHit
        tya
        clc
        adc KingOf(white)
        cmp zpSlider
        beq check
        sta zpPinned
        lda zpHit
    .if (white) {
        bpl nothing             // an enemy piece in between
    } else {
        bmi nothing
    }
        ldx zpPinned
        lda zpLine
        jsr FirstHit
        tya
        clc
        adc zpPinned
        cmp zpSlider
        bne free                // two pieces in between
        jmp pin
free:   ldx KingOf(white)
nothing:
        rts
check:  sta zpChecker
        inc zpCheckers
        lda zpLine
        sta zpCheckLine
        rts

// --- A pin: emit what the piece can do along the line, then hide it ---
pin:    jsr PushPin             // A = code, Y = zpCount
        and #TYPE_BITS
        beq pawn
        cmp #KNIGHT
        beq done
        tax
        lda zpLine
        and #LINE_DIAGONAL
        beq ortho
        cpx #ROOK
        beq done
        bne slide
ortho:  cpx #BISHOP
        beq done
slide:  ldx zpLine
        lda LineStep-LINE,x
        sta zpStep
        ldx KingOf(white)
walk:   txa
        clc
        adc zpStep
        tax
        cpx zpPinned
        beq walk
        sta MoveListTo,y        // A = X = the square
        lda zpPinned
        sta MoveListFrom,y
        iny
        cpx zpSlider
        bne walk
        beq done
pawn:   lda zpLine
        and #LINE_DIAGONAL
        bne pawnTakes
        lda zpLine
        and #%0000_0010         // east and west
        bne done
        ldx zpPinned            // on the file of the king: it may push
        lda Work+ForwardOf(white),x
        bne done
        EmitMove(ForwardOf(white))
    .if (white) {
        cpx #$60
        bcc done
    } else {
        cpx #$20
        bcs done
    }
        lda Work+2*ForwardOf(white),x
        bne done
        EmitMove(2*ForwardOf(white))
done:   sty zpCount
        ldx KingOf(white)
        rts
pawnTakes:
        ldx zpPinned
        lda Ident+ForwardOf(white)-1,x
        cmp zpSlider
        beq takes
        lda Ident+ForwardOf(white)+1,x
        cmp zpSlider
        bne done
takes:  sta MoveListTo,y
    .if (white) {
        cmp #$10
        bcs plain
    } else {
        cmp #$70
        bcc plain
    }
        ora #PROMOTE_KNIGHT
        sta MoveListTo+1,y
        txa
        sta MoveListFrom+1,y
        iny                     // one entry further, the queen's move below stays first
        sta MoveListFrom-1,y
        iny
        bne done
plain:  txa
        sta MoveListFrom,y
        iny
        bne done
}

// PushPin - take the pinned piece off its list
//
// In:       zpPinned
// Out:      A = its code, Y = zpCount
// Clobbers: X
// Cycles:   about 80
PushPin: {
        ldy zpPins
        bne notFirst
        sty zpCount             // the first pin starts the list
notFirst:
        inc zpPins
        ldx zpPinned
        txa
        sta PinSquare,y
        lda PieceSlot,x
        sta PinSlot,y
        lda Work,x
        sta PinCode,y
        sta zpHit
        tax
        dec zpNextSlot,x        // the last piece of the list takes its slot
        lda zpNextSlot,x
        tax                     // X = last slot
        lda PinSlot,y
        tay                     // Y = slot
        lda $00,x
        sta $0000,y
        pha
        lda #NO_SQUARE
        sta $00,x               // after the copy: they may be the same slot
        tya
        tax
        pla
        tay
        txa
        sta PieceSlot,y         // it may be pinned as well
        ldy zpCount
        lda zpHit
        rts
}

// RestorePins - put the pinned pieces back, last one first
//
// Out:      zpPins = 0
// Clobbers: A, X, Y
// Cycles:   about 60 a pin
RestorePins: {
        ldy zpPins
        beq done
next:   dey
        ldx PinCode,y
        lda zpNextSlot,x        // the slot it left empty at the end
        inc zpNextSlot,x
        sta zpTemp
        ldx PinSlot,y
        lda $00,x
        ldx zpTemp
        sta $00,x
        tax
        lda zpTemp
        sta PieceSlot,x         // NO_SQUARE when it is the same piece: unused
        lda PinSquare,y
        ldx PinSlot,y
        sta $00,x
        tya
        bne next
        sta zpPins
done:   rts
}

// MarkPinned - give pinned pieces a code no pawn test knows
//
// In:       zpPins
// Clobbers: A, X, Y
MarkPinned: {
        ldy zpPins
next:   dey
        bmi done
        ldx PinSquare,y
        lda PinCode,y
        ora #%0000_0110         // types 6 and 7: own colour, no pawn, no list
        and #%1111_1110
        sta Work,x
        jmp next
done:   rts
}

// UnmarkPinned - give them their codes back
//
// In:       zpPins
// Clobbers: A, X, Y
UnmarkPinned: {
        ldy zpPins
next:   dey
        bmi done
        ldx PinSquare,y
        lda PinCode,y
        sta Work,x
        jmp next
done:   rts
}

// Trouble - there are pins or checks
//
// In:       zpPins, zpCheckers; X = king. The pinned pieces' moves are in the
//           list, zpCount of them
.macro Trouble(white, pieces, kings) {
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
        eor #$FF                // $77 - target
        sec
        adc #$77
        sta zpTargetKnight
        sta zpTargetOrtho
        sta zpTargetDiag
        sta zpTargetAny
        lda #>LineKnight
        sta zpTargetKnight+1
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
        cpx #$40                // rank 4: a double step may reach it
        bcc pawnsDone
        cpx #$48
        bcs pawnsDone
    } else {
        cpx #$30
        bcc pawnsDone
        cpx #$38
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
        lda (zpTargetKnight),y
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
        clc
        adc zpTarget
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
        cmp #$10
        bcs out
    } else {
        cmp #$70
        bcc out
    }
        ora #PROMOTE_KNIGHT
        sta MoveListTo+1,y
        inc zpCount
        rts
}

// ZoneTest - a slider may attack some of the king's targets: look at each
//
// In:       A = targets it is in line with, one bit each; Y = slider, X = king
// Out:      zpCand without the attacked ones. Keeps X
// Cycles:   about 105 for each target
.macro ZoneTest(white) {
        sty zpSlider
next:   sta zpBits
        tax
        ldy LowBit,x            // number of a bit that is set
        sty zpIndex
        lda KingOf(white)
        cmp #(white ? E1 : E8)
        beq home
        clc
        adc ZoneStep,y
        jmp target
home:   clc
        adc [white ? ZoneStepWhite : ZoneStepBlack],y
target: sta zpTarget
        tax
        eor #$FF                // $77 + slider - target: the index of a line table
        sec
        adc zpSlider
        clc
        adc #$77
        tay
        lda LineAny,y
        jsr FirstHit
        tya
        clc
        adc zpTarget
        ldy zpIndex
        cmp zpSlider
        bne safe
        lda ZoneClear,y
        and zpCand
        sta zpCand
safe:   lda ZoneClear,y
        and zpBits
        bne next
        ldx KingOf(white)
        rts
}

// TryEnPassant - append the captures en passant, at most two, that are legal
//
// In:       Y = list index, zpState says one is possible
// Out:      the generator's end: MoveCount, A = MoveCount
.macro TryEnPassant(white) {
        sty zpCount
        lda zpSide              // only for the side to move
    .if (white) {
        bpl done
    } else {
        bmi done
    }
        jsr EpSquare
        lda zpEp
        clc
        adc #(-ForwardOf(white)-1) & $FF
        jsr try
        lda zpEp
        clc
        adc #(-ForwardOf(white)+1) & $FF
        jsr try
done:   ldy zpCount
        sty MoveCount
        tya
        rts
try:    tax
        lda zpCheckers
        bne slowly
        lda Work,x
        cmp #PieceOf(white, PAWN)
        bne not
        stx zpSquare            // no check, and the king in line with neither pawn: legal
        txa
        tay
        lda (LineAnyOf(white)),y
        bmi lines
        lda zpEp
        eor #$10
        tay
        lda (LineAnyOf(white)),y
        bpl append
lines:  jsr EpKeepsLines
        bcs not
        bcc append
slowly: jsr EpIsLegal
        bcs not
append:
        ldy zpCount
        lda zpSquare            // the pawn's square
        sta MoveListFrom,y
        lda zpEp
        sta MoveListTo,y
        inc zpCount
not:    rts
}

// EpSquare - the en passant square of zpState for the side zpSide
//
// Out:      zpEp; zpColor = zpSide
// Clobbers: A
EpSquare: {
        lda zpState
        and #STATE_FILE
        lsr
        lsr
        lsr
        lsr
        sta zpEp
        lda zpSide
        sta zpColor
        bmi white
        lda #$50
        bne row
white:  lda #$20
row:    ora zpEp
        sta zpEp
        rts
}

// EpIsLegal - may the pawn on X take en passant on zpEp?
// EpKeepsLines - the same when the king is not in check before: only lines can open
//
// In:       X = square beside the victim, zpEp, zpColor = capturing side
// Out:      C = 0 legal, C = 1 no such pawn, or the king would be in check;
//           zpSquare = X
// Clobbers: A, X, Y
// Cycles:   25 without a pawn, about 1,000 with one (EpKeepsLines 500)
EpKeepsLines:
        lda #1
        bne EpTry               // always
EpIsLegal:
        lda #0
EpTry: {
        sta zpTemp2             // not 0: lines only
        stx zpSquare
        lda zpColor
        ora #CODE_BITS | PAWN
        cmp Work,x
        bne illegal             // guard cells are no pawns either
        ldy zpEp
        sta Work,y              // the pawn arrives
        lda #EMPTY_PIECE
        sta Work,x
        tya
        eor #$10                // the victim's square: row 2 and 3, row 5 and 4
        sta zpVictim
        tay
        lda #EMPTY_PIECE
        sta Work,y
        lda zpColor
        eor #WHITE_COLOR
        sta zpAttacker
        ldx zpWhiteKing
        ldy zpColor
        bmi ours
        ldx zpBlackKing
ours:   clc
        txa
        bmi restore             // no king, no check; C = 0
        lda zpTemp2
        beq all
        jsr WorkLines
        jmp restore
all:    jsr WorkAttacked
restore:
        ldx zpEp
        lda #EMPTY_PIECE
        sta Work,x
        lda zpColor
        ora #CODE_BITS | PAWN
        ldx zpSquare
        sta Work,x
        eor #WHITE_COLOR
        ldx zpVictim
        sta Work,x
        rts                     // C is the answer
illegal:
        sec
        rts
}

// EpAllowed - is any capture en passant on zpEp legal for zpColor?
//
// In:       zpEp = an empty square with the victim behind it, zpColor
// Out:      C = 0 yes, C = 1 no
// Clobbers: A, X, Y
// Cycles:   up to 2,000
EpAllowed: {
        lda zpEp
        eor #$10
        tax
        dex                     // beside the victim
        jsr EpIsLegal
        bcc yes
        lda zpEp
        eor #$10
        tax
        inx
        jsr EpIsLegal
yes:    rts
}

// EpAllowedQuickly - the same right after a double step
//
// The king who could be exposed was not attacked before. If he is in line with
// none of the squares that change (where the step began and ended, where the
// capturing pawn stands), the capture is legal without a look at the board.
//
// In:       zpEp, zpColor; a pawn of zpColor stands beside the victim
// Out:      C = 0 legal, C = 1 not
// Clobbers: A, X, Y
// Cycles:   about 100 as a rule
EpAllowedQuickly: {
        ldx #zpWhiteLineAny
        lda zpColor
        bmi king
        ldx #zpBlackLineAny
king:   lda $00,x               // the table, by the king of the capturing side
        sta zpPtrA
        lda $01,x
        sta zpPtrA+1
        lda zpEp
        eor #$30                // where the double step began
        tay
        lda (zpPtrA),y
        bmi EpAllowed           // a check may have been discovered
        tya
        eor #$20                // where it ended
        tay
        lda (zpPtrA),y
        bmi lines
        dey
        jsr pawnBeside
        beq quick
        iny
        iny
        jsr pawnBeside
        beq quick
lines:  lda zpEp                // the victim's own check goes with it: look along the lines
        eor #$10
        tax
        stx zpVictim
        dex
        jsr try
        bcc out
        ldx zpVictim
        inx
try:    jmp EpKeepsLines
quick:  clc
out:    rts
pawnBeside:                     // Z = 1: a capturing pawn, not in line with the king
        lda zpColor
        ora #CODE_BITS | PAWN
        eor Work,y
        bne not
        lda (zpPtrA),y
not:    rts
}
