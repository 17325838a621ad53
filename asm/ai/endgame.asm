// endgame.asm - how to mate a bare king, and which advantages win nothing
//
// Provides: CountPieces, ChooseMode, ModeStatic
// Uses:     eval.asm (Place), blend.asm (TermTempo), terms.asm, data/mating.asm,
//           rules/draws.asm (SquareParity), storage.asm (Counts), zeropage.asm
//
// The material at the root of a search sets zpMode. It is 0 in most games; then
// nothing here is called.
#importonce

.const MODE_FEW     = %1000_0000        // few pieces: look for advantages that win nothing
.const MODE_MATE    = %0010_0000        // mate a bare king; bit 0: White mates
.const MODE_MINORS  = %0100_0000        // ... without queen and rook
.const MODE_CORNER  = %0001_0000        // ... with one bishop and knights
.const FEW_PHASE    = 8
.const APART        = 12                // what a step between the kings costs the side that mates
.const EDGE         = 20                // what a bare king's step towards the edge is worth

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
// Clobbers: A, X, Y, zpTemp, zpHit
// Cycles:   7,876 king and queen against king
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
        lda #NO_SQUARE
        sta Blended             // the tables are overwritten
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

// AimAtBareKing - placement tables for mating: equal for the side that mates, and driving the
// bare king to the edge
//
// With one bishop and knights only, his squares are equal too: CornerStatic values them.
//
// In:       zpMode, X = the strong side's counts
AimAtBareKing: {
        lda Counts+C_QUEENS,x
        ora Counts+C_ROOKS,x
        bne tables
        lda zpMode
        ora #MODE_MINORS
        sta zpMode
        lda Counts+C_BISHOPS,x
        cmp #1
        bne tables
        lda zpWhiteBishops
        cpx #0
        beq colour
        lda zpBlackBishops
colour: jsr SquareColour
        beq light
        lda #FILE_BITS          // the tables are for a bishop on light squares
light:  sta CornerStatic.mirror
        lda zpMode
        ora #MODE_CORNER
        sta zpMode
tables: ldy #ON_BOARD
square: tya
        and #8
        bne skip
        tya                     // what the bare king there is worth
        and #FILE_BITS
        tax
        lda fromCentre,x
        sta zpHit
        tya
        lsr
        lsr
        lsr
        lsr
        tax
        lda zpHit
        clc
        adc fromCentre,x
        tax
        lda zpMode
        and #MODE_CORNER
        beq edge
        ldx #0
edge:   lda edges,x
        sta zpHit
        lda zpMode
        lsr
        bcc byBlack
        lda #128
        sta Place+1*$80,y
        sta Place+2*$80,y
        sta Place+3*$80,y
        sta Place+4*$80,y
        sta Place+5*$80,y
        lda #127
        clc
        adc zpHit
        sta Place+5*$80+8,y
        bne skip                // always
byBlack:
        lda #127
        sta Place+1*$80+8,y
        sta Place+2*$80+8,y
        sta Place+3*$80+8,y
        sta Place+4*$80+8,y
        sta Place+5*$80+8,y
        lda #128
        sec
        sbc zpHit
        sta Place+5*$80,y
skip:   dey
        bpl square
        rts
fromCentre:
        .byte 3, 2, 1, 0, 0, 1, 2, 3
edges:  .fill 7, EDGE*i
}

// SquareColour - A = square: 0 light, 1 dark (a8 is light)
SquareColour: {
        sta zpTemp
        SquareParity()
        rts
}

// Steps - A, zpTemp = squares: A = rows and files between them
//
// Clobbers: X, zpTarget, zpBits
// Cycles:   82
Steps: {
        jsr Apart
        lsr
        lsr
        lsr
        lsr
        clc
        adc zpBits
        rts
}

// Apart - A, zpTemp = squares: A = rows between them in the high nibble, zpBits = files
//
// Clobbers: zpTarget
// Cycles:   57
Apart: {
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
rows:   rts
}

// ModeStatic - the static value when zpMode is not 0
//
// In:       A = side to move; kept score
// Out:      zpStaticLo/Hi, White's view, with the tempo
// Clobbers: A, X, Y, zpTemp, zpHit, zpTarget, zpBits, zpIndex, zpSlot, zpCode, zpCount
// Cycles:   193 king and queen against king
ModeStatic: {
        sta zpCode
        lda zpScoreLo
        sta zpStaticLo
        lda zpScoreHi
        sta zpStaticHi
        bit zpMode
        bmi few
        lda zpMode
        and #MODE_CORNER
        bne corner
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
corner: jsr CornerStatic
        jmp tempo
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

// CornerStatic - how near bishop and knight are to mating a bare king
//
// The board is turned so that the bare king is in the triangle of a8, h8 and the centre, and
// a8 is a corner where he can be mated. The tables of data/mating.asm say how near mate is from
// each square.
//
// In:       zpStaticLo/Hi, the kept score
// Out:      zpStaticLo/Hi
// Clobbers: A, X, Y, zpTemp, zpHit, zpTarget, zpBits, zpIndex, zpSlot, zpCount
// Cycles:   468 White mates on dark squares
CornerStatic: {
        lda zpMode
        lsr                     // C = 1 White mates
        ldx #0
        lda zpWhiteKing
        ldy zpBlackKing
        bcs white
        ldx #zpBlackKnights-zpWhiteKnights
        lda zpBlackKing
        ldy zpWhiteKing
white:  sta zpTemp              // the king who mates
        sty zpHit               // the bare one
        lda zpWhiteBishops,x
        sta zpIndex
        lda zpWhiteKnights,x
        sta zpSlot
        ora zpIndex
        bpl both
        rts                     // one of them was taken
both:   tya
        jsr Apart
        lsr
        ora zpBits
        tax
        lda MatingKings,x
        sta zpCount             // the sum, Y its high byte
        ldy #0
        lda zpHit               // how to turn the board
        eor mirror
        sta zpHit
        lsr
        lsr
        lsr
        lsr
        sta zpBits
        lda zpHit
        and #FILE_BITS
        ldx #0
        cmp zpBits              // C = 0 on the other side of the diagonal a8-h1
        ror zpTarget            // bit 7 clear: rows become files
        clc
        adc zpBits
        cmp #8
        bcc upper
        ldx #ON_BOARD           // beyond the diagonal a1-h8: rows and files the other way round
        lda zpTarget
        eor #$80
        sta zpTarget
upper:  stx zpBits
        lda zpHit
        jsr turnOnly
        lda MatingBare,x
        jsr add
        lda zpTemp
        jsr turn
        lda MatingKing,x
        jsr add
        lda zpSlot
        jsr turn
        lda MatingKing+8,x
        jsr add
        lda zpIndex
        jsr turn
        stx zpHit
        lsr
        lsr
        lsr
        lsr
        clc
        adc zpHit
        and #$0F
        lsr                     // light squares: row and file together are even
        tax
        lda MatingBishop,x
        jsr add
        sty zpHit
        asl zpCount             // MATING_UNIT times
        rol zpHit
        asl zpCount
        rol zpHit
        lda zpMode
        lsr
        lda zpStaticLo
        bcc byBlack
        clc
        adc zpCount
        sta zpStaticLo
        lda zpStaticHi
        adc zpHit
        sta zpStaticHi
        rts
byBlack:
        sec
        sbc zpCount
        sta zpStaticLo
        lda zpStaticHi
        sbc zpHit
        sta zpStaticHi
        rts
        .errorif MATING_UNIT != 4, "the shifts above multiply by 4"
add:    clc
        adc zpCount
        sta zpCount
        bcc noCarry
        iny
noCarry:
        rts
turn:   eor mirror              // A = square: A, X = where it is on the turned board
turnOnly:
        bit zpTarget
        bmi asIs
        asl                     // exchange the nibbles
        adc #$80
        rol
        asl
        adc #$80
        rol
asIs:   eor zpBits
        tax
        rts
mirror: .byte 0
        MatingTables()
}

// From a list of White to that of Black
.const BLACK_LISTS = zpBlackPawns-zpWhitePawns
        .errorif zpBlackQueens-zpWhiteQueens != BLACK_LISTS || zpBlackBishops-zpWhiteBishops != BLACK_LISTS, "the lists of both sides are in one order"

// Scale - an advantage that wins nothing is halved or shrinks to an eighth
Scale: {
        ldx #0                  // X = lists of the strong side, Y = of the weak one
        ldy #BLACK_LISTS
        bit zpStaticHi
        bpl strong
        ldx #BLACK_LISTS
        ldy #0
strong: lda zpWhitePawns,x
        bmi pieces
        lda zpWhiteKnights,x    // pawns and a piece other than a bishop: nothing to look for
        and zpWhiteRooks,x
        and zpWhiteQueens,x
        bpl done
        jsr DrawishPawns
        jmp shrink
pieces: jsr DrawishPieces
shrink: tax                     // X = bits
        beq done
        bit zpStaticHi
        bpl shift
        jsr Negate              // the size
        jsr shift
Negate: sec
        lda #0
        sbc zpStaticLo
        sta zpStaticLo
        lda #0
        sbc zpStaticHi
        sta zpStaticHi
        rts
shift:  lsr zpStaticHi
        ror zpStaticLo
        dex
        bne shift
done:   rts
}

// DrawishPawns - A = bits by which an advantage with pawns, and bishops at most, shrinks
//
// In:       X = lists of the strong side, Y = of the weak one
DrawishPawns: {
        lda zpWhiteBishops,x
        bmi rookPawn
        lda zpWhiteBishops+1,x  // one bishop at most; what follows the end of a list is undefined
        bpl whole
        lda zpWhiteKnights,y    // bishops of different colours, and no other piece?
        and zpWhiteRooks,y
        and zpWhiteQueens,y
        bpl rookPawn
        lda zpWhiteBishops,y
        bmi rookPawn
        lda zpWhiteBishops+1,y
        bpl rookPawn
        lda zpWhiteBishops
        jsr SquareColour
        sta zpHit
        lda zpBlackBishops
        jsr SquareColour
        cmp zpHit
        beq rookPawn
        lda #1
        rts
whole:  lda #0
        rts
rookPawn:                       // all pawns on one rook's file?
        stx zpSlot
        lda zpWhitePawns,x
        and #FILE_BITS
        sta zpHit
        beq file
        cmp #7
        bne whole
file:   inx
        lda zpWhitePawns,x
        bmi allThere
        and #FILE_BITS
        cmp zpHit
        bne whole
        beq file                // always
allThere:
        ldx zpSlot
        ldy zpBlackKing         // the corner, and the king who should be near it
        lda zpHit
        cpx #0
        beq corner
        ldy zpWhiteKing
        ora #RANK_1
corner: sta zpHit
        lda zpWhiteBishops,x
        bmi wrong               // no bishop at all
        jsr SquareColour
        sta zpBits
        lda zpHit
        jsr SquareColour
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
}

// DrawishPieces - the same without pawns
//
// In:       X = lists of the strong side
DrawishPieces: {
        txa
        beq white
        lda #COUNTS
white:  sta zpSlot              // counts of the strong side
        eor #COUNTS
        sta zpCount             // ... and of the weak one
        jsr CountPieces
        ldx zpCount
        jsr material
        sta zpTemp
        ldx zpSlot
        jsr material
        sta zpHit
        lda zpTemp              // an advantage of more than a minor piece is needed
        clc
        adc #3
        cmp zpHit
        bcs eighth
        lda Counts+C_KNIGHTS,x  // knights alone cannot mate
        asl
        adc Counts+C_KNIGHTS,x
        cmp zpHit
        bne whole
        ldy zpCount
        lda Counts+C_PAWNS,y
        bne whole
eighth: lda #3
        rts
whole:  lda #0
        rts
// X = counts: A = 3 * minor pieces + 5 * rooks + 9 * queens. Keeps X
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
