// captures.asm - captures and queen promotions only, best victims apart
//
// Provides: GenerateCaptures, GenerateWhiteCaptures, GenerateBlackCaptures, BucketStart
// Uses:     constants.asm, storage.asm (Work, buckets), rays.asm, tables.asm (Ident)
//
// The moves are pseudo-legal: pins and checks are not tested. A capture goes to the
// bucket of its victim, and takers come in order of their value, so that the buckets,
// read one after the other, are sorted and nothing has to be compared. A piece that
// takes a cheaper one on a square a pawn guards loses: such captures have a bucket of
// their own. A king never goes to a square that a pawn guards.
#importonce

// --- Buckets: where each begins in BucketFrom and BucketTo ---
.const BUCKET_PROMOTES = 0
.const BUCKET_QUEEN    = 1
.const BUCKET_ROOK     = 2
.const BUCKET_MINOR    = 3
.const BUCKET_PAWN     = 4
.const BUCKET_LOSES    = 5
.var BucketFirst       = List().add(0, 24, 56, 88, 144, 208).lock()
BucketStart:    .fill 6, BucketFirst.get(i)

// Bit 7 of a `to` here: a queen's promotion or en passant, no plain capture
.const SPECIAL_MOVE = $80

// Who takes, in zpTaker
.const TAKER_MINOR  = %0000_0000
.const TAKER_ROOK   = %1000_0000        // bit 7: dearer than a minor piece
.const TAKER_QUEEN  = %1100_0000        // bit 6: dearer than a rook

// Append... - X from, Y to into a bucket. Keep X
.macro Append(bucket) {
        tya
        ldy zpFill+bucket
        sta BucketTo,y
        txa
        sta BucketFrom,y
        inc zpFill+bucket
        rts
}

AppendQueen:    Append(BUCKET_QUEEN)
AppendRook:     Append(BUCKET_ROOK)
AppendMinor:    Append(BUCKET_MINOR)
AppendPawn:     Append(BUCKET_PAWN)
AppendLosing:   Append(BUCKET_LOSES)

// BranchGuarded - to `guarded` if an enemy pawn attacks the square Y
.macro BranchGuarded(white, guarded) {
        lda #PieceOf(!white, PAWN)
        cmp Work+ForwardOf(white)-1,y
        beq guarded
        cmp Work+ForwardOf(white)+1,y
        beq guarded
}

// Emitters - put the capture of X to Y into its bucket, by the piece on Y
//
// sure: pawns; king: a king; piece: all others, with zpTaker set. Keep X.
// A king that can be taken ends the generator at once, C = 1.
.macro Emitters(white) {
loses:  jmp AppendLosing
asMinor:
        bit zpTaker
        bpl minor
        BranchGuarded(white, loses)
minor:  jmp AppendMinor
asPawn: BranchGuarded(white, loses)
pawn:   jmp AppendPawn
king:   BranchGuarded(white, guarded)
sure:   lda Work,y
        cmp #PieceOf(!white, PAWN)
        beq pawn
        and #%010
        beq minor
        lda Work,y
        lsr
        bcc rook
        bcs queenOrKing         // always
piece:  lda Work,y
        cmp #PieceOf(!white, PAWN)
        beq asPawn
        and #%010
        beq asMinor
        lda Work,y
        lsr
        bcc asRook
queenOrKing:
        and #%10                // type bit 2: a king
        bne mate
        jmp AppendQueen
asRook: bit zpTaker
        bvc rook
        BranchGuarded(white, loses)
rook:   jmp AppendRook
guarded:                        // a king could go there only to take the other king
        lda Work,y
        cmp #PieceOf(!white, KING)
        beq mate
        rts
mate:   lda #0                  // perhaps out of a long list
        sta zpMore
        ldx zpGenStack          // away from the generator, however deep
        txs
        sec
        rts
}

// TakeAt - X takes what is at an offset, if it is an enemy
.macro TakeAt(white, offset, emitter) {
        BranchBlocked(white, offset, next)
    .if (white) {
        beq next
    } else {
        bcs next
    }
        ldy Ident+offset,x
        jsr emitter
    .if (!white) {
        txa
    }
next:
}

// TakeByPawn - the same for a pawn, before which most squares are empty; Z or C tells that first
.macro TakeByPawn(white, offset, emitter, next) {
    .if (white) {
        lda Work+offset,x
        beq next
    } else {
        cmp Work+offset,x
        bcs next
    }
        bmi next
        ldy Ident+offset,x
        jsr emitter
}

// TakeAlong - the first piece in a direction, if it is an enemy
//
// More than half of the directions end before the first square.
.macro TakeAlong(white, step, emitter) {
        BranchBlocked(white, step, next)
        BranchEnemy(white, hits[0].enemy)
    .for (var k = 2; k < 8; k++) {
        BranchOccupied(white, k*step, hits[k-1].hit)
    }
        jmp next
hits:
    .for (var k = 1; k < 8; k++) {
hit:
        .if (k > 1) {
        bmi next
        }
enemy:  ldy Ident+k*step,x
        .if (k < 7) {
        bpl take                // always: a square
        }
    }
take:   jsr emitter
    .if (!white) {
        txa
    }
next:
}

// AppendPromotion - X becomes a queen on A. Keeps X
AppendPromotion: {
        ora #SPECIAL_MOVE
        ldy zpFill+BUCKET_PROMOTES
        sta BucketTo,y
        txa
        sta BucketFrom,y
        inc zpFill+BUCKET_PROMOTES
        rts
}

// TakeRest - the slots of a list beyond the ones in line: a loop
.macro TakeRest(white, list, first, body) {
        ldy #list+first
next:   ldx $0000,y
        bmi done
        sty zpMore
    .if (!white) {
        txa
    }
        jsr body
        ldy zpMore
        iny
        bne next                // always
done:   ldy #0
        sty zpMore
}

// Captures - the generator of one colour
.macro Captures(white) {
    .var forward = ForwardOf(white)
        tsx
        stx zpGenStack
    .for (var bucket = 0; bucket < 6; bucket++) {
        lda #BucketFirst.get(bucket)
        sta zpFill+bucket
    }
    .for (var slot = 0; slot < MAX_PAWNS; slot++) {
        LoadPiece(white, PawnsOf(white)+slot)
        bmi none
    .if (white) {
        cpx #RANK_6
        bcc last
    } else {
        cpx #RANK_2
        bcs last
    }
        TakeByPawn(white, forward-1, emit.sure, right)
    .if (!white) {
        txa
    }
right:  TakeByPawn(white, forward+1, emit.sure, next)
        jmp next
last:   jsr promotes
        jmp next
none:   jmp pawnsDone
next:
    }
pawnsDone:
        bit zpState
        bpl noEnPassant
        jsr enPassant
noEnPassant:
        ldx #TAKER_MINOR
        stx zpTaker
        LoadPiece(white, KnightsOf(white))
        bmi knightsDone
        jsr jumps
        LoadPiece(white, KnightsOf(white)+1)
        bmi knightsDone
        jsr jumps
        LoadPiece(white, KnightsOf(white)+2)
        bmi knightsDone
        TakeRest(white, KnightsOf(white), 2, jumps)
knightsDone:
        LoadPiece(white, BishopsOf(white))
        bmi bishopsDone
        jsr diagonals
        LoadPiece(white, BishopsOf(white)+1)
        bmi bishopsDone
        jsr diagonals
        LoadPiece(white, BishopsOf(white)+2)
        bmi bishopsDone
        TakeRest(white, BishopsOf(white), 2, diagonals)
bishopsDone:
        LoadPiece(white, RooksOf(white))
        bmi rooksDone
        ldy #TAKER_ROOK
        sty zpTaker
        jsr straights
        LoadPiece(white, RooksOf(white)+1)
        bmi rooksDone
        jsr straights
        LoadPiece(white, RooksOf(white)+2)
        bmi rooksDone
        TakeRest(white, RooksOf(white), 2, straights)
rooksDone:
        LoadPiece(white, QueensOf(white))
        bmi queensDone
        ldy #TAKER_QUEEN
        sty zpTaker
        jsr everyWay
        LoadPiece(white, QueensOf(white)+1)
        bmi queensDone
        TakeRest(white, QueensOf(white), 1, everyWay)
queensDone:
        LoadPiece(white, KingOf(white))
        bmi done
    .for (var dir = 0; dir < 8; dir++) {
        TakeAt(white, DirStep.get(dir), emit.king)
    }
done:   clc
        rts

jumps:
    .for (var i = 0; i < 8; i++) {
        TakeAt(white, KnightStep.get(i), emit.piece)
    }
        rts
everyWay:
        jsr diagonals
straights:
    .for (var dir = 0; dir < 4; dir++) {
        TakeAlong(white, DirStep.get(dir), emit.piece)
    }
        rts
diagonals:
    .for (var dir = 4; dir < 8; dir++) {
        TakeAlong(white, DirStep.get(dir), emit.piece)
    }
        rts
emit:   Emitters(white)

// --- A pawn one step before promotion: X, and A for Black ---
promotes:
        lda Work+forward,x
        bne left
        lda Ident+forward,x
        jsr AppendPromotion
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
        lda Work+forward-1,x
        cmp #PieceOf(!white, KING)
        beq mate
        lda Ident+forward-1,x
        jsr AppendPromotion
    .if (!white) {
        txa
    }
right:  BranchBlocked(white, forward+1, out)
    .if (white) {
        beq out
    } else {
        bcs out
    }
        lda Work+forward+1,x
        cmp #PieceOf(!white, KING)
        beq mate
        lda Ident+forward+1,x
        jsr AppendPromotion
out:    rts
mate:   jmp emit.mate

// --- En passant: the pawns beside the one that passed ---
enPassant:
        jsr EpSquare
        lda zpEp
        clc
        adc #(-forward-1) & $FF
        jsr beside
        lda zpEp
        clc
        adc #(-forward+1) & $FF
beside: tax
        lda Work,x
        cmp #PieceOf(white, PAWN)
        bne out
        lda zpEp
        ora #SPECIAL_MOVE
        tay
        jmp AppendPawn
}

// GenerateCaptures - captures and queen promotions of the side to move, into the buckets
//
// In:       private structures true, zpSide
// Out:      buckets; C = 1: the enemy's king can be taken, the buckets are not complete
// Clobbers: A, X, Y, zpTaker, zpEp, zpColor
// Cycles:   778 at the start, 1,478 on Kiwipete
GenerateCaptures: {
        lda zpSide
        bmi GenerateWhiteCaptures
        jmp GenerateBlackCaptures
}
GenerateWhiteCaptures:
        Captures(true)
GenerateBlackCaptures:
        Captures(false)
