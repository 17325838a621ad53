// public.asm - making and unmaking moves on the public position
//
// Provides: MakeMove, UnmakeMove
// Uses:     constants.asm, storage.asm, zeropage.asm, sync.asm, zobrist.asm,
//           make.asm, moves/vectors.asm (RightsKept)
#importonce

// What a move changes: PublicKind, by the kind that make notes
.const MOVE_PROMOTES = %0000_0001
.const MOVE_COUNTS   = %0000_0010       // the halfmove clock goes on
.const MOVE_CASTLES  = %0000_0100
.const MOVE_PASSING  = %0000_1000       // en passant
.const MOVE_NOTHING  = %0001_0000       // no piece moves
.const MOVE_KINGS    = %0100_0000       // a king moved
.const MOVE_TAKES    = %1000_0000       // a piece stood on the to square
KindFlags:
        .byte MOVE_COUNTS | MOVE_KINGS                  // KIND_KING
        .byte MOVE_TAKES                                // KIND_CAPTURE
        .byte MOVE_TAKES | MOVE_KINGS                   // KIND_KING_CAPTURE
        .byte 0                                         // KIND_PAWN
        .byte MOVE_COUNTS | MOVE_KINGS | MOVE_CASTLES   // KIND_SHORT
        .byte MOVE_COUNTS | MOVE_KINGS | MOVE_CASTLES   // KIND_LONG
        .byte MOVE_PASSING                              // KIND_EN_PASSANT
        .byte MOVE_PROMOTES                             // KIND_PROMOTE
        .byte MOVE_PROMOTES | MOVE_TAKES                // KIND_PROMOTE_CAPTURE
        .byte MOVE_COUNTS | MOVE_NOTHING                // KIND_NOTHING
        .byte MOVE_COUNTS                               // KIND_STATE

// MakeMove - make a move on the public position
//
// In:       A = from, X = to (with flags)
// Out:      board, king squares, rights, en passant square, clock, move number,
//           hash, SearchSide flipped, SearchDepth + 1
// Clobbers: A, X, Y, private position
// Cycles:   7,627 e2-e4, 7,775 e5xg6
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
        cpx #RANK_2
        bcc plain
        bcs ready
whitePawn:
        cpx #RANK_6
        bcs plain
ready:  lda zpArgFrom
        ldx zpArgTo
        jsr MakeMoveSynced
        jmp made
nothing:
        jsr MakeNullSynced
made:   ldy SearchDepth         // the private undo is entry 0: SyncPosition began anew
        lda PlyKind
        bne special
        lda #MOVE_COUNTS        // KIND_QUIET
        bne known               // always
special:
        lsr
        tax
        lda KindFlags-KIND_FIRST/2,x
known:  sta PublicKind,y
        sta zpBits
        lda PlyCode
        sta PublicCode,y
        jsr PublishSquares
        ldx zpArgFrom           // rights as written, less what the move takes
        lda zpArgTo
        and #ON_BOARD
        sta zpArgTo
        tay
        lda castlerights
        and RightsKept,x
        and RightsKept,y
        sta castlerights
        jsr PublishHash
        lda #NO_SQUARE
        sta enpassantsq
        lda PlyKind
        cmp #KIND_PAWN
        bne noDouble
        lda zpArgFrom
        eor zpArgTo
        and #ROW_BITS
        cmp #2*ROW              // rows 6 and 4, rows 1 and 3
        bne noDouble
        lda zpArgTo
        eor #ROW                // the row between
        sta enpassantsq
noDouble:
        lda zpBits
        and #MOVE_COUNTS
        bne count
        sta HalfmoveClock       // A = 0
        beq clocked             // always
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
// Needs no private position: the entry of SearchDepth - 1 tells what stood where.
//
// In:       A = from, X = to: the bytes given to MakeMove
// Out:      everything as it was, SearchDepth - 1
// Clobbers: A, X, Y
// Cycles:   173 e2-e4, 176 e5xg6
UnmakeMove: {
        and #ON_BOARD
        sta zpArgFrom
        txa
        and #ON_BOARD
        sta zpArgTo
        dec SearchDepth
        lda SearchSide
        eor #WHITE_COLOR
        sta SearchSide
        jsr MoverIsBlack        // Y = SearchDepth
        bcc white
        lda FullmoveNumber
        bne low
        dec FullmoveNumber+1
low:    dec FullmoveNumber
white:  lda PublicHashLo,y
        sta ZobristHash
        lda PublicHashHi,y
        sta ZobristHash+1
        lda PublicRights,y
        sta castlerights
        lda PublicEp,y
        sta enpassantsq
        lda PublicClock,y
        sta HalfmoveClock
        lda PublicKind,y
        sta zpBits
        and #MOVE_NOTHING
        bne done
        ldx zpArgTo             // the piece goes back, a promoted one as a pawn
        lda zpBits
        lsr                     // C = MOVE_PROMOTES
        lda Board88,x
        bcc piece
        and #$FF-TYPE_BITS      // PAWN is type 0
piece:  ldx zpArgFrom
        sta Board88,x
        lda #EMPTY_PIECE
        bit zpBits              // N = MOVE_TAKES, V = MOVE_KINGS
        bpl free
        lda PublicCode,y
free:   ldx zpArgTo
        sta Board88,x
        bvs king
        lda zpBits
        and #MOVE_PASSING
        beq done
        lda zpArgTo             // en passant: the victim stood beside the pawn
        eor #ROW
        tax
        lda PublicCode,y
        sta Board88,x
done:   rts
king:   ldx zpArgFrom
        lda Board88,x
        bmi ours
        stx blackkingsq
        bpl rooks               // always
ours:   stx whitekingsq
rooks:  lda zpBits
        and #MOVE_CASTLES
        beq done
        txa
        and #ROW_BITS           // a1 or a8
        tax
        lda #EMPTY_PIECE
        ldy zpArgTo
        cpy zpArgFrom
        bcc long
        ldy Board88+5,x         // short: from f to h
        sta Board88+5,x
        tya
        sta Board88+7,x
        rts
long:   ldy Board88+3,x         // from d to a
        sta Board88+3,x
        tya
        sta Board88+0,x
        rts
}

// MoverIsBlack - was the move of entry SearchDepth Black's?
//
// In:       zpArgTo, where the piece stands; SearchSide = the mover of a change of side
// Out:      C = 1 Black moved; Y = SearchDepth
// Clobbers: A, X
// Cycles:   30 White moved
MoverIsBlack: {
        ldy SearchDepth
        lda PublicKind,y
        and #MOVE_NOTHING
        bne nothing
        ldx zpArgTo
        lda Board88,x
        bmi white
        sec
        rts
nothing:
        lda SearchSide
        asl                     // C = white
        bcc black
white:  clc
        rts
black:  sec
        rts
}

// PublishSquares - copy what a move changed on the board to the public side
//
// In:       zpArgFrom, zpArgTo; zpBits = MOVE_... of the move
// Clobbers: A, X, Y
// Cycles:   71 quiet knight
PublishSquares: {
        ldx zpArgFrom
        jsr copy
        lda zpArgTo
        and #ON_BOARD
        tax
        jsr copy
        lda zpBits
        and #MOVE_PASSING
        bne victim
        bit zpBits              // V = MOVE_KINGS: only a king's move changes his square
        bvc done
        lda Work,x
        bmi white
        stx blackkingsq
        bpl rooks               // always
white:  stx whitekingsq
rooks:  lda zpBits
        and #MOVE_CASTLES
        beq done
        lda zpArgFrom
        and #ROW_BITS
        cpx zpArgFrom
        bcs short
        tax                     // a1 or a8
        jsr copy
        inx
        inx
        inx
        bne copy                // always
short:  ora #7
        tax                     // h1 or h8
        jsr copy
        dex
        dex
        bpl copy                // always
victim: lda zpArgTo
        eor #ROW
        tax
copy:   lda Work,x
        sta Board88,x
done:   rts
}
