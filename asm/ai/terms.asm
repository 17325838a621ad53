// terms.asm - what the evaluation knows beside material and placement
//
// Provides: AddTerms
// Uses:     blend.asm (the blended terms), storage.asm (Work), zeropage.asm (lists)
//
// Bishop pair, rooks on files without own pawns, the pawns in front of a king.
#importonce

// AddSigned, SubSigned - a signed byte in memory to or from the static value
.macro AddSigned(term) {
        clc
        lda term
        bmi less
        adc zpStaticLo
        sta zpStaticLo
        bcc done
        inc zpStaticHi
        bcs done                // always
less:   adc zpStaticLo
        sta zpStaticLo
        bcs done
        dec zpStaticHi
done:
}
.macro SubSigned(term) {
        sec
        lda zpStaticLo
        sbc term
        sta zpStaticLo
        lda term
        bmi more
        bcs done
        dec zpStaticHi
        bcc done                // always
more:   bcc done
        inc zpStaticHi
done:
}
.macro CountTerm(white, term) {
    .if (white) {
        AddSigned(term)
    } else {
        SubSigned(term)
    }
}

// KingTerms - the pawns in front of a king, and his file
.macro KingTerms(white) {
    .var forward = ForwardOf(white)
        lax KingOf(white)
        and #FILE_BITS
        tay
        lda #PieceOf(white, PAWN)
    .for (var row = 1; row < 7; row++) {
        cmp Work + (white ? 7-row : row)*ROW,y
        beq has
    }
        ldy #16
        bne count               // always
has:    ldy #0
count:
    .for (var file = -1; file < 2; file++) {
        cmp Work+forward+file,x
        bne no
        iny
no:
    }
    .for (var file = -1; file < 2; file++) {
        cmp Work+2*forward+file,x
        bne no
        iny
        iny
        iny
        iny
no:
    }
    .if (white) {
        clc
        lda zpStaticLo
        adc ShelterLo,y
        sta zpStaticLo
        lda zpStaticHi
        adc ShelterHi,y
    } else {
        sec
        lda zpStaticLo
        sbc ShelterLo,y
        sta zpStaticLo
        lda zpStaticHi
        sbc ShelterHi,y
    }
        sta zpStaticHi
}

// RookTerms - each rook on a file without own pawns
.macro RookTerms(white) {
        ldx #RooksOf(white)
next:   lda $00,x
        bmi done
        and #FILE_BITS
        tay
        lda #PieceOf(white, PAWN)
    .for (var row = 1; row < 7; row++) {
        cmp Work + (white ? 7-row : row)*ROW,y
        beq closed
    }
        lda #PieceOf(!white, PAWN)
    .for (var row = 1; row < 7; row++) {
        cmp Work + (white ? row : 7-row)*ROW,y
        beq half
    }
        CountTerm(white, TermOpen)
closed: inx
        bne next                // always
half:   CountTerm(white, TermHalf)
        inx
        bne next                // always
done:
}

// AddTerms - pair, rooks and kings of both sides
//
// In:       zpStaticLo/Hi, White's view; lists and work board
// Out:      zpStaticLo/Hi
// Clobbers: A, X, Y
// Cycles:   312 at the start, 358 on Kiwipete
AddTerms: {
        KingTerms(true)
        KingTerms(false)
        RookTerms(true)
        RookTerms(false)
        lda zpNextSlot+WHITE_BISHOP
        cmp #zpWhiteBishops+2   // two at least
        lda zpNextSlot+BLACK_BISHOP
        bcs white
        cmp #zpBlackBishops+2
        bcc even
        CountTerm(false, TermPair)
even:   rts
white:  cmp #zpBlackBishops+2
        bcs even                // two pairs weigh the same
        CountTerm(true, TermPair)
        rts
}
