// endgame.asm - how to mate a bare king, and which advantages win nothing
//
// Provides: CountPieces, ChooseMode, ModeStatic
// Uses:     blend.asm (Terms, Place), terms.asm, storage.asm (Counts), zeropage.asm
//
// The material at the root of a search sets zpMode. It is 0 in most games, and then
// nothing here is asked.
#importonce

.const MODE_FEW     = %1000_0000        // few pieces: look for advantages that win nothing
.const MODE_MATE    = %0100_0000        // mate a bare king; bit 0: White mates
.const FEW_PHASE    = 8
.const APART        = 12                // what a step between the kings costs the side that mates
.const KNIGHT_APART = 5                 // ... and one between its knight and the bare king's first square
.const EDGE         = 20                // what a bare king's step towards the edge is worth
.const CORNER       = 17                // ... and towards a corner of the bishop's colour

// Counts: White's at +0, Black's at +COUNTS, in the order of KeyTypes
.const C_PAWNS      = 0
.const C_BISHOPS    = 1
.const C_ROOKS      = 2
.const C_QUEENS     = 3
.const C_KNIGHTS    = 4

// CountPieces - how many of each kind
//
// In:       lists
// Out:      Counts
// Clobbers: A, X, Y
// Cycles:   202
CountPieces: {
        ldx #COUNTS-1
next:   ldy KeyTypes,x
        lda zpNextSlot+WHITE_PAWN,y
        sec
        sbc firstWhite,x
        sta Counts,x
        lda zpNextSlot+BLACK_PAWN,y
        sec
        sbc firstBlack,x
        sta Counts+COUNTS,x
        dex
        bpl next
        rts
firstWhite:
        .byte zpWhitePawns, zpWhiteBishops, zpWhiteRooks, zpWhiteQueens, zpWhiteKnights
firstBlack:
        .byte zpBlackPawns, zpBlackBishops, zpBlackRooks, zpBlackQueens, zpBlackKnights
}

// ChooseMode - zpMode for the position at the root; the tables of a search that mates
//
// In:       Counts, A = phase; Place as blended
// Out:      zpMode, Place
// Clobbers: A, X, Y, zpTemp, zpHit, zpIndex, zpBits, zpCount, zpTarget
// Cycles:   17,250 king and queen against king
ChooseMode: {
        ldy #0
        cmp #FEW_PHASE+1
        bcs many
        ldy #MODE_FEW
many:   sty zpMode
        ldx #0                  // does White mate?
        ldy #COUNTS
        jsr mates
        bcs white
        ldx #COUNTS
        ldy #0
        jsr mates
        bcs black
        rts
white:  lda #MODE_MATE | 1
        bne aim                 // always
black:  lda #MODE_MATE
aim:    sta zpMode
        jmp AimAtBareKing
// X strong, Y weak: C = 1 if the weak side is bare and the strong one can mate
mates:  lda Counts,y
        ora Counts+1,y
        ora Counts+2,y
        ora Counts+3,y
        ora Counts+4,y
        bne no
        lda Counts+C_QUEENS,x
        ora Counts+C_ROOKS,x
        bne yes
        lda Counts+C_PAWNS,x
        bne no
        lda Counts+C_BISHOPS,x
        cmp #2
        bcs yes
        cmp #1
        bcc no
        lda Counts+C_KNIGHTS,x
        cmp #1
        rts
yes:    sec
        rts
no:     clc
        rts
}

// AimAtBareKing - squares are all the same to the side that mates; the bare king is driven
//
// To the edge, or by bishop and knight to a corner of the bishop's colour.
//
// In:       zpMode, X = the strong side's counts
AimAtBareKing: {
        lda #0
        sta zpCount             // 0: to the edge
        lda Counts+C_QUEENS,x
        ora Counts+C_ROOKS,x
        bne edge
        lda Counts+C_BISHOPS,x
        cmp #1
        bne edge
        lda zpWhiteBishops      // 2 or 3: to a corner; bit 0 as SquareColour
        cpx #0
        beq colour
        lda zpBlackBishops
colour: jsr SquareColour
        ora #2
        sta zpCount
edge:   ldy #ON_BOARD
square: tya
        and #8
        beq on
        jmp skip
on:     tya
        jsr driven
        sta zpHit               // what the bare king there is worth
        lda zpWhiteKing         // steps from the bare king's first square
        ldx zpMode
        cpx #MODE_MATE | 1
        bne its
        lda zpBlackKing
its:    sta zpTemp
        tya
        jsr Steps
        sta zpIndex
        asl
        asl
        clc
        adc zpIndex             // KNIGHT_APART times
        ldx zpCount
        bne drives
        lda #0
drives: sta zpIndex
        ldx zpMode
        cpx #MODE_MATE | 1
        bne byBlack
        lda #128
        sta Place+1*$80,y
        sta Place+2*$80,y
        sta Place+3*$80,y
        sta Place+5*$80,y
        sec
        sbc zpIndex
        sta Place+4*$80,y
        lda #127
        clc
        adc zpHit
        sta Place+5*$80+8,y
        jmp skip
byBlack:
        lda #127
        sta Place+1*$80+8,y
        sta Place+2*$80+8,y
        sta Place+3*$80+8,y
        sta Place+5*$80+8,y
        clc
        adc zpIndex
        sta Place+4*$80+8,y
        lda #128
        sec
        sbc zpHit
        sta Place+5*$80,y
skip:   dey
        bmi done
        jmp square
done:   rts
        .errorif KNIGHT_APART != 5, "the shifts above multiply by 5"

// A = square: what a bare king there is worth. Keeps Y
driven: sty zpBits
        pha
        and #FILE_BITS
        sta zpTemp              // file
        pla
        lsr
        lsr
        lsr
        lsr
        sta zpTarget            // row
        lda zpCount
        bne corner
        ldx zpTarget
        lda fromCentre,x
        ldx zpTemp
        clc
        adc fromCentre,x
        tax
        lda edges,x
        ldy zpBits
        rts
corner: lsr                     // C = colour: 0 light
        lda zpTemp
        bcc light
        eor #7                  // 7 - file
        clc
light:  adc zpTarget            // along the diagonal between the two corners, 0 to 14
        cmp #8
        bcc nearer
        eor #$0F                // 15 - it
        tax
        dex
        bpl there               // always
nearer: tax
there:  lda corners,x
        ldy zpBits
        rts
fromCentre:
        .byte 3, 2, 1, 0, 0, 1, 2, 3
edges:  .fill 7, EDGE*i
corners:
        .fill 8, CORNER*(7-i)
}

// SquareColour - A = square: 0 light, 1 dark (a8 is light)
SquareColour: {
        sta zpTemp
        lsr
        lsr
        lsr
        lsr
        eor zpTemp
        and #1
        rts
}

// Steps - A, zpTemp = squares: A = rows and files between them
//
// Clobbers: X, zpTarget, zpBits
// Cycles:   70
Steps: {
        sta zpTarget
        and #FILE_BITS
        sta zpBits
        lda zpTemp
        and #FILE_BITS
        sec
        sbc zpBits
        bcs files
        eor #$FF
        adc #1                  // C = 0
files:  sta zpBits
        lda zpTarget
        and #ROW_BITS
        sta zpTarget
        lda zpTemp
        and #ROW_BITS
        sec
        sbc zpTarget
        bcs rows
        eor #$FF
        adc #1
rows:   lsr
        lsr
        lsr
        lsr
        clc
        adc zpBits
        rts
}

// ModeStatic - the static value when zpMode is not 0
//
// In:       A = side to move; kept score
// Out:      zpStaticLo/Hi, White's view, with the tempo
// Clobbers: A, X, Y, zpTemp, zpHit, zpTarget, zpBits, zpIndex, zpSlot, zpCode
// Cycles:   174 king and queen against king
ModeStatic: {
        sta zpCode
        lda zpScoreLo
        sta zpStaticLo
        lda zpScoreHi
        sta zpStaticHi
        bit zpMode
        bmi few
        lda zpWhiteKing         // the kings should be near each other
        sta zpTemp
        lda zpBlackKing
        jsr Steps
        asl
        asl
        sta zpTemp
        asl
        clc
        adc zpTemp              // APART times
        sta zpTemp
        lda zpMode
        lsr                     // C = 1 White mates
        bcc byBlack
        SubByte(zpTemp)
        jmp tempo
byBlack:
        AddByte(zpTemp)
        jmp tempo
        .errorif APART != 12, "the shifts above multiply by 12"
few:    jsr AddTerms
        jsr Scale
tempo:  bit zpCode
        bpl black
        AddByte(TermTempo)
        rts
black:  SubByte(TermTempo)
        rts
}
.macro AddByte(byte) {
        clc
        lda zpStaticLo
        adc byte
        sta zpStaticLo
        bcc done
        inc zpStaticHi
done:
}
.macro SubByte(byte) {
        sec
        lda zpStaticLo
        sbc byte
        sta zpStaticLo
        bcs done
        dec zpStaticHi
done:
}

// Scale - an advantage that wins nothing is halved or shrinks to an eighth
Scale: {
        ldx #0
        ldy #COUNTS
        bit zpStaticHi
        bpl white
        lda zpBlackPawns        // pawns and a piece that is no bishop: nothing to look for
        bmi black
        lda zpBlackKnights
        and zpBlackRooks
        and zpBlackQueens
        bpl done
black:  ldx #COUNTS
        ldy #0
        jsr Negate              // the size
        jmp count
white:  lda zpWhitePawns
        bmi count
        lda zpWhiteKnights
        and zpWhiteRooks
        and zpWhiteQueens
        bpl done
count:  stx zpSlot
        sty zpCount
        jsr CountPieces
        ldy zpCount
        jsr Drawish
        tax
        beq unscaled
shift:  lsr zpStaticHi
        ror zpStaticLo
        dex
        bne shift
unscaled:
        lda zpSlot
        beq done
Negate: sec
        lda #0
        sbc zpStaticLo
        sta zpStaticLo
        lda #0
        sbc zpStaticHi
        sta zpStaticHi
done:   rts
}

// Drawish - A = bits by which an advantage shrinks. X = counts of the strong side, Y = of the weak one
Drawish: {
        tya
        tax
        jsr material
        sta zpTemp              // the weak side's
        ldx zpSlot
        jsr material
        sta zpHit
        lda Counts+C_PAWNS,x
        bne pawns
        lda zpTemp              // no pawn: an advantage of more than a minor piece is needed
        clc
        adc #3
        cmp zpHit
        bcs eighth
        lda Counts+C_KNIGHTS,x  // knights alone cannot mate
        asl
        adc Counts+C_KNIGHTS,x
        cmp zpHit
        bne whole
        lda Counts+C_PAWNS,y
        bne whole
eighth: lda #3
        rts
whole:  lda #0
        rts
pawns:  lda Counts+C_BISHOPS,x  // pawns, and a bishop at most
        cmp #2
        bcs whole
        asl
        adc Counts+C_BISHOPS,x  // C = 0
        cmp zpHit
        bne whole
        cmp #0
        beq rookPawn
        lda Counts+C_BISHOPS,y  // bishops of different colours?
        cmp #1
        bne rookPawn
        lda zpTemp
        cmp #3
        bne rookPawn
        lda zpWhiteBishops
        jsr SquareColour
        sta zpHit
        lda zpBlackBishops
        jsr SquareColour
        cmp zpHit
        beq rookPawn
        lda #1
        rts
rookPawn:                       // all pawns on one rook's file?
        ldy #zpWhitePawns
        cpx #0
        beq ours
        ldy #zpBlackPawns
ours:   lda $0000,y
        and #FILE_BITS
        sta zpHit
        beq file
        cmp #7
        bne whole
file:   iny
        lda $0000,y
        bmi allThere
        and #FILE_BITS
        cmp zpHit
        bne whole
        beq file                // always
allThere:
        ldy zpBlackKing         // the corner, and the king who should be near it
        lda zpHit
        cpx #0
        beq corner
        ldy zpWhiteKing
        ora #RANK_1
corner: sta zpHit
        lda Counts+C_BISHOPS,x
        beq wrong               // no bishop at all
        lda zpHit
        jsr SquareColour
        sta zpBits
        lda zpWhiteBishops
        cpx #0
        beq its
        lda zpBlackBishops
its:    jsr SquareColour
        cmp zpBits
        beq toWhole             // the right one
wrong:  sty zpTemp
        lda zpHit
        and #FILE_BITS
        sta zpBits
        tya
        and #FILE_BITS
        jsr beside
        bcs toWhole
        lda zpHit
        and #ROW_BITS
        lsr
        lsr
        lsr
        lsr
        sta zpBits
        lda zpTemp
        lsr
        lsr
        lsr
        lsr
        jsr beside
        bcc toEighth
toWhole:
        lda #0
        rts
toEighth:
        lda #3
        rts
beside: sec                     // C = 0: A and zpBits differ by one at most
        sbc zpBits
        clc
        adc #1
        cmp #3
        rts
// X = counts: A = 3 * minor pieces + 5 * rooks + 9 * queens. Keeps X, Y
material:
        lda Counts+C_BISHOPS,x
        clc
        adc Counts+C_KNIGHTS,x
        sta zpIndex
        asl
        adc zpIndex
        sta zpIndex
        lda Counts+C_ROOKS,x
        asl
        asl
        adc Counts+C_ROOKS,x
        adc zpIndex
        sta zpIndex
        lda Counts+C_QUEENS,x
        asl
        asl
        asl
        adc Counts+C_QUEENS,x
        adc zpIndex
        rts
}
