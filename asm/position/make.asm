// make.asm - making moves on the private position
//
// Provides: MakeMoveSynced, MakeNullSynced; RemoveTotals; the lists' TakeOffList, PutBackOnList
// Uses:     constants.asm, storage.asm, zeropage.asm, sync.asm, zobrist.asm,
//           check.asm, moves/enpassant.asm
//
// Every piece has its own routine, found by its code through a vector: no test
// for pawns, kings and rooks is made for a knight. Whether a move gives check is
// told by check.asm, for those who ask. unmake.asm takes the moves back, public.asm
// does both for the public position.
#importonce

// MakeMoveSynced - make a move on the private position
//
// In:       A = from, X = to (with flags)
// Out:      private position after the move, zpPly + 1; zpFrom, zpTo for SeeCheck
// Clobbers: A, X, Y
// Cycles:   208 quiet knight, 433 knight takes pawn, 482 castling short, 615 promotion
MakeMoveSynced: {
        sta zpFrom
        stx zpTo
        tax
        SaveForUndo()
        lda Work,x
        asl                     // C = colour; twice the code is the vector's low byte
        bcc black
        sta white
        jmp white:(MakeWhiteVectors)
black:  sta other
        jmp other:(MakeBlackVectors)
}

// SaveForUndo - push hash and score. Y = ply, X is kept
//
// The rest depends on the move: its routine saves what it changes, and the kind says so.
.macro SaveForUndo() {
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
}

// MakeNullSynced - no piece moves: the side changes, nothing else
//
// Out:      private position, zpPly + 1; UnmakeMoveSynced takes it back
// Clobbers: A, X, Y
// Cycles:   124 no en passant, 224 en passant lapses
MakeNullSynced: {
        SaveForUndo()
}
MakeNothing: {                  // codes without a piece: Y = ply
        lda #KIND_NOTHING
        sta PlyKind,y
        lda zpState
        sta PlyState,y
        lda zpSide
        eor #WHITE_COLOR
        sta zpSide
        jsr FlipSideKey
        inc zpClock
}
// FinishMove - the move is made: en passant is over, the next ply begins
FinishMove: {
        inc zpPly
        bit zpState
        bpl done
        lda zpState
        and #RIGHTS
        jmp SetState
done:   rts
}

// ChangeState - a quiet move or a capture changes the state: the kind says what to restore
//
// In:       A = new zpState
ChangeState: {
        tay
        ldx zpPly
        inc zpPly
        lda PlyKind,x
        bne saved               // a capture
        lda #KIND_STATE
        sta PlyKind,x
        lda zpState
        sta PlyState,x
saved:  tya
        jmp SetState
}

// TurnTo - the other side moves next
.macro TurnTo(white) {
        lda #[white ? WHITE_COLOR : BLACK_COLOR]
        sta zpSide
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

// Make... - a routine for each piece, entered at its beginning or at `begin`. In: X = zpFrom, Y = zpPly
//
// MakePiece - knight, bishop or queen; a rook loses its castling right too
.macro MakePiece(white, type) {
        lda #KIND_QUIET
        sta PlyKind,y
        TurnTo(!white)
        ldy zpTo
        lda Work,y
        bne capture
move:   MovePiece(white, type)
        inc zpClock
    .if (type == ROOK) {
        lda zpState
        beq done
        ldx zpFrom
        and RightsKept,x
        cmp zpState
        bne changed
    } else {
        bit zpState
        bmi changed             // en passant is over
    }
done:   inc zpPly
        rts
changed:
    .if (type != ROOK) {
        lda zpState
        and #RIGHTS
    }
        jmp ChangeState
capture:
        jsr Capture
        ldx zpFrom
        ldy zpTo
        jmp move
}

// MakeKing - a king's move or castling
.macro MakeKing(white) {
    .var home = white ? E1 : E8
capture:
        jsr Capture
        ldx zpPly
        lda #KIND_KING_CAPTURE
        sta PlyKind,x
        ldx zpFrom
        ldy zpTo
        jmp move
atHome: cpy #home+2
        beq toShort
        cpy #home-2
        bne move
        jmp long
toShort:
        jmp short
begin:  lda #KIND_KING
        sta PlyKind,y
        lda zpState
        sta PlyState,y
        TurnTo(!white)
        ldy zpTo
        lda Work,y
        bne capture
        cpx #home
        beq atHome
move:   MovePiece(white, KING)
        inc zpClock
        AimKing(white)
        inc zpPly
        lda zpState
        beq done
        ldx zpFrom
        and RightsKept,x
        cmp zpState
        beq done
        jmp SetState
done:   rts
short:  ldy zpPly
        lda #KIND_SHORT
        sta PlyKind,y
        ldx #home+3
        ldy #home+1
        bne rook                // always
long:   ldy zpPly
        lda #KIND_LONG
        sta PlyKind,y
        ldx #home-4
        ldy #home-1
rook:   MovePiece(white, ROOK)
        jsr FlipSideKey         // MovePiece will turn it a second time
        ldx zpFrom
        lda zpTo
        sty zpTo                // only the rook can give check
        tay
        jmp move
}

// MakePawn - steps, captures, en passant and promotions
.macro MakePawn(white) {
toPromote:
        jmp Promote
begin:
    .if (white) {
        cpx #RANK_6             // leaves C = 1
        bcc toPromote
    } else {
        cpx #RANK_2             // leaves C = 0
        bcs toPromote
    }
        lda #KIND_PAWN
        sta PlyKind,y
        lda zpClock
        sta PlyClock,y
        lda zpState
        sta PlyState,y
        lda #0
        sta zpClock
        TurnTo(!white)
        ldy zpTo
        lda Work,y
        bne capture
    .if (white) {
        txa
        sbc zpTo
        cmp #ROW
    } else {
        tya
        sbc zpFrom
        cmp #ROW-1              // C was 0
    }
        bne notStep
step:   MovePiece(white, PAWN)
        bit zpState
        bmi epOver
        inc zpPly
        rts
epOver: jmp FinishMove
capture:
        jsr CaptureByPawn
        ldx zpFrom
        ldy zpTo
        jmp step

notStep:
        cmp #2*ROW - (white ? 0 : 1)
        bne enPassant
        jsr move
        lda #PieceOf(!white, PAWN)
        cmp Work-1,y
        beq beside
        cmp Work+1,y
        bne epOver
beside: tya                     // an enemy pawn could take en passant
        eor #ROW                // the square passed over
        sta zpEp
        lda #[white ? BLACK_COLOR : WHITE_COLOR]
        sta zpColor
        jsr EpAllowedQuickly
        bcs epOver
        inc zpPly
        lda zpEp
        asl
        asl
        asl
        asl
        ora #STATE_EP
        sta zpTemp
        lda zpState
        and #RIGHTS
        ora zpTemp
        jmp SetState

enPassant:
        lda zpTo                // the victim is beside the from square
        eor #ROW
        tay
        lda Work,y
        beq noPawn              // no victim: not a move of chess, but no harm
        jsr CaptureByPawn
        ldx zpPly
        lda #KIND_EN_PASSANT
        sta PlyKind,x
        ldy zpVictim
        lda #EMPTY_PIECE
        sta Work,y
        ldx zpFrom
        ldy zpTo
        jsr move
        ldy zpVictim            // a line that the victim leaves counts like one the pawn leaves
        lda (LineAnyOf(!white)),y
        bpl epOver
        sta zpLine
        jsr [white ? WhiteLine : BlackLine]
        beq epOver
        lda zpVictim
        sta zpFrom
        bpl epOver              // always
noPawn: ldy zpTo
        jmp step
move:   MovePiece(white, PAWN)
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

// Capture - take the piece on Y off its list, hash and score; the board keeps it
// CaptureByPawn - the same when clock and state are saved
//
// In:       Y = square, A = code on it
// Out:      undo data with KIND_CAPTURE, rights of a captured rook; zpVictim = Y.
//           Capture: zpClock = $FF (inc makes it 0)
// Clobbers: A, X, Y
// Cycles:   206 Capture pawn, 179 CaptureByPawn pawn
Capture: {
        ldx zpPly
        sta zpCode
        lda zpClock
        sta PlyClock,x
        lda #$FF
        sta zpClock
        lda zpState
        sta PlyState,x
        lda zpCode
        bne CaptureByPawn.saved // always
}
CaptureByPawn: {
        sta zpCode
        ldx zpPly
saved:  sta PlyCode,x
        sty zpVictim
        lda PieceSlot,y
        sta zpSlot
        sta PlySlot,x
        lda #KIND_CAPTURE
        sta PlyKind,x
        ldx zpCode
        dec zpNextSlot,x        // its list: the last one takes the slot
        lda zpNextSlot,x
        tax
        lda $00,x
        ldy zpSlot
        sta $0000,y
        tay                     // the moved piece's square
        lda zpSlot
        sta PieceSlot,y
        lda #NO_SQUARE
        sta $00,x               // after the copy: they may be the same slot
        ldy zpVictim
        lda zpCode
        and #TYPE_BITS
        cmp #ROOK
        bne RemoveVictim
        lda zpState             // a rook at home takes its right along
        and #STATE_EP | STATE_FILE
        sta zpTemp
        lda RightsKept,y
        and zpState
        ora zpTemp
        cmp zpState
        beq RemoveVictim
        jsr SetState
        ldy zpVictim
}
RemoveVictim: {
        ldx zpCode
        bne RemoveTotals.aim    // always
}

// RemoveTotals - a piece disappears: hash and score
//
// In:       A = code, Y = square
// Clobbers: A, X, Y
// Cycles:   86 no borrow, 92 borrow
RemoveTotals: {
        tax
aim:    tya                     // Y = index in the page of the type
        ora TableHalf-CODE_BITS,x
        tay
        txa
        and #%0000_0110         // two types share a page
        beq first
        cmp #ROOK
        beq second
        RemoveFrom(2)
first:  RemoveFrom(0)
second: RemoveFrom(1)
}
// TakeBase - after the subtraction of a placement: store it, and take the material of code X off the score
.macro TakeBase() {
        bcs noBorrow
        dec zpScoreHi
        sec
noBorrow:
        sbc BaseLo-CODE_BITS,x
        sta zpScoreLo
        lda zpScoreHi
        sbc BaseHi-CODE_BITS,x
        sta zpScoreHi
}

.macro RemoveFrom(page) {
        lda zpHashLo
        eor KeyLo+page*$100,y
        sta zpHashLo
        lda zpHashHi
        eor KeyHi+page*$100,y
        sta zpHashHi
        lda zpHashEx
        eor KeyEx+page*$100,y
        sta zpHashEx
        sec
        lda zpScoreLo
        sbc Place+page*$100,y
        TakeBase()
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
// In:       X = zpFrom, Y = zpPly, zpTo with flags
// Out:      as MakeMoveSynced; zpTo without flags
Promote: {
        lda zpState
        sta PlyState,y
        lda zpClock
        sta PlyClock,y
        lda #KIND_PROMOTE
        sta PlyKind,y
        lda #0
        sta zpClock
        lda zpSide
        eor #WHITE_COLOR
        sta zpSide
        lda zpTo
        and #ON_BOARD
        sta zpTarget
        tay
        lda Work,y
        beq free
        jsr CaptureByPawn
        ldx zpPly
        lda #KIND_PROMOTE_CAPTURE
        sta PlyKind,x
        ldx zpFrom
free:   lda Work,x
        sta zpCode
        lda #EMPTY_PIECE
        sta Work,x
        ldy zpFrom
        lda zpCode
        jsr RemoveTotals
        ldy zpFrom
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
        sty zpTo
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
        jmp FinishMove
}
