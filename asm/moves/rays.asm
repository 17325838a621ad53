// rays.asm - the straight-line pieces of the move generator, as macros
//
// Provides: EmitMove, EmitStep, KnightJumps, FourRays, PawnMoves, PromotingPawn
// Uses:     constants.asm, storage.asm (Work, MoveList...), tables.asm (Ident)
//
// Registers in every macro: X = from square, Y = next index of the move list.
// For Black A = from square too, at entry and at exit: the test of a cell is
// then `cmp`, and EmitMove leaves the from square in A anyway.
#importonce

// LoadPiece - the square in a list slot, N = 1 at the end of the list
//
// lax loads A and X at once; it is stable on every NMOS part, and Black's
// tests need the square in A (two cycles less than ldx, txa).
.macro LoadPiece(white, slot) {
    .if (white) {
        ldx slot
    } else {
        lax slot
    }
}

// EmitMove - append from X to X + offset
.macro EmitMove(offset) {
        lda Ident+offset,x      // A = to square, one read instead of txa, clc, adc
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
}

// BranchBlocked - to `blocked` if the cell is own or off the board
.macro BranchBlocked(white, offset, blocked) {
    .if (white) {
        lda Work+offset,x
    } else {
        cmp Work+offset,x
    }
        bmi blocked
}

// BranchOccupied - to `hit` if the cell is not empty; N tells own or guard
.macro BranchOccupied(white, offset, hit) {
    .if (white) {
        lda Work+offset,x
        bne hit
    } else {
        cmp Work+offset,x
        bcc hit
    }
}

// BranchEnemy - right after BranchBlocked: to `hit` if an enemy is there
.macro BranchEnemy(white, hit) {
    .if (white) {
        bne hit
    } else {
        bcc hit
    }
}

// EmitStep - the same where the carry is known: C = 1 for steps up, which keep it, C = 0 for
// steps down, which do too. A = to square
.macro EmitStep(offset) {
        txa
        sta MoveListFrom,y
    .if (offset < 0) {
        sbc #-offset            // C = 1
    } else {
        adc #offset             // C = 0
    }
        sta MoveListTo,y
        iny
}

// KnightJumps - the eight jumps: those up come first
.macro KnightJumps(white) {
    .for (var i = 0; i < 8; i++) {
    .if (white && i == 0) {
        sec
    }
    .if (white && i == 4) {
        clc
    }
        BranchBlocked(white, KnightStep.get(i), blocked)
    .if (white) {
        EmitStep(KnightStep.get(i))
    } else {
        EmitMove(KnightStep.get(i))
    }
blocked:
    }
}

// Ray - one direction: two squares in line, the others in a loop
//
// In the loop X is the square reached, modulo 256; the board has guards there, too.
.macro Ray(white, step) {
        BranchBlocked(white, step, next)
        BranchEnemy(white, hit1)
        EmitMove(step)
        BranchBlocked(white, 2*step, next)
        BranchEnemy(white, hit2)
        stx zpTarget
    .if (white) {
        txa
        sta MoveListFrom,y
        .if (step < 0) {
        sec                     // from here on the carry does not change
        sbc #-2*step
        } else {
        clc
        adc #2*step
        }
    } else {
        sta MoveListFrom,y      // A = from
        .if (step < 0) {
        sbc #-2*step            // C = 1: the square is empty
        } else {
        adc #2*step-1           // leaves C = 0
        }
    }
        sta MoveListTo,y
        iny
far:
    .if (step < 0) {
        sbc #-step
    } else {
        adc #step
    }
        tax
        lda Work,x
        bne end
        lda zpTarget
        sta MoveListFrom,y
        txa
        sta MoveListTo,y
        iny
        jmp far
hit2:   lda Ident+2*step,x
        jmp emit
hit1:   lda Ident+step,x
emit:   sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
    .if (white) {
        jmp next
    } else {
        bpl next                // always: A = from
    }
end:
    .if (white) {
        bmi back
    } else {
        bpl back                // own
        cmp #GUARD_CELL
        beq back
    }
        txa
        sta MoveListTo,y
        lda zpTarget
        sta MoveListFrom,y
        iny
back:
    .if (white) {
        ldx zpTarget
    } else {
        lax zpTarget
    }
next:
}

// FourRays - a bishop's (first = 4) or a rook's (first = 0) moves; falls through
.macro FourRays(white, first) {
        Ray(white, DirStep.get(first+0))
        Ray(white, DirStep.get(first+1))
        Ray(white, DirStep.get(first+2))
        Ray(white, DirStep.get(first+3))
}

// PawnMoves - the moves of the pawn on X, en passant excepted, as a routine
//
// A pawn on its first row with two free squares ahead is the main path. The comparisons
// that find the row leave White's carry 1 and Black's 0, as EmitStep needs it.
// Black's tests of a cell need any square in A.
.macro PawnMoves(white, promoting) {
    .var forward = ForwardOf(white)
    .if (white) {
        cpx #RANK_2             // on it?
        bcc notHome
    } else {
        cpx #RANK_6             // on rank 7?
        bcs notHome
    }
        lda Work+forward,x
        ora Work+2*forward,x
        bne single
        txa
        sta MoveListFrom,y
        sta MoveListFrom+1,y    // the list has a spare byte after it
    .if (white) {
        sbc #ROW
        sta MoveListTo,y
        sbc #ROW
    } else {
        adc #ROW
        sta MoveListTo,y
        adc #ROW
    }
        sta MoveListTo+1,y
        iny
        iny
captures:
        BranchOccupied(white, forward-1, left)
right:  BranchOccupied(white, forward+1, last)
        rts
left:   bmi right               // own or off the board
        EmitStep(forward-1)
        jmp right
last:   bmi done
        EmitStep(forward+1)
done:   rts
notHome:
    .if (white) {
        cpx #RANK_6             // on rank 7: the next step promotes
        bcc promoting
    } else {
        cpx #RANK_2
        bcs promoting
    }
single: lda Work+forward,x
        bne blocked
        EmitStep(forward)
        jmp captures
blocked:
    .if (!white) {
        txa
    }
        jmp captures
}

// EmitPromotion - append a queen's and a knight's promotion
.macro EmitPromotion(offset) {
        lda Ident+offset,x
        sta MoveListTo,y
        ora #PROMOTE_KNIGHT
        sta MoveListTo+1,y
        txa
        sta MoveListFrom,y
        sta MoveListFrom+1,y
        iny
        iny
}

// PromotingPawn - all moves of a pawn one step before promotion, as a routine
.macro PromotingPawn(white) {
    .var forward = ForwardOf(white)
        lda Work+forward,x
        bne left
        EmitPromotion(forward)
left:
    .if (!white) {
        txa
    }
        BranchBlocked(white, forward-1, right)
    .if (white) {
        beq right
    } else {
        bcs right
    }
        EmitPromotion(forward-1)
right:  BranchBlocked(white, forward+1, done)
    .if (white) {
        beq done
    } else {
        bcs done
    }
        EmitPromotion(forward+1)
done:   rts
}
