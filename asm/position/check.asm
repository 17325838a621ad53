// check.asm - does the move just made give check?
//
// Provides: SeeCheck; WhiteLine, BlackLine
// Uses:     moves/attack.asm (FirstHit), zeropage.asm
//
// Only lines that a piece entered or left can hold a new check, and no move enters or
// leaves more than one of the enemy king's: make leaves in zpFrom and zpTo the squares
// that count (of castling the rook's target, of en passant perhaps the victim's square).
#importonce

// SeeCheck - zpInCheck: did the last move give check?
//
// In:       zpFrom, zpTo as MakeMoveSynced left them, zpSide
// Out:      zpInCheck not 0: it did
// Clobbers: A, X, Y, zpLine
// Cycles:   40 quiet knight, 176 a rook gives it, 222 a line opens
SeeCheck: {
        lda zpSide
        bpl blackKing
whiteKing:
        SeeCheckBy(false)
blackKing:
        SeeCheckBy(true)
}

// SeeCheckBy - a piece of a colour went from zpFrom to zpTo
.macro SeeCheckBy(white) {
        ldy zpTo
        lda (LineAnyOf(!white)),y
        bmi inLine
        beq left
        lda Work,y              // KNIGHT_JUMP
        cmp #PieceOf(white, KNIGHT)
        beq told
left:   ldy zpFrom
        lda (LineAnyOf(!white)),y
        bmi look
        lda #0
        sta zpInCheck
        rts
look:   sta zpLine
        jsr [white ? WhiteLine : BlackLine]
told:   sta zpInCheck
        rts
inLine: sta zpLine
        cmp #LINE | LINE_DIAGONAL
        lda Work,y
        bcs diagonal
        and #%0000_0110         // rook or queen?
        cmp #ROOK
        beq slider
        bne left                // always
diagonal:
        and #TYPE_BITS
        beq pawn
        cmp #KNIGHT
        bcs left
        lsr                     // bishop or queen?
        bcc left
slider: jsr [white ? WhiteLine : BlackLine]
        bne told
        beq left                // always
pawn:   lda #PieceOf(!white, KING)
        cmp Work+ForwardOf(white)-1,y
        beq told
        cmp Work+ForwardOf(white)+1,y
        beq told
        bne left                // always
}

// WhiteLine, BlackLine - is a slider of that colour the first piece the enemy's king sees?
//
// In:       zpLine = line code from the king
// Out:      A not 0 yes, Z with it
// Clobbers: X, Y
// Cycles:   71 WhiteLine, 71 BlackLine
.macro LineGiven(white) {
        ldx KingOf(!white)
        lda zpLine
        jsr FirstHit
        tay
        lda zpLine
        cmp #LINE | LINE_DIAGONAL
        tya
        bcs diagonal
        ora #1
        bne compare             // always
diagonal:
        ora #2
compare:
        eor #PieceOf(white, QUEEN)
        beq yes
        lda #0
        rts
yes:    lda #1
        rts
}
WhiteLine: LineGiven(true)
BlackLine: LineGiven(false)
