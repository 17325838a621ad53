// blend.asm - values of the middle game and of the endgame, mixed for the root of a search
//
// Provides: BlendValues; Term..., the blended terms
// Uses:     eval.asm (Place), endgame.asm (CountPieces, ChooseMode), data/values.asm,
//           position/zobrist.asm (BaseLo, BaseHi), storage.asm (Terms, ShelterLo, ShelterHi), zeropage.asm
#importonce

.const MOST_PHASE   = 24
MiddlePlace:    .fill KEY_TYPES*64, PlaceMiddle.get(i)
EndPlace:       .fill KEY_TYPES*64, PlaceEnd.get(i)
MiddleTerm:     .fill TERMS, TermMiddle.get(i)
EndTerm:        .fill TERMS, TermEnd.get(i)
MiddleBaseLo:   .fill KEY_TYPES, <BaseMiddle.get(i)
MiddleBaseHi:   .fill KEY_TYPES, >BaseMiddle.get(i)
EndBaseLo:      .fill KEY_TYPES, <BaseEnd.get(i)
EndBaseHi:      .fill KEY_TYPES, >BaseEnd.get(i)
KeyTypes:       .byte PAWN, BISHOP, ROOK, QUEEN, KNIGHT, KING
PhaseOf:        .byte 0, 1, 2, 4, 1, 0  // a piece's part of the phase, in the order of KeyTypes
PhaseShare:     .fill MOST_PHASE, floor((i*512 + 24) / 48)      // of 256; a full board is all middle game

Blended:        .byte NO_SQUARE         // the phase of the values there are; NO_SQUARE: none, or those of a mate

// Blended terms, in the order of data/values.asm; signed bytes
.label TermPair     = Terms+0
.label TermOpen     = Terms+1
.label TermHalf     = Terms+2
.label TermShelter1 = Terms+3
.label TermShelter2 = Terms+4
.label TermBare     = Terms+5
.label TermTempo    = Terms+6

.label Share        = MoveListFrom      // Share[d] = what of a difference d is middle game; while blending

// BlendValues - Place, BaseLo/Hi, Terms and shelter for the position on the work board
//
// In:       lists (SyncLists)
// Out:      zpMode (endgame.asm); value = eg + sign(mg - eg) * floor(|mg - eg| * share / 256), for all of them
// Clobbers: A, X, Y, MoveListFrom, zpPtrA-C, zpTemp, zpHit, zpIndex, zpCount, zpBits, zpTarget, zpValue
// Cycles:   61,769 at the start, 586 again
BlendValues: {
        jsr CountPieces
        lda #0                  // the phase: knights, bishops, rooks, queens
        sta zpCount
        ldx #KEY_TYPES-2
phase:  clc
        lda Counts,x
        adc Counts+COUNTS,x
        tay
        beq none
        lda zpCount
add:    clc
        adc PhaseOf,x
        dey
        bne add
        sta zpCount
none:   dex
        bne phase
        lda zpCount
        cmp #MOST_PHASE         // promoted pieces change nothing
        bcc counted
        lda #MOST_PHASE
counted:
        cmp Blended             // what the last search used still holds
        bne anew
        jmp ChooseMode
anew:   sta Blended
        tax
        lda #0
        sta FullShare
        cpx #MOST_PHASE
        bcc mixed
        inc FullShare           // all of it: 256
        bne shared              // always
mixed:  lda PhaseShare,x
shared: sta zpIndex
        lda #0                  // Share[d] = d * share / 256
        tay
        sta zpTemp
        sta zpHit
product:
        lda zpHit
        sta Share,y
        clc
        lda zpTemp
        adc zpIndex
        sta zpTemp
        lda zpHit
        adc FullShare
        sta zpHit
        iny
        bne product

        lda #<MiddlePlace       // the tables, type by type
        sta zpPtrA
        lda #>MiddlePlace
        sta zpPtrA+1
        lda #<EndPlace
        sta zpPtrB
        lda #>EndPlace
        sta zpPtrB+1
        lda #<Place
        sta zpPtrC
        lda #>Place
        sta zpPtrC+1
        lda #KEY_TYPES
        sta zpCount
type:   ldy #63
square: sty zpBits
        lda (zpPtrA),y
        sta zpTemp
        lda (zpPtrB),y
        jsr blend
        sta zpHit
        tya                     // square in 0x88 form: the row once more
        and #%0011_1000
        clc
        adc zpBits
        tay
        lda zpHit
        clc
        adc #128
        sta (zpPtrC),y
        eor #$FF                // 255 - it, upside down, in the other half
        tax
        tya
        eor #ROW_BITS | 8
        tay
        txa
        sta (zpPtrC),y
        ldy zpBits
        dey
        bpl square
        clc
        lda zpPtrA
        adc #64
        sta zpPtrA
        bcc *+4
        inc zpPtrA+1
        clc
        lda zpPtrB
        adc #64
        sta zpPtrB
        bcc *+4
        inc zpPtrB+1
        clc
        lda zpPtrC
        adc #$80
        sta zpPtrC
        bcc *+4
        inc zpPtrC+1
        dec zpCount
        bne type

        ldy #TERMS-1
term:   lda MiddleTerm,y
        sta zpTemp
        lda EndTerm,y
        jsr blend
        sta Terms,y
        dey
        bpl term
        jsr BlendBases
        jsr BlendShelter
        lda Blended
        jmp ChooseMode

// A = end, zpTemp = middle: A = blended. Keeps Y
blend:  sta zpHit
        sec
        sbc zpTemp
        bvc sign
        eor #$80
sign:   bmi more                // end < middle
        lda zpHit
        sec
        sbc zpTemp
        tax
        lda zpHit
        sec
        sbc Share,x
        rts
more:   lda zpTemp
        sec
        sbc zpHit
        tax
        lda zpHit
        clc
        adc Share,x
        rts
}

// BlendBases - the base values, 16 bits; zpIndex = share, Share as BlendValues left it
BlendBases: {
        ldx #KEY_TYPES-1
next:   sec                     // middle - end
        lda MiddleBaseLo,x
        sbc EndBaseLo,x
        tay
        lda MiddleBaseHi,x
        sbc EndBaseHi,x
        bmi less
        sta zpTemp
        jsr part
        clc
        lda EndBaseLo,x
        adc zpValueLo
        sta zpValueLo
        lda EndBaseHi,x
        adc zpValueHi
        jmp store
less:   eor #$FF                // the difference the other way round
        sta zpTemp
        tya
        eor #$FF
        tay
        iny
        bne low
        inc zpTemp
low:    jsr part
        sec
        lda EndBaseLo,x
        sbc zpValueLo
        sta zpValueLo
        lda EndBaseHi,x
        sbc zpValueHi
store:  sta zpValueHi
        ldy KeyTypes,x
        sec                     // White: value - 128
        lda zpValueLo
        sbc #128
        sta BaseLo+$80,y
        lda zpValueHi
        sbc #0
        sta BaseHi+$80,y
        clc                     // Black: -value - 127 = -(value - 128) - 255
        lda BaseLo+$80,y
        eor #$FF
        adc #<(1-255)
        sta BaseLo,y
        lda BaseHi+$80,y
        eor #$FF
        adc #>(1-255)
        sta BaseHi,y
        dex
        bpl next
        rts
// zpTemp, Y = difference: zpValue = its share; the high byte is 0 to 3
part:   lda Share,y
        sta zpValueLo
        lda #0
        sta zpValueHi
        ldy zpTemp
        beq done
times:  clc
        lda zpValueLo
        adc zpIndex
        sta zpValueLo
        lda zpValueHi
        adc FullShare
        sta zpValueHi
        dey
        bne times
done:   rts
}

// BlendShelter - ShelterLo/Hi[pawns one ahead + 4 * pawns two ahead + 16 * no pawn on the file]
BlendShelter: {
        ldx #31
next:   txa
        lsr
        lsr
        and #3
        sta zpTemp              // two ahead
        txa
        and #3
        sta zpHit               // one ahead
        lda #0
        sta zpValueLo
        sta zpValueHi
        cpx #16
        bcc file
        lda TermBare
        jsr add
file:   ldy zpHit
        beq none1
one:    lda TermShelter1
        jsr add
        dey
        bne one
none1:  ldy zpTemp
        beq none2
two:    lda TermShelter2
        jsr add
        dey
        bne two
none2:  lda zpValueLo
        sta ShelterLo,x
        lda zpValueHi
        sta ShelterHi,x
        dex
        bpl next
        rts
add:    clc                     // a signed byte
        pha
        adc zpValueLo
        sta zpValueLo
        bcc *+4
        inc zpValueHi
        pla
        bpl plus
        dec zpValueHi
plus:   rts
}
