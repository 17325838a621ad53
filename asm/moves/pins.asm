// pins.asm - who gives check, who is pinned, and what a pinned piece may do
//
// Provides: NoteChecker, KnightChecks, PushPin, RestorePins, MarkPinned,
//           UnmarkPinned; macro LineTest
// Uses:     attack.asm (FirstHit), rays.asm (EmitMove), tables.asm, storage.asm
#importonce

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

// LineTest - an enemy slider is in line with the king: check, pin or neither?
//
// In:       A = line code, Y = slider, X = king
// Out:      zpCheckers and zpChecker, or a pin with its moves. Keeps X
.macro LineTest(white) {
        sty zpSlider
        sta zpLine
        jsr FirstHit
        sta zpHit
        cpy zpSlider
        beq check
        sty zpPinned
        lda zpHit
    .if (white) {
        bpl nothing             // an enemy piece in between
    } else {
        bmi nothing
    }
        ldx zpPinned
        lda zpLine
        jsr FirstHit
        cpy zpSlider
        bne free                // two pieces in between
        jmp pin
free:   ldx KingOf(white)
nothing:
        rts
check:  sty zpChecker
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
        cpx #RANK_2
        bcc done
    } else {
        cpx #RANK_6
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
        cmp #RANK_7
        bcs plain
    } else {
        cmp #RANK_1
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
// Cycles:   111 first
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
// Cycles:   12 none, 74 one
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
// Cycles:   38 one
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
// Cycles:   34 one
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
