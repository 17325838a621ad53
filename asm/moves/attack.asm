// attack.asm - what attacks a square: on the work board and on the public one
//
// Provides: FirstHit, WorkAttacked, WorkLines, IsSquareAttacked, IsKingInCheck
// Uses:     constants.asm, storage.asm (Work, Board88), vectors.asm (steps), zeropage.asm
//
// The public routines look at Board88 as it is: they need no rebuild, and they
// rely on no guard left and right of the board, where a caller may leave anything.
#importonce

// FirstHit - the first occupied cell seen from a square, guards included
//
// In:       X = square, A = line code
// Out:      A = what is there, Y = where, modulo 256. Keeps X
// Cycles:   31 next square, 133 seven squares on
FirstHit: {
        tay
        lda LineStep-LINE,y
        sta step                // patched: the operand below
        txa
next:   clc
        adc step:#0
        tay
        lda Work,y
        bne hit
        tya
        jmp next
hit:    rts
}

// WorkAttacked - is a square of the work board attacked? Needs no lists
//
// In:       X = square, zpAttacker = colour of the attackers
// Out:      C = 1 attacked
// Clobbers: A, X, Y, zpStep, zpIndex, zpTarget
// Cycles:   1,201 e4 at the start
.const BIAS = $22
WorkAttacked: {
        stx zpTarget
        txa
        clc
        adc #BIAS               // no jump leads below 0, where an index would wrap
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
// Cycles:   771 e4 at the start
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
// Clobbers: A, X, Y, zpAttacker, zpStep, zpTarget
// Cycles:   190 at the start, 248 on Kiwipete, 350 checked by a rook,
//           437 open lines and a far bishop
IsKingInCheck: {
        txa
        bmi white
        ldx blackkingsq
        lda #WHITE_COLOR
        sta zpAttacker
        lda #BLACK_KING
        bne look                // always
white:  ldx whitekingsq
        lda #BLACK_COLOR
        sta zpAttacker
        lda #WHITE_KING
look:   cmp Board88,x
        bne find
        txa
        and #OFF_BOARD          // a king beside the board does not count
        beq ScanAttackers
        lda zpAttacker
        eor #WHITE_COLOR | BLACK_KING
find:   ldx #ON_BOARD           // the board is the truth: look for the king
next:   cmp Board88,x
        beq ScanAttackers
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
        bne next                // always: a king's code is not 0
none:   clc
        rts
}

// IsSquareAttacked - does a colour attack a square?
//
// In:       A = square, X = attacking colour
// Out:      C = 1 attacked
// Clobbers: A, X, Y, zpAttacker, zpStep, zpTarget
// Cycles:   341 e4 at the start
IsSquareAttacked: {
        tay
        txa
        and #WHITE_COLOR
        sta zpAttacker
        tya
        tax
        and #OFF_BOARD
        beq ScanAttackers
        clc                     // off the board
        rts
}

// ScanAttackers - is a square of Board88 attacked?
//
// The columns beside the board hold anything. A ray that runs into them sees
// no square of the board again within seven steps, so it is enough to ask
// where a piece is that looks like an attacker. Rows of guard cells are
// above and below.
//
// In:       X = square, zpAttacker = colour of the attackers
// Out:      C = 1 attacked
// Clobbers: A, X, Y, zpStep, zpTarget
// Cycles:   161 e1 at the start
KnightOnBoard: {                // a knight was seen, but does it stand on the board?
        stx zpTarget
        ldy #7
jump:   lda KnightSteps,y
        clc
        adc zpTarget
        tax
        and #OFF_BOARD
        bne off
        lda zpAttacker
        ora #BLACK_KNIGHT
        cmp Board88,x
        beq yes                 // C = 1
off:    dey
        bpl jump
        ldx zpTarget
        jmp ScanAttackers.rays
yes:    rts
}
ScanAttackers: {
        lda zpAttacker
        ora #BLACK_KNIGHT
    .for (var i = 0; i < 8; i++) {
        cmp Board88+KnightStep.get(i),x
        beq KnightOnBoard
    }
rays:   ScanRay(DIR_E)
        ScanRay(DIR_W)
        ScanRay(DIR_NE)
        ScanRay(DIR_SE)
        ScanRay(DIR_SW)
        ScanRay(DIR_NW)
        ScanRay(DIR_N)
        ScanRay(DIR_S)
        clc
        rts
}

// SeenOnBoard - is X + Y a square of the board?
//
// In:       X = square, Y = offset
// Out:      Z = 1 it is; C = 1. Keeps X
// Clobbers: A, zpStep
// Cycles:   20
SeenOnBoard: {
        sty zpStep
        txa
        clc
        adc zpStep
        and #OFF_BOARD
        sec
        rts
}

// ScanRay - one direction on Board88 from X: rts with C = 1 if it is attacked
//
// Falls through when nothing attacks.
.macro ScanRay(dir) {
    .var step     = DirStep.get(dir)
    .var diagonal = dir >= 4
    .var sideways = dir != DIR_N && dir != DIR_S
        lda Board88+step,x
        beq far
        eor zpAttacker
        bmi next                // an own piece, or a guard for White's king
        beq next                // a guard for Black's
        cmp #BLACK_KING
        beq near
    .if (diagonal) {
        cmp #BLACK_PAWN
        bne slider
        lda zpAttacker          // black pawns attack from above, white ones from below
        .if (step < 0) {
        bmi next
        } else {
        bpl next
        }
        jmp near
slider:
    }
        ora #(diagonal ? 2 : 1)
        cmp #BLACK_QUEEN
        bne next
near:
    .if (sideways) {
        ldy #step & $FF
        jsr SeenOnBoard
        bne next
    }
        rts                     // C = 1 from cmp or SeenOnBoard
far:
    .for (var k = 2; k < 8; k++) {
        .if ((dir == DIR_E && k == 4) || (dir == DIR_W && k == 4)) {
        txa                     // three squares are left on one side, four on the other
        and #%0000_0100
            .if (dir == DIR_E) {
        bne next
            } else {
        beq next
            }
        }
        lda Board88+k*step,x
        bne [sideways ? hits[k-2].offset : hit]
    }
        jmp next
hits:
    .for (var k = 2; k < (sideways ? 8 : 2); k++) {
offset: ldy #(k*step) & $FF
        .if (k < 7) {
        bne hit                 // always
        }
    }
hit:    eor zpAttacker
        ora #(diagonal ? 2 : 1)
        cmp #BLACK_QUEEN
        bne next
    .if (sideways) {
        jsr SeenOnBoard
        bne next
    }
        rts
next:
}
