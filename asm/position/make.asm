// make.asm - making moves on the private position
//
// Provides: MakeMoveSynced, MakeNullSynced; the lists' TakeOffList, PutBackOnList
// Uses:     constants.asm, storage.asm, zeropage.asm, sync.asm, zobrist.asm,
//           moves/enpassant.asm
//
// Every piece has its own routine, found by its code through a vector: no test
// for pawns, kings and rooks is made for a knight. unmake.asm takes the moves
// back, public.asm does both for the public position.
#importonce

// MakeMoveSynced - make a move on the private position
//
// In:       A = from, X = to (with flags)
// Out:      private position after the move, zpPly + 1; zpInCheck not 0: it gives check
// Clobbers: A, X, Y
// Cycles:   241 quiet knight, 614 knight takes pawn, 1,552 castling short,
//           1,421 promotion
MakeMoveSynced: {
        sta zpFrom
        stx zpTo
        SaveForUndo(KIND_QUIET)
        ldx zpFrom
        lda Work,x
        asl                     // C = colour; twice the code is the vector's low byte
        bcc black
        sta white
        jmp white:(MakeWhiteVectors)
black:  sta other
        jmp other:(MakeBlackVectors)
}

// SaveForUndo - push the scalars, turn the side. Y = ply
.macro SaveForUndo(kind) {
        ldy zpPly
        lda zpHashLo
        sta PlyHashLo,y
        lda zpHashHi
        sta PlyHashHi,y
        lda zpHashEx
        sta PlyHashEx,y
        lda zpScoreLo
        sta PlyScoreLo,y
        lda zpScoreHi
        sta PlyScoreHi,y
        lda zpState
        sta PlyState,y
        lda #kind
        sta PlyKind,y
        lda zpSide
        eor #WHITE_COLOR
        sta zpSide
}

// MakeNullSynced - no piece moves: the side changes, nothing else
//
// Out:      private position, zpPly + 1; UnmakeMoveSynced takes it back
// Clobbers: A, X, Y
// Cycles:   124 no en passant, 277 en passant lapses
MakeNullSynced: {
        SaveForUndo(KIND_NOTHING)
}
FinishNull: {
        jsr FlipSideKey
        inc zpClock
        inc zpPly
        bit zpState
        bpl done
        lda zpState
        and #RIGHTS
        jmp SetState
done:   rts
}

// MovePiece - hash, score, board and list of a piece going from X to Y
//
// Out:      Y = to; X is lost
.macro MovePiece(white, type) {
        lda zpHashLo
        eor KeyLoOf(white, type),x
        eor KeyLoOf(white, type),y
        eor #<SIDE_KEY
        sta zpHashLo
        lda zpHashHi
        eor KeyHiOf(white, type),x
        eor KeyHiOf(white, type),y
        eor #>SIDE_KEY
        sta zpHashHi
        lda zpHashEx
        eor KeyExOf(white, type),x
        eor KeyExOf(white, type),y
        eor #SIDE_KEY_EX
        sta zpHashEx
        ScorePiece(white, type)
        lda #EMPTY_PIECE
        sta Work,x
        lda #PieceOf(white, type)
        sta Work,y
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x               // the list entry
}

// ScorePiece - the placement score of a piece going from X to Y
.macro ScorePiece(white, type) {
        clc                     // one less, for the carry of the usual case
        lda PlaceOf(white, type),y
        sbc PlaceOf(white, type),x
        bcc worse
        adc zpScoreLo           // C = 1 makes up for it
        sta zpScoreLo
        bcc done
        inc zpScoreHi
        bcs done                // always
worse:  sec
        adc zpScoreLo
        sta zpScoreLo
        bcs done
        dec zpScoreHi
done:
}

// CheckGiven - zpInCheck: does a piece that went to Y give check, or clear a line?
//
// Only lines that the moved piece entered or left can hold a new check. X is lost.
.macro CheckGiven(white, type) {
    .if (type == KNIGHT) {
        lda (LineKnightOf(!white)),y
        bmi done
    }
    .if (type == BISHOP || type == ROOK || type == QUEEN) {
        lda ([type == BISHOP ? LineDiagOf(!white) : type == ROOK ? LineOrthoOf(!white) : LineAnyOf(!white)]),y
        bpl cleared
        jsr [white ? WhiteLine : BlackLine]
        bne done
cleared:
    }
    .if (type == PAWN) {
        lda #PieceOf(!white, KING)
        cmp Work+ForwardOf(white)-1,y
        beq done
        cmp Work+ForwardOf(white)+1,y
        beq done
    }
        ldy zpFrom
        lda (LineAnyOf(!white)),y
        bpl done                // A = 0
        jsr [white ? WhiteLine : BlackLine]
done:   sta zpInCheck
}

// WhiteLine, BlackLine - is a slider of that colour the first piece the enemy's king sees?
//
// In:       A = line code from the king
// Out:      A not 0 yes, Z with it
// Clobbers: X, Y, zpLine
// Cycles:   66 WhiteLine, 66 BlackLine
.macro LineGiven(white) {
        sta zpLine
        ldx KingOf(!white)
        jsr FirstHit
        tay
        lda zpLine
        and #LINE_DIAGONAL
        bne diagonal
        tya
        ora #1
        bne compare             // always
diagonal:
        tya
        ora #2
compare:
        cmp #PieceOf(white, QUEEN)
        beq yes
        lda #0
yes:    tay
        rts
}
WhiteLine: LineGiven(true)
BlackLine: LineGiven(false)

// CheckByBoard - zpInCheck the long way, for castling, promotion and en passant
//
// In:       zpSide = side to move
// Cycles:   914
CheckByBoard: {
        lda zpSide
        eor #WHITE_COLOR
        sta zpAttacker
        ldx zpWhiteKing
        bit zpSide
        bmi ours
        ldx zpBlackKing
ours:   lda #0
        cpx #NO_SQUARE
        beq none                // no king, no check
        jsr WorkAttacked
        lda #0
        rol
none:   sta zpInCheck
        rts
}

// MakePiece - knight, bishop or queen; a rook loses its castling right too
.macro MakePiece(white, type) {
        ldy zpTo
        lda Work,y
        bne capture
move:   MovePiece(white, type)
        inc zpClock
        CheckGiven(white, type)
    .if (type == ROOK) {
        ldx zpFrom
        lda RightsKept,x
        and zpState
        cmp zpState
        bne changed
    } else {
        bit zpState
        bmi changed             // en passant is over
    }
        inc zpPly
        rts
changed:
    .if (type != ROOK) {
        lda zpState
        and #RIGHTS
    }
        jsr SetState
        inc zpPly
        rts
capture:
        jsr Capture
        jmp move
}

// MakeKing - a king's move or castling
.macro MakeKing(white) {
    .var home = white ? E1 : E8
        ldy zpTo
        lda Work,y
        bne capture
        cpx #home
        bne move
        cpy #home+2
        beq short
        cpy #home-2
        beq long
move:   jsr king
        ldx zpPly
        inc PlyKind,x           // KIND_KING or KIND_KING_CAPTURE
        inc zpPly
        CheckGiven(white, KING)
        rts
capture:
        jsr Capture
        jmp move
short:  jsr king
        lda #KIND_SHORT
        ldx #home+3
        ldy #home+1
        bne rook
long:   jsr king
        lda #KIND_LONG
        ldx #home-4
        ldy #home-1
rook:   sty zpTemp
        ldy zpPly
        sta PlyKind,y
        ldy zpTemp
        jsr moveRook
        jsr FlipSideKey         // MovePiece turned it a second time
        inc zpPly
        jmp CheckByBoard
king:   MovePiece(white, KING)
        inc zpClock
        ldx zpFrom
        lda RightsKept,x
        and zpState
        cmp zpState
        beq same
        jsr SetState
same:   SetKing(white)
moveRook:
        MovePiece(white, ROOK)
        rts
}

// MakePawn - steps, captures, en passant and promotions
.macro MakePawn(white) {
    .var forward = ForwardOf(white)
    .if (white) {
        cpx #RANK_6
        bcc toPromote
    } else {
        cpx #RANK_2
        bcs toPromote
    }
        ldy zpTo
        lda Work,y
        bne capture
    .if (white) {
        txa
        sec
        sbc zpTo
    } else {
        tya
        sec
        sbc zpFrom
    }
        cmp #2*ROW
        beq toDouble
        cmp #ROW
        bne toEnPassant
        jsr move
quiet:  ldx zpPly
        lda zpClock
        sta PlyClock,x
        lda #KIND_PAWN
        sta PlyKind,x
        lda #0
        sta zpClock
        bit zpState
        bmi epOver
        inc zpPly
        rts
epOver: lda zpState
        and #RIGHTS
        jsr SetState
        inc zpPly
        rts
toPromote:
        jmp Promote
toEnPassant:
        jmp enPassant
toDouble:
        jmp double

capture:
        jsr Capture
        jsr move
        inc zpClock             // from $FF to 0
        bit zpState
        bmi epOver
        inc zpPly
        rts

double: jsr move
        ldy zpTo
        lda #PieceOf(!white, PAWN)
        cmp Work-1,y
        beq beside
        cmp Work+1,y
        beq beside
        jmp quiet
beside: lda zpState             // an enemy pawn could take en passant
        and #RIGHTS
        jsr SetState
        lda zpTo
        eor #ROW                // the square passed over
        sta zpEp
    .if (white) {
        lda #BLACK_COLOR
    } else {
        lda #WHITE_COLOR
    }
        sta zpColor
        jsr EpAllowedQuickly
        bcs notLegal
        lda zpEp
        asl
        asl
        asl
        asl
        ora #STATE_EP
        ora zpState
        jsr SetState
notLegal:
        ldx zpPly
        lda zpClock
        sta PlyClock,x
        lda #KIND_PAWN
        sta PlyKind,x
        lda #0
        sta zpClock
        inc zpPly
        rts

enPassant:
        lda zpTo                // the victim stands beside the from square
        eor #ROW
        tay
        lda Work,y
        beq nobody              // no victim: not a move of chess, but no harm
        jsr Capture
        ldy zpVictim
        lda #EMPTY_PIECE
        sta Work,y
        ldx zpPly
        lda #KIND_EN_PASSANT
        sta PlyKind,x
        ldx zpFrom
        ldy zpTo
        jsr move
        inc zpClock
        lda zpState
        and #RIGHTS
        jsr SetState
        inc zpPly
        jmp CheckByBoard
nobody: ldy zpTo
        jsr move
        jmp quiet
move:   MovePiece(white, PAWN)
        CheckGiven(white, PAWN)
        rts
}

MakeWhitePawn:   MakePawn(true)
MakeWhiteBishop: MakePiece(true, BISHOP)
MakeWhiteRook:   MakePiece(true, ROOK)
MakeWhiteQueen:  MakePiece(true, QUEEN)
MakeWhiteKnight: MakePiece(true, KNIGHT)
MakeWhiteKing:   MakeKing(true)
MakeBlackPawn:   MakePawn(false)
MakeBlackBishop: MakePiece(false, BISHOP)
MakeBlackRook:   MakePiece(false, ROOK)
MakeBlackQueen:  MakePiece(false, QUEEN)
MakeBlackKnight: MakePiece(false, KNIGHT)
MakeBlackKing:   MakeKing(false)
// MakeNothing - codes that are no piece
MakeNothing: {
        ldx zpPly
        lda #KIND_NOTHING
        sta PlyKind,x
        jmp FinishNull
}

// Capture - take the piece on Y off its list, hash and score; the board keeps it
//
// In:       Y = square, A = code on it
// Out:      undo data with KIND_CAPTURE, zpClock = $FF (inc makes it 0),
//           rights of a captured rook; zpVictim = Y; X = zpFrom, Y = zpTo
// Clobbers: A
// Cycles:   288 pawn
Capture: {
        sta zpCode
        sty zpVictim
        jsr TakeOffList
        ldx zpPly
        lda zpSlot
        sta PlySlot,x
        lda zpCode
        sta PlyCode,x
        lda #KIND_CAPTURE
        sta PlyKind,x
        lda zpClock
        sta PlyClock,x
        lda #$FF
        sta zpClock
        ldy zpVictim
        lda zpCode
        jsr RemoveTotals
        lda RightsKept,y
        ora #STATE_EP | STATE_FILE
        and zpState
        cmp zpState
        beq same
        jsr SetState
same:   ldx zpFrom
        ldy zpTo
        rts
}

// TakeOffList - remove a piece from its list, the last one taking its slot
//
// In:       A = code, Y = square
// Out:      zpSlot = its slot
// Clobbers: A, X, Y
// Cycles:   53
TakeOffList: {
        tax
        lda PieceSlot,y
        sta zpSlot
        dec zpNextSlot,x
        ldy zpNextSlot,x        // Y = last slot
        lda $0000,y
        ldx zpSlot
        sta $00,x
        tax                     // the moved piece's square
        lda zpSlot
        sta PieceSlot,x
        lda #NO_SQUARE
        sta $0000,y             // after the copy: they may be the same slot
        rts
}

// PutBackOnList - undo TakeOffList, and put the piece on the board
//
// In:       A = code, X = square, zpSlot
// Clobbers: A, X, Y
// Cycles:   69
PutBackOnList: {
        sta Work,x
        tay
        stx zpTemp
        lda zpSlot
        sta PieceSlot,x
        tya
        tax
        ldy zpNextSlot,x        // the slot the last piece had
        inc zpNextSlot,x
        ldx zpSlot
        lda $00,x
        sta $0000,y
        tax
        tya
        sta PieceSlot,x         // NO_SQUARE when it is the same piece: unused
        ldx zpSlot
        lda zpTemp
        sta $00,x
        rts
}

// Promote - a pawn becomes a piece
//
// In:       X = zpFrom, zpTo with flags
Promote: {
        lda zpTo
        and #ON_BOARD
        sta zpTarget
        tay
        lda #KIND_PROMOTE
        sta zpIndex
        lda Work,y
        beq free
        jsr Capture
        lda #KIND_PROMOTE_CAPTURE
        sta zpIndex
        bne taken
free:   ldx zpPly
        lda zpClock
        sta PlyClock,x
taken:  ldx zpPly
        lda zpIndex
        sta PlyKind,x
        lda #0
        sta zpClock
        ldx zpFrom
        lda Work,x
        sta zpCode
        lda #EMPTY_PIECE
        sta Work,x
        lda zpCode
        ldy zpFrom
        jsr RemoveTotals
        lda zpCode
        jsr TakeOffList
        ldx zpPly
        lda zpSlot
        sta PlyPawnSlot,x
        lda zpTo                // bits 7 and 3 choose the piece
        and #PROMOTE_KNIGHT | PROMOTE_MINOR
        ldx #QUEEN
        cmp #0
        beq chosen
        ldx #KNIGHT
        cmp #PROMOTE_KNIGHT
        beq chosen
        ldx #ROOK
        cmp #PROMOTE_MINOR
        beq chosen
        ldx #BISHOP
chosen: stx zpTemp
        lda zpCode
        and #$FF-TYPE_BITS
        ora zpTemp
        ldy zpTarget
        sta Work,y
        tax
        lda zpNextSlot,x
        sta PieceSlot,y
        sta zpSlot
        tay
        lda SlotAfter,y
        sta zpNextSlot,x
        tay
        lda #NO_SQUARE
        sta $0000,y
        ldy zpSlot
        lda zpTarget
        sta $0000,y
        ldy zpTarget
        txa
        jsr AddTotals
        jsr FlipSideKey
        bit zpState
        bpl done
        lda zpState
        and #RIGHTS
        jsr SetState
done:   inc zpPly
        jmp CheckByBoard
}
