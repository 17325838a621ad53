// quiesce.asm - captures until the position is quiet
//
// Provides: QuiesceWhite, QuiesceBlack; CopyGood and macro CopyBucket for the full search
// Uses:     moves/captures.asm, terms.asm, blend.asm (TermTempo), endgame.asm (ModeStatic), path.asm (Poll),
//           position/make.asm, position/unmake.asm, position/zobrist.asm (PlacePage, TableHalf), storage.asm
//
// Most nodes are these, so they are written out for each colour and know nothing of hash,
// rights, clock or side: values and window are White's view, in zero page, and a capture
// changes board, lists and score only. Pins and checks are not tested: the answer to
// an illegal capture takes the king, and the value is one that changes nothing.
// A node returns C = 1 if its value is the other side's bound, else C = 0 and the value is
// in the bound of its own side (White's alpha, Black's beta). Its caller puts back both.
#importonce

.const LAZY = 128               // so far from the window the terms are not computed
        .errorif LAZY != 128, "Quiesce and Static test bit 7 of the distance's low byte"

// CopyBucket - a bucket to the path's captures. Y = next place
.macro CopyBucket(bucket, full) {
        ldx #BucketFirst.get(bucket)
        cpx zpFill+bucket
        beq done
next:   lda BucketFrom,x
        sta CaptureFrom,y
        lda BucketTo,x
        sta CaptureTo,y
        iny
        beq full
        inx
        cpx zpFill+bucket
        bne next
done:
}

// Subtract - 16-bit a - b: X = low byte, A = high byte, N with it
.macro Subtract(a, b) {
        sec
        lda a
        sbc b
        tax
        lda a+1
        sbc b+1
}

// CopyGood - all captures that do not lose to the path's captures, best first
//
// The path has 255; more are left out.
//
// Out:      Y = after the last
// Clobbers: A, X
// Cycles:   49 nothing, 255 seven captures
CopyGood: {
        ldy zpCaptureTop
        CopyBucket(BUCKET_PROMOTES, full)
        CopyBucket(BUCKET_QUEEN, full)
        CopyBucket(BUCKET_ROOK, full)
        CopyBucket(BUCKET_MINOR, full)
        CopyBucket(BUCKET_PAWN, full)
        rts
full:   dey
        rts
}

// StandPat - the static value of a side without terms, less the bound of the other: as Subtract leaves it
.macro StandPat(white) {
    .if (white) {
        clc
        lda zpScoreLo
        adc TermTempo
        sta zpStaticLo
        lda zpScoreHi
        adc #0
        sta zpStaticHi
        Subtract(zpStaticLo, zpBetaLo)
    } else {
        sec
        lda zpScoreLo
        sbc TermTempo
        sta zpStaticLo
        lda zpScoreHi
        sbc #0
        sta zpStaticHi
        Subtract(zpAlphaLo, zpStaticLo)
    }
}

// Quiesce - the routine of one colour
//
// A capture's value is known before the piece moves. If the answer can stand pat far beyond its
// bound, as after half of all captures, the node is counted and the board stays as it is.
.macro Quiesce(white, other, generator) {
    .var mine   = white ? zpAlphaLo : zpBetaLo
    .var theirs = white ? zpBetaLo : zpAlphaLo
        dec zpTick
        bne counted
        jsr Poll
counted:
        lda zpMode
        bne special
        StandPat(white)
        bmi below
        bne cut                 // beyond by 256 at least
        txa
        bpl near                // by less than LAZY
cut:    sec
        rts
special:
        lda #[white ? WHITE_COLOR : BLACK_COLOR]
        jsr ModeStatic
        jmp judge
below:
    .if (white) {
        Subtract(zpAlphaLo, zpStaticLo)
    } else {
        Subtract(zpStaticLo, zpBetaLo)
    }
        bmi near
        bne quiet
        txa
        bmi quiet               // by LAZY at least
near:   jsr AddTerms
judge:
    .if (white) {
        Subtract(zpStaticLo, zpBetaLo)
    } else {
        Subtract(zpAlphaLo, zpStaticLo)
    }
        bpl cut
    .if (white) {
        Subtract(zpAlphaLo, zpStaticLo)
    } else {
        Subtract(zpStaticLo, zpBetaLo)
    }
        bpl quiet
        lda zpStaticLo          // standing pat is better than what was known
        sta mine
        lda zpStaticHi
        sta mine+1
quiet:  lda zpPly
        cmp #MAX_PLY
        bcs leave
        jsr generator
        bcs cut                 // the king can be taken: the move before was not legal
        jsr CopyGood
        ldx zpPly
        tya
        cmp zpCaptureTop
        beq leave               // C = 1, but leave clears it
        sta CaptureEnd,x
        lda zpCaptureTop
        sta CaptureBegin,x
        sta CaptureNext,x
        sty zpCaptureTop
        lda theirs
        sta BoundLo,x
        lda theirs+1
        sta BoundHi,x
        lda zpScoreLo
        sta PlyScoreLo,x
        lda zpScoreHi
        sta PlyScoreHi,x
        lda zpState             // en passant is over after the first capture
        bpl next
        and #RIGHTS
        sta zpState
        jmp next
leave:  clc
        rts
toLong: jmp long
poll:   jsr Poll
        jmp answer

// --- The capture at CaptureNext. X = ply ---
refuted:
        ldx zpPly
        lda PlyScoreLo,x
        sta zpScoreLo
        lda PlyScoreHi,x
        sta zpScoreHi
        inc CaptureNext,x
        lda CaptureNext,x
        cmp CaptureEnd,x
        beq toThrough
next:   ldy CaptureNext,x
        lda CaptureTo,y
        bmi toLong
        sta zpTo
        ldx CaptureFrom,y
        stx zpFrom
        tay
        jsr ScoreCapture
        dec zpTick              // the answer's node begins here
        beq poll
answer: lda zpMode
        bne known
        StandPat(!white)
        bmi deep
        bne refuted
        txa
        bmi refuted
        jsr Take
        jsr other.near
        jmp back
toThrough:
        jmp through
known:  jsr Take
        jsr other.counted
        jmp back
deep:   jsr Take
        jsr other.below
back:   dec zpPly
        ldx zpPly
        jsr TakeBack
        jmp taken
long:                           // a promotion or en passant: the long way
        and #ON_BOARD
        tax
        lda zpSide              // not kept here, and unmake sets it
        pha
        lda CaptureFrom,y
        jsr MakeMoveSynced
        jsr other
        php
        ldx zpPly
        ldy CaptureNext-1,x
        lda CaptureTo,y
        and #ON_BOARD
        tax
        lda CaptureFrom,y
        jsr UnmakeMoveSynced
        plp
        pla
        sta zpSide
        ldx zpPly
taken:  lda BoundLo,x           // their bound as it was; what the answer left in it is a value
        ldy BoundHi,x
        bcs no                  // the answer refutes the capture
        ldx theirs              // mine = value, theirs = bound
        stx mine
        ldx theirs+1
        stx mine+1
        sta theirs
        sty theirs+1
        cmp mine
        bne more
        cpy mine+1
        bne more
        ldx zpPly
        lda CaptureBegin,x
        sta zpCaptureTop
        sec                     // value = their bound
        rts
no:     sta theirs
        sty theirs+1
more:   ldx zpPly
        inc CaptureNext,x
        lda CaptureNext,x
        cmp CaptureEnd,x
        beq through
        jmp next
through:
        lda CaptureBegin,x
        sta zpCaptureTop
        clc
        rts
}
QuiesceWhite:
        Quiesce(true, QuiesceBlack, GenerateWhiteCaptures)
QuiesceBlack:
        Quiesce(false, QuiesceWhite, GenerateBlackCaptures)

// ScoreCapture - the score after a capture
//
// In:       zpFrom, Y = zpTo
// Out:      zpScoreLo/Hi
// Clobbers: A, X, Y, zpPtrA
// Cycles:   116 knight takes pawn
ScoreCapture: {
        ldx Work,y              // X = victim
        lda TableHalf-CODE_BITS,x
        sta zpPtrA
        lda PlacePage-CODE_BITS,x
        sta zpPtrA+1
        sec                     // the score: without the victim
        lda zpScoreLo
        sbc (zpPtrA),y
        TakeBase()
        ldy zpFrom
taker:  ldx Work,y              // the piece that moves, Y = zpFrom
        lda TableHalf-CODE_BITS,x
        sta zpPtrA
        lda PlacePage-CODE_BITS,x
        sta zpPtrA+1
        lda (zpPtrA),y
        sta zpTemp
        ldy zpTo
        clc                     // one less, for the carry of the usual case
        lda (zpPtrA),y
        sbc zpTemp
        bcc worse
        adc zpScoreLo
        sta zpScoreLo
        bcc scored
        inc zpScoreHi
        rts
worse:  sec
        adc zpScoreLo
        sta zpScoreLo
        bcs scored
        dec zpScoreHi
scored: rts
}

// Take - make the capture: board and lists. ScoreCapture comes before it
//
// In:       zpFrom, zpTo, zpPly
// Out:      zpPly + 1
// Clobbers: A, X, Y, zpSlot
// Cycles:   115
Take: {
        ldx zpPly
        inc zpPly
        ldy zpTo
        lda PieceSlot,y
        sta zpSlot
        sta PlySlot,x
        lda Work,y
        sta PlyCode,x
        tax
        dec zpNextSlot,x        // its list: the last one takes the slot
        ldy zpNextSlot,x
        lda $0000,y
        ldx zpSlot
        sta $00,x
        tax
        lda zpSlot
        sta PieceSlot,x
        lda #NO_SQUARE
        sta $0000,y             // after the copy: they may be the same slot
taker:  ldx zpFrom              // the piece that moves
        ldy zpTo
        lda Work,x
        sta Work,y
        lda #EMPTY_PIECE
        sta Work,x
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        rts
}

// TakeBack - undo Take, and put back the score
//
// In:       X = ply, of which CaptureNext was made
// Out:      X = ply. Keeps C
// Clobbers: A, Y, zpSlot, zpTo
// Cycles:   140
TakeBack: {
        ldy CaptureNext,x
        lda CaptureTo,y
        sta zpTo
        lda CaptureFrom,y
        tay
from:   lda PlyScoreLo,x        // Y = from, zpTo = to
        sta zpScoreLo
        lda PlyScoreHi,x
        sta zpScoreHi
        lda PlySlot,x
        sta zpSlot
        ldx zpTo
        lda Work,x              // the taker goes back
        sta Work,y
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        ldx zpPly               // the victim comes back
        ldy zpTo
        lda PlyCode,x
        sta Work,y
        tax
        lda zpSlot
        sta PieceSlot,y
        ldy zpNextSlot,x
        inc zpNextSlot,x
        ldx zpSlot
        lda $00,x
        sta $0000,y
        tax
        tya
        sta PieceSlot,x         // NO_SQUARE when it is the same piece: unused
        ldx zpSlot
        lda zpTo
        sta $00,x
        ldx zpPly
        rts
}
