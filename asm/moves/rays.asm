// rays.asm - the straight-line pieces of the move generator, as macros
//
// Provides: EmitMove, KnightJumps, FourRays, PawnMoves, PromotingPawn
// Uses:     constants.asm, storage.asm (Work, MoveList), tables.asm (Ident)
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

// KnightJumps - the eight jumps
.macro KnightJumps(white) {
    .for (var i = 0; i < 8; i++) {
        BranchBlocked(white, KnightStep.get(i), blocked)
        EmitMove(KnightStep.get(i))
blocked:
    }
}

// Ray - one direction: the first square in line, the others in a loop
//
// In the loop X is biased, so that a step up from the first row is not below 0.
.const BIAS = $22
.macro Ray(white, step) {
        BranchBlocked(white, step, next)
        BranchEnemy(white, hit)
        stx zpTarget
        EmitMove(step)
        clc
        adc #BIAS+step          // A = from
    .if (step < 0) {
        sec                     // from here on the carry does not change
    } else {
        clc
    }
far:
    .if (step < 0) {
        sbc #-step
    } else {
        adc #step
    }
        tax
        lda Work-BIAS,x
        bne end
        lda Ident-BIAS,x
        sta MoveListTo,y
        lda zpTarget
        sta MoveListFrom,y
        iny
        txa
        jmp far
hit:    lda Ident+step,x
        jmp capture
end:
    .if (white) {
        bmi back
    } else {
        bpl back                // own
        cmp #GUARD_CELL
        beq back
    }
        lda Ident-BIAS,x
        ldx zpTarget
capture:
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
    .if (white) {
        jmp next
    } else {
        bne next                // always
    }
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

// PawnMoves - the moves of the pawn on X, en passant excepted; falls through
//
// A pawn on its first row with two free squares ahead is the main path.
// The last test branches over the rarer code, so nothing jumps for nothing.
.macro PawnMoves(white, promoting) {
    .var forward = ForwardOf(white)
    .if (white) {
        cpx #RANK_2             // on it?
        bcc notHome
        lda Work+forward,x
    } else {
        cpx #RANK_6             // on rank 7?
        bcs notHome
        lda Work+forward,x
    }
        ora Work+2*forward,x
        bne single
        lda Ident+forward,x
        sta MoveListTo,y
        lda Ident+2*forward,x
        sta MoveListTo+1,y      // the list has a spare byte behind it
        txa
        sta MoveListFrom,y
        sta MoveListFrom+1,y
        iny
        iny
captures:
        BranchBlocked(white, forward-1, right)
        BranchEnemy(white, takeLeft)
right:  BranchBlocked(white, forward+1, next)
    .if (white) {
        beq next
    } else {
        bcs next
    }
        EmitMove(forward+1)
        jmp next
takeLeft:
        EmitMove(forward-1)
        jmp right
notHome:
    .if (white) {
        cpx #RANK_6             // on rank 7: the next step promotes
        bcc promotes
    } else {
        cpx #RANK_2
        bcs promotes
    }
single: lda Work+forward,x
        bne toCaptures
        EmitMove(forward)
toCaptures:
    .if (!white) {
        txa                     // A = from again
    }
        jmp captures
promotes:
        jsr promoting
next:
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
