// quiesce.asm - captures until the position is quiet
//
// Provides: QuiesceWhite, QuiesceBlack, and QuiesceNode for a node of the full search
// Uses:     moves/captures.asm, terms.asm, blend.asm (TermTempo), position/make.asm, unmake.asm,
//           search.asm (Poll), storage.asm
//
// Most nodes are these, so they are written out for each colour and know nothing of hash,
// rights, clock or side: values and window are White's view, in zero page, and a capture
// changes board, lists and score only. Nobody tests whether a capture is legal: if it is
// not, the answer takes the king, and the value is one that changes nothing.
// A node returns C = 1 if its value is the other side's bound, else C = 0 and the value is
// in the bound of its own side (White's alpha, Black's beta). Its caller puts back both.
#importonce

.const LAZY = 128               // so far from the window the terms are not computed

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
// Out:      Y = behind the last
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

.macro Quiesce(white, other, generator) {
    .var mine   = white ? zpAlphaLo : zpBetaLo
    .var theirs = white ? zpBetaLo : zpAlphaLo
        dec zpTick
        bne counted
        jsr Poll
counted:
        lda zpMode
        bne special
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
        bmi below
        bne cut                 // beyond by 256 at least
        txa
        bpl near
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
        bmi quiet
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
        lda zpState             // en passant is over after the first capture
        bpl next
        and #RIGHTS
        sta zpState
        jmp next
leave:  clc
        rts
toLong: jmp long

// --- Make the capture at CaptureNext. X = ply ---
next:   ldy CaptureNext,x
        lda zpScoreLo
        sta PlyScoreLo,x
        lda zpScoreHi
        sta PlyScoreHi,x
        lda CaptureTo,y
        bmi toLong
        jsr QuietlyTake
        inc zpPly
        jsr other
        dec zpPly
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

// QuietlyTake - make the capture at Y: board, lists and score
//
// In:       X = ply, Y = capture, A = to
QuietlyTake: {
        sta zpTo
        lda CaptureFrom,y
        sta zpFrom
        ldy zpTo
        lda PieceSlot,y
        sta zpSlot
        sta PlySlot,x
        lda Work,y
        sta PlyCode,x
        tax                     // X = victim
        lda TableHalf-CODE_BITS,x
        sta zpPtrA
        lda PlacePage-CODE_BITS,x
        sta zpPtrA+1
        sec                     // the score: without the victim
        lda zpScoreLo
        sbc (zpPtrA),y
        TakeBase()
        dec zpNextSlot,x        // its list: the last one takes the slot
        lda zpNextSlot,x
        tax
        lda $00,x
        ldy zpSlot
        sta $0000,y
        tay
        lda zpSlot
        sta PieceSlot,y
        lda #NO_SQUARE
        sta $00,x               // after the copy: they may be the same slot
        ldx zpFrom              // the taker
        ldy Work,x
        lda TableHalf-CODE_BITS,y
        sta zpPtrA
        lda PlacePage-CODE_BITS,y
        sta zpPtrA+1
        tya
        ldy zpTo
        sta Work,y
        lda #EMPTY_PIECE
        sta Work,x
        clc                     // one less, for the carry of the usual case
        lda (zpPtrA),y
        ldy zpFrom
        sbc (zpPtrA),y
        bcc worse
        adc zpScoreLo
        sta zpScoreLo
        bcc scored
        inc zpScoreHi
        bcs scored              // always
worse:  sec
        adc zpScoreLo
        sta zpScoreLo
        bcs scored
        dec zpScoreHi
scored: ldy zpTo
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        rts
}

// TakeBack - undo QuietlyTake
//
// In:       X = ply, of which CaptureNext was made
// Out:      X = ply. Keeps C
// Clobbers: A, Y, zpCode, zpSlot, zpTo
// Cycles:   140
TakeBack: {
        lda PlyScoreLo,x
        sta zpScoreLo
        lda PlyScoreHi,x
        sta zpScoreHi
        lda PlySlot,x
        sta zpSlot
        lda PlyCode,x
        sta zpCode
        ldy CaptureNext,x
        ldx CaptureTo,y
        stx zpTo
        lda CaptureFrom,y
        tay
        lda Work,x              // the taker goes back
        sta Work,y
        lda PieceSlot,x
        sta PieceSlot,y
        tax
        sty $00,x
        ldy zpTo                // the victim comes back
        ldx zpCode
        txa
        sta Work,y
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
