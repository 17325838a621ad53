// rays.asm - the straight-line pieces of the move generator, as macros
//
// Provides: EmitMove, KnightJumps, FourRays, RayFar, PawnMoves, PromotingPawn
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

// Ray - one direction: four squares in line, the rest as a routine
//
// `far` is the RayFar of the same direction.
.macro Ray(white, step, far) {
        BranchBlocked(white, step, next)
        BranchEnemy(white, hit1)
        EmitMove(step)
        BranchOccupied(white, 2*step, hit2)
        EmitMove(2*step)
        BranchOccupied(white, 3*step, hit3)
        EmitMove(3*step)
        BranchOccupied(white, 4*step, hit4)
        EmitMove(4*step)
        jsr far
        jmp next
hit1:   lda Ident+step,x
        jmp capture
hit2:   bmi next
        lda Ident+2*step,x
        jmp capture
hit3:   bmi next
        lda Ident+3*step,x
        jmp capture
hit4:   bmi next
        lda Ident+4*step,x
capture:
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
next:
}

// RayFar - the fifth to the seventh square, as a routine
.macro RayFar(white, step) {
        BranchOccupied(white, 5*step, hit5)
        EmitMove(5*step)
        BranchOccupied(white, 6*step, hit6)
        EmitMove(6*step)
        BranchOccupied(white, 7*step, hit7)
        EmitMove(7*step)
own:    rts
hit5:   bmi own
        lda Ident+5*step,x
        jmp EmitLast
hit6:   bmi own
        lda Ident+6*step,x
        jmp EmitLast
hit7:   bmi own
        lda Ident+7*step,x
        jmp EmitLast
}

// EmitLast - append from X to A and return from the RayFar that came here
EmitLast: {
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
        rts
}

// FourRays - a bishop's (first = 4) or a rook's (first = 0) moves; falls through
.macro FourRays(white, first, far0, far1, far2, far3) {
        Ray(white, DirStep.get(first+0), far0)
        Ray(white, DirStep.get(first+1), far1)
        Ray(white, DirStep.get(first+2), far2)
        Ray(white, DirStep.get(first+3), far3)
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
