// attack.asm - what attacks a square: on the work board and on the public one
//
// Provides: FirstHit, WorkAttacked, WorkLines, IsSquareAttacked, IsKingInCheck
// Uses:     constants.asm, storage.asm (Work, Board88), tables.asm
//
// The public routines must not rely on guard cells (a caller may leave
// anything beside the board), and need no rebuild: their code is written out
// once per file of the square and colour, so that the edges left and right are
// known to the assembler, and rows above and below Board88 are guards of ours.
#importonce

// FirstHit - the first occupied cell seen from a square, guards included
//
// In:       X = square, A = line code
// Out:      A = what is there, Y = offset from X, modulo 256. Keeps X
// Cycles:   24 next square, 60 seven squares on
FirstHit: {
        sta vector
        jmp vector:(LineVectors)
}

.macro FirstHitRay(step) {
        lda Work+1*step,x
        bne hit1
        lda Work+2*step,x
        bne hit2
        lda Work+3*step,x
        bne hit3
        lda Work+4*step,x
        bne hit4
        lda Work+5*step,x
        bne hit5
        lda Work+6*step,x
        bne hit6
        lda Work+7*step,x
        bne hit7
        lda #GUARD_CELL         // the edge: never a piece
        ldy #(8*step) & $FF
        rts
hit1:   ldy #(1*step) & $FF
        rts
hit2:   ldy #(2*step) & $FF
        rts
hit3:   ldy #(3*step) & $FF
        rts
hit4:   ldy #(4*step) & $FF
        rts
hit5:   ldy #(5*step) & $FF
        rts
hit6:   ldy #(6*step) & $FF
        rts
hit7:   ldy #(7*step) & $FF
        rts
}

firstHit0: FirstHitRay(DirStep.get(0))
firstHit1: FirstHitRay(DirStep.get(1))
firstHit2: FirstHitRay(DirStep.get(2))
firstHit3: FirstHitRay(DirStep.get(3))
firstHit4: FirstHitRay(DirStep.get(4))
firstHit5: FirstHitRay(DirStep.get(5))
firstHit6: FirstHitRay(DirStep.get(6))
firstHit7: FirstHitRay(DirStep.get(7))

// WorkAttacked - is a square of the work board attacked? Needs no lists
//
// In:       X = square, zpAttacker = colour of the attackers
// Out:      C = 1 attacked
// Clobbers: A, X, Y, zpStep, zpIndex, zpTarget
// Cycles:   967 e4 at the start
.const BIAS = $22
WorkAttacked: {
        stx zpTarget
        txa
        clc
        adc #BIAS               // no step leads below 0, where an index would wrap
        sta zpStep
        ldy #7
leaper: lda zpStep              // knights and kings, a step each
        clc
        adc KnightSteps,y
        tax
        lda Work-BIAS,x
        eor zpAttacker
        cmp #BLACK_KNIGHT       // $80 is out of the code now
        beq yes
        lda zpStep
        clc
        adc ZoneStep,y
        tax
        lda Work-BIAS,x
        eor zpAttacker
        cmp #BLACK_KING
        beq yes
        dey
        bpl leaper

        ldx zpTarget            // pawns: white ones attack from below
        lda zpAttacker
        bmi fromBelow
        lda #BLACK_PAWN
        cmp Work-17,x
        beq yes
        cmp Work-15,x
        beq yes
        jmp WorkLines
fromBelow:
        lda #WHITE_PAWN
        cmp Work+17,x
        beq yes
        cmp Work+15,x
        bne WorkLines
yes:    sec
        rts
}

// WorkLines - the same for sliders alone
//
// In:       X = square, zpAttacker
// Out:      C = 1 attacked. Keeps X
// Clobbers: A, Y, zpIndex
// Cycles:   537 e4 at the start
WorkLines: {
        lda #LINE
ortho:  sta zpIndex
        jsr FirstHit
        eor zpAttacker
        ora #1
        cmp #BLACK_QUEEN
        beq yes
        lda zpIndex
        clc
        adc #2
        cmp #LINE | LINE_DIAGONAL
        bne ortho
diagonal:
        sta zpIndex
        jsr FirstHit
        eor zpAttacker
        ora #2
        cmp #BLACK_QUEEN
        beq yes
        lda zpIndex
        clc
        adc #2
        cmp #LINE | %0001_0000
        bne diagonal
        clc
        rts
yes:    sec
        rts
}

// IsKingInCheck - is the king of a colour in check?
//
// In:       X = colour of the king; Board88, whitekingsq, blackkingsq
// Out:      C = 1 in check; C = 0 not, or there is no such king
// Clobbers: A, X, Y
// Cycles:   152 at the start, 198 on Kiwipete, 93 checked by a rook
IsKingInCheck: {
        txa
        bpl black
        ldx whitekingsq
        lda Board88,x
        cmp #WHITE_KING
        bne findWhite
white:  lda ScanEntryLo,x
        sta toWhite
        lda ScanEntryHi,x
        sta toWhite+1
        jmp toWhite:$FFFF       // patched: the routine of the king's file
black:  ldx blackkingsq
        lda Board88,x
        cmp #BLACK_KING
        bne findBlack
blackScan:
        lda ScanEntryLo+8,x     // black's entries sit in the off-board half
        sta toBlack
        lda ScanEntryHi+8,x
        sta toBlack+1
        jmp toBlack:$FFFF
findWhite:
        lda #WHITE_KING         // the board is the truth: look for the king
        jsr findKing
        bpl white
        clc
        rts
findBlack:
        lda #BLACK_KING
        jsr findKing
        bpl blackScan
        clc
        rts
findKing:
        ldx #ON_BOARD
next:   cmp Board88,x
        beq found
        dex
        bmi none
        tay
        txa
        and #OFF_BOARD
        beq back
        txa                     // from column 15 to column 7
        and #ON_BOARD
        tax
back:   tya
        jmp next
found:  txa                     // N = 0
none:   rts
}

// IsSquareAttacked - does a colour attack a square?
//
// In:       A = square, X = attacking colour
// Out:      C = 1 attacked
// Clobbers: A, X, Y
// Cycles:   288 e4 at the start
IsSquareAttacked: {
        cpx #WHITE_COLOR
        tax
        and #OFF_BOARD
        bne nowhere
        bcs byWhite
        lda ScanEntryLo,x       // attacked by Black: White's king would stand here
        sta go
        lda ScanEntryHi,x
        jmp both
byWhite:
        lda ScanEntryLo+8,x
        sta go
        lda ScanEntryHi+8,x
both:   sta go+1
        jmp go:$FFFF
nowhere:
        clc
        rts
}

// ScanRay - one direction on Board88, `steps` squares to the side edge
//
// white tells whose piece would stand on X. Falls through when nothing attacks.
.macro ScanRay(white, dir, steps) {
    .var step     = DirStep.get(dir)
    .var diagonal = dir >= 4
    .var pawns    = diagonal && ((step < 0) == white)
    .if (steps > 0) {
        lda Board88+step,x
        .if (white) {
        bmi next                // own or guard
            .if (steps == 1) {
        beq next
            } else {
        bne hit1
            }
        } else {
        bmi hit1                // enemy or guard
            .if (steps == 1) {
        bpl next                // own or empty
            } else {
        bne next                // own
            }
        }
        .if (steps > 1) {
            .for (var k = 2; k < steps; k++) {
        lda Board88+k*step,x
        bne hit
            }
        lda Board88+steps*step,x
        beq next
hit:    ora #(diagonal ? 2 : 1)
        cmp #PieceOf(!white, QUEEN)
        bne next
        sec
        rts
        }
hit1:
        .if (!white) {
        cmp #GUARD_CELL
        beq next
        }
        cmp #PieceOf(!white, KING)
        beq yes
        .if (pawns) {
        cmp #PieceOf(!white, PAWN)
        beq yes
        }
        ora #(diagonal ? 2 : 1)
        cmp #PieceOf(!white, QUEEN)
        bne next
yes:    sec
        rts
next:
    }
}

// ScanFrom - everything that can attack a square on one file
.macro ScanFrom(white, file) {
        ScanRay(white, 0, 7)
        ScanRay(white, 1, 7-file)
        ScanRay(white, 2, 7)
        ScanRay(white, 3, file)
        ScanRay(white, 4, 7-file)
        ScanRay(white, 5, 7-file)
        ScanRay(white, 6, file)
        ScanRay(white, 7, file)
        lda #PieceOf(!white, KNIGHT)
    .for (var i = 0; i < 8; i++) {
        .if (file + FileOf(KnightStep.get(i)) >= 0 && file + FileOf(KnightStep.get(i)) <= 7) {
        cmp Board88+KnightStep.get(i),x
        beq yes
        }
    }
        clc
        rts
yes:    sec                     // C = 1 already; said once more for the reader
        rts
}

scanWhite:
    .for (var file = 0; file < 8; file++) {
entry:  ScanFrom(true, file)
    }
scanBlack:
    .for (var file = 0; file < 8; file++) {
entry:  ScanFrom(false, file)
    }
