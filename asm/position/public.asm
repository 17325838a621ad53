// public.asm - making and unmaking moves on the public position
//
// Provides: MakeMove, UnmakeMove
// Uses:     constants.asm, storage.asm, zeropage.asm, sync.asm, zobrist.asm,
//           make.asm, unmake.asm
#importonce

// MakeMove - make a move on the public position
//
// In:       A = from, X = to (with flags)
// Out:      board, king squares, rights, en passant square, clock, move number,
//           hash, SearchSide flipped, SearchDepth + 1
// Clobbers: A, X, Y, private position
// Cycles:   5,051 e2-e4, 5,233 e5xg6
MakeMove: {
        and #ON_BOARD
        sta zpArgFrom
        stx zpArgTo
        jsr SyncPosition
        ldy SearchDepth         // save what the caller wrote, bit for bit
        lda ZobristHash
        sta PublicHashLo,y
        lda ZobristHash+1
        sta PublicHashHi,y
        lda castlerights
        sta PublicRights,y
        lda enpassantsq
        sta PublicEp,y
        lda HalfmoveClock
        sta PublicClock,y

        ldx zpArgFrom
        ldy Work,x
        beq nothing             // no piece: a change of side
        tya
        and #TYPE_BITS
        beq pawn                // only a pawn on its way to the last row keeps flags
plain:  lda zpArgTo
        and #ON_BOARD
        sta zpArgTo
        jmp ready
pawn:   cpy #WHITE_PAWN
        beq whitePawn
        cpx #$60
        bcc plain
        bcs ready
whitePawn:
        cpx #$20
        bcs plain
ready:  lda zpArgFrom
        ldx zpArgTo
        jsr MakeMoveSynced
        jmp made
nothing:
        jsr MakeNullSynced
made:   jsr PublishSquares
        ldx zpArgFrom           // rights as written, less what the move takes
        lda zpArgTo
        and #ON_BOARD
        tay
        lda castlerights
        and RightsKept,x
        and RightsKept,y
        sta castlerights
        jsr PublishHash
        lda #NO_SQUARE
        sta enpassantsq
        ldy SearchDepth
        lda PlyKind,y
        cmp #KIND_PAWN
        bne noDouble
        lda zpArgFrom
        eor zpArgTo
        and #$70                // rows 6 and 4, rows 1 and 3
        cmp #$20
        bne noDouble
        lda zpArgTo
        eor #$10                // the row between
        sta enpassantsq
noDouble:
        lda PlyKind,y
        cmp #KIND_QUIET
        beq count
        cmp #KIND_KING
        beq count
        cmp #KIND_SHORT
        beq count
        cmp #KIND_LONG
        beq count
        cmp #KIND_NOTHING
        beq count
        lda #0
        sta HalfmoveClock
        beq clocked
count:  inc HalfmoveClock
        bne clocked
        dec HalfmoveClock       // never wraps
clocked:
        jsr MoverIsBlack
        bcc white
        inc FullmoveNumber
        bne white
        inc FullmoveNumber+1
white:  inc SearchDepth
        lda SearchSide
        eor #WHITE_COLOR
        sta SearchSide
        rts
}

// UnmakeMove - take a move back on the public position
//
// In:       A = from, X = to: the bytes given to MakeMove
// Out:      everything as it was, SearchDepth - 1
// Clobbers: A, X, Y, private position
// Cycles:   4,962 e2-e4, 4,768 e5xg6
UnmakeMove: {
        and #ON_BOARD
        sta zpArgFrom
        stx zpArgTo
        jsr SyncPosition
        dec SearchDepth
        ldy SearchDepth
        lda PlyKind,y           // flags count for promotions only, as in MakeMove
        cmp #KIND_PROMOTE
        beq promotion
        cmp #KIND_PROMOTE_CAPTURE
        beq promotion
        lda zpArgTo
        and #ON_BOARD
        sta zpArgTo
promotion:
        lda zpArgFrom
        ldx zpArgTo
        jsr UnmakeMoveSynced
        jsr PublishSquares
        ldy SearchDepth
        lda PublicHashLo,y
        sta ZobristHash
        lda PublicHashHi,y
        sta ZobristHash+1
        lda PublicRights,y
        sta castlerights
        lda PublicEp,y
        sta enpassantsq
        lda PublicClock,y
        sta HalfmoveClock
        lda SearchSide
        eor #WHITE_COLOR
        sta SearchSide
        jsr MoverIsBlack
        bcc white
        lda FullmoveNumber
        bne low
        dec FullmoveNumber+1
low:    dec FullmoveNumber
white:  rts
}

// MoverIsBlack - was the move of entry SearchDepth Black's?
//
// Out:      C = 1 Black moved. The piece stands on the from or the to square;
//           for a change of side it is the side itself.
// Clobbers: A, X
// Cycles:   23 White moved
MoverIsBlack: {
        ldx zpArgFrom
        lda Board88,x
        bne piece
        lda zpArgTo
        and #ON_BOARD
        tax
        lda Board88,x
        bne piece
        lda SearchSide          // nothing moved; callers ask while this is the mover
piece:  asl                     // C = white
        bcs white
        sec
        rts
white:  clc
        rts
}

// PublishSquares - copy what a move changed on the board to the public side
//
// In:       zpArgFrom, zpArgTo; SearchDepth = the move's entry
// Clobbers: A, X, Y
// Cycles:   104 quiet knight
PublishSquares: {
        ldx zpArgFrom
        jsr copy
        lda zpArgTo
        and #ON_BOARD
        tax
        jsr copy
        ldy SearchDepth
        lda PlyKind,y
        cmp #KIND_EN_PASSANT
        beq victim
        cmp #KIND_SHORT
        beq short
        cmp #KIND_LONG
        bne kings
        lda zpArgFrom
        and #$70
        tax                     // a1 or a8
        jsr copy
        inx
        inx
        inx
        jsr copy
        jmp kings
short:  lda zpArgFrom
        and #$70
        ora #7
        tax                     // h1 or h8
        jsr copy
        dex
        dex
        jsr copy
        jmp kings
victim: lda zpArgTo
        eor #$10
        tax
        jsr copy
kings:  ldy SearchDepth         // only a king's move changes his square
        lda PlyKind,y
        cmp #KIND_KING
        beq king
        cmp #KIND_KING_CAPTURE
        beq king
        cmp #KIND_SHORT
        beq king
        cmp #KIND_LONG
        bne done
king:   jsr MoverIsBlack
        bcs black
        lda zpWhiteKing
        sta whitekingsq
done:   rts
black:  lda zpBlackKing
        sta blackkingsq
        rts
copy:   lda Work,x
        sta Board88,x
        rts
}
