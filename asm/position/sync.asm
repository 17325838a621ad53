// sync.asm - from the public position to the private structures
//
// Provides: SyncPosition, SyncLists, SyncTotals, SetWhiteKing, SetBlackKing
// Uses:     constants.asm, storage.asm, slots.asm, zobrist.asm (keys and scores by piece code),
//           moves/tables.asm, moves/enpassant.asm (EpAllowed)
#importonce

// SyncPosition - rebuild everything private from the public position
//
// In:       Board88, castlerights, enpassantsq, SearchSide, HalfmoveClock
// Out:      lists, work board, state, hash, score, clock; zpPly = 0
// Clobbers: A, X, Y, zero page
// Cycles:   6,945 at the start, 6,964 on Kiwipete
SyncPosition: {
        lda SearchSide
        and #WHITE_COLOR
        sta zpSide
        lda #0
        sta zpPly
        lda HalfmoveClock
        bpl fits
        lda #$7F                // long past every limit; leave room to count on
fits:   sta zpClock
        jsr SyncLists
        jmp SyncTotals
}

// SyncLists - the part the generator needs: work board, lists, rights, en passant
//
// In:       Board88, castlerights, enpassantsq; zpSide = side for en passant
// Out:      private structures but hash, score, clock and ply; zpOverflow
// Clobbers: A, X, Y, zero-page scratch
// Cycles:   2,581 at the start
.macro FirstSlot(code, slot) {
        lda #slot
        sta zpNextSlot+code
}
.macro CloseList(code) {
        ldx zpNextSlot+code
        bpl ok
        inc zpOverflow          // zpOverflowSlot: more pieces than any game can have
ok:     sta $00,x               // A = NO_SQUARE
}
SyncLists: {
        FirstSlot(WHITE_PAWN, zpWhitePawns)
        FirstSlot(WHITE_KNIGHT, zpWhiteKnights)
        FirstSlot(WHITE_BISHOP, zpWhiteBishops)
        FirstSlot(WHITE_ROOK, zpWhiteRooks)
        FirstSlot(WHITE_QUEEN, zpWhiteQueens)
        FirstSlot(WHITE_KING, zpWhiteKing)
        FirstSlot(BLACK_PAWN, zpBlackPawns)
        FirstSlot(BLACK_KNIGHT, zpBlackKnights)
        FirstSlot(BLACK_BISHOP, zpBlackBishops)
        FirstSlot(BLACK_ROOK, zpBlackRooks)
        FirstSlot(BLACK_QUEEN, zpBlackQueens)
        FirstSlot(BLACK_KING, zpBlackKing)
        FirstSlot(WHITE_COLOR | CODE_BITS | 5, zpOverflowSlot)   // codes that are not pieces
        sta zpNextSlot+(WHITE_COLOR | CODE_BITS | 6)
        sta zpNextSlot+(BLACK_COLOR | CODE_BITS | 5)
        sta zpNextSlot+(BLACK_COLOR | CODE_BITS | 6)
        lda #NO_SQUARE
        sta zpWhiteKing
        sta zpBlackKing
        sta zpSpareWhite
        sta zpSpareBlack
        ldy #0                  // Y = square on file a
nextRow:
    .for (var file = 0; file < 8; file++) {
        lda Board88+file,y
        beq store
        ora #CODE_BITS          // any byte becomes a code: no stray zero-page store
        tax
        stx zpCode
        lda zpNextSlot,x
        sta PieceSlot+file,y
        tax
        lda Ident+file,y        // the square
        sta $00,x
        lda SlotAfter,x
        ldx zpCode
        sta zpNextSlot,x
        txa
store:  sta Work+file,y
    }
        tya
        clc
        adc #ROW
        tay
        bmi squaresDone
        jmp nextRow
squaresDone:
        lda #0
        sta zpCheckers
        sta zpPins
        sta zpMore
        sta zpOverflow
        lda #NO_SQUARE
        CloseList(WHITE_PAWN)
        CloseList(WHITE_KNIGHT)
        CloseList(WHITE_BISHOP)
        CloseList(WHITE_ROOK)
        CloseList(WHITE_QUEEN)
        CloseList(BLACK_PAWN)
        CloseList(BLACK_KNIGHT)
        CloseList(BLACK_BISHOP)
        CloseList(BLACK_ROOK)
        CloseList(BLACK_QUEEN)
// More than 16 pieces could have more moves than the list can hold: count them.
        clc
        lda zpNextSlot+WHITE_PAWN
        adc zpNextSlot+WHITE_KNIGHT
        clc
        adc zpNextSlot+WHITE_BISHOP
        clc
        adc zpNextSlot+WHITE_ROOK
        clc
        adc zpNextSlot+WHITE_QUEEN
        sec
        sbc #<(zpWhitePawns+zpWhiteKnights+zpWhiteBishops+zpWhiteRooks+zpWhiteQueens)
        cmp #MAX_PIECES
        bcs crowd
        lda zpNextSlot+BLACK_PAWN
        adc zpNextSlot+BLACK_KNIGHT
        clc
        adc zpNextSlot+BLACK_BISHOP
        clc
        adc zpNextSlot+BLACK_ROOK
        clc
        adc zpNextSlot+BLACK_QUEEN
        sec
        sbc #<(zpBlackPawns+zpBlackKnights+zpBlackBishops+zpBlackRooks+zpBlackQueens)
        cmp #MAX_PIECES
        bcs crowd
        lda zpSpareWhite        // a second king?
        and zpSpareBlack
        bmi counted
crowd:  inc zpOverflow
counted:
// Table pointers of the kings: the pages, then the squares.
        lda #>LineOrtho
        sta zpWhiteLineOrtho+1
        sta zpBlackLineOrtho+1
        lda #>LineDiag
        sta zpWhiteLineDiag+1
        sta zpBlackLineDiag+1
        lda #>LineAny
        sta zpWhiteLineAny+1
        sta zpBlackLineAny+1
        lda #>ZoneKing
        sta zpWhiteZoneKing+1
        sta zpBlackZoneKing+1
        lda #>ZoneKnight
        sta zpWhiteZoneKnight+1
        sta zpBlackZoneKnight+1
        lda #>ZoneOrtho
        sta zpWhiteZoneOrtho+1
        sta zpBlackZoneOrtho+1
        lda #>ZoneDiag
        sta zpWhiteZoneDiag+1
        sta zpBlackZoneDiag+1
        jsr SetWhiteKing
        jsr SetBlackKing
// Castling rights that mean something: king and rook at home.
        lda castlerights
        and #RIGHTS
        sta zpState
        beq rightsDone
        ldx Work+E1
        cpx #WHITE_KING
        bne whiteGone
        ldx Work+H1
        cpx #WHITE_ROOK
        beq whiteShort
        and #RIGHTS-RIGHT_WK
whiteShort:
        ldx Work+A1
        cpx #WHITE_ROOK
        beq blackRights
        and #RIGHTS-RIGHT_WQ
        jmp blackRights
whiteGone:
        and #RIGHT_BK | RIGHT_BQ
blackRights:
        ldx Work+E8
        cpx #BLACK_KING
        bne blackGone
        ldx Work+H8
        cpx #BLACK_ROOK
        beq blackShort
        and #RIGHTS-RIGHT_BK
blackShort:
        ldx Work+A8
        cpx #BLACK_ROOK
        beq rightsKnown
        and #RIGHTS-RIGHT_BQ
        jmp rightsKnown
blackGone:
        and #RIGHT_WK | RIGHT_WQ
rightsKnown:
        sta zpState
rightsDone:
        lda enpassantsq
        cmp #NO_SQUARE
        bne SyncEnPassant
        rts
}

// SyncEnPassant - set the en passant bits of zpState if a capture is legal
//
// In:       A = square passed over, zpSide = side to capture, zpState = rights
// Out:      zpState
// Clobbers: A, X, Y
// Cycles:   164 no pawn beside, 1,547 e5xd6
SyncEnPassant: {
        sta zpEp
        tax
        and #OFF_BOARD
        bne none
        lda zpSide
        sta zpColor
        bmi white
        lda #RANK_3             // Black captures here
        bne row
white:  lda #RANK_6             // White captures here
row:    eor zpEp
        cmp #8
        bcs none
        lda Work,x
        bne none
        txa
        eor #ROW                // the victim
        tax
        lda zpColor
        eor #WHITE_COLOR
        ora #CODE_BITS | PAWN
        cmp Work,x
        bne none
        jsr EpAllowed
        bcs none
        lda zpEp
        asl
        asl
        asl
        asl
        ora zpState
        ora #STATE_EP
        sta zpState
none:   rts
}

// SetWhiteKing, SetBlackKing - aim a king's table pointers at his square
//
// In:       zpWhiteKing, zpBlackKing
// Clobbers: A          Keeps: X, Y
// Cycles:   34 SetWhiteKing, 34 SetBlackKing
.macro AimKing(white) {
        lda #NO_DISTANCE
        sec
        sbc KingOf(white)
        sta LineOrthoOf(white)
        sta LineDiagOf(white)
        sta LineAnyOf(white)
        sta ZoneKingOf(white)
        sta ZoneKnightOf(white)
        sta ZoneOrthoOf(white)
        sta ZoneDiagOf(white)
}
SetWhiteKing:
        AimKing(true)
        rts
SetBlackKing:
        AimKing(false)
        rts

// SyncTotals - hash and score from the lists
//
// In:       lists, zpSide, zpState
// Out:      zpHashLo/Hi/Ex, zpScoreLo/Hi
// Clobbers: A, X, Y, zpSquare, zpPtrA-D
// Cycles:   4,331 at the start
.var ListCodes = List()
.var ListFirst = List()
.for (var side = 0; side < 2; side++) {
    .var white = side == 0
    .eval ListCodes.add(PieceOf(white, PAWN), PieceOf(white, KNIGHT), PieceOf(white, BISHOP), PieceOf(white, ROOK), PieceOf(white, QUEEN), PieceOf(white, KING))
    .eval ListFirst.add(PawnsOf(white), KnightsOf(white), BishopsOf(white), RooksOf(white), QueensOf(white), KingOf(white))
}
SyncTotals: {
        lda #0
        sta zpHashLo
        sta zpHashHi
        sta zpHashEx
        jsr HashState
        lda zpSide
        bmi white               // the key of the side belongs to Black to move
        jsr FlipSideKey
white:  lda #0
        sta zpScoreLo
        sta zpScoreHi
        lda zpOverflow
        bne crowd
        ldy #ListCodes.size()-1
list:   sty zpSquare
        ldx first,y
        lda $00,x               // many lists are empty
        bmi none
        stx zpSlot
        lda codes,y
        jsr AimTables           // X = code
        lda zpSlot
piece:  tay
        lda $0000,y
        tay
        lda (zpPtrA),y
        eor zpHashLo
        sta zpHashLo
        lda (zpPtrB),y
        eor zpHashHi
        sta zpHashHi
        lda (zpPtrD),y
        eor zpHashEx
        sta zpHashEx
        clc
        lda zpScoreLo
        adc (zpPtrC),y
        sta zpScoreLo
        bcc low
        inc zpScoreHi
        clc
low:    lda zpScoreLo
        adc BaseLo-CODE_BITS,x
        sta zpScoreLo
        lda zpScoreHi
        adc BaseHi-CODE_BITS,x
        sta zpScoreHi
        inc zpSlot
        lda zpSlot
        cmp zpNextSlot,x
        bne piece
none:   ldy zpSquare
        dey
        bpl list
        rts
codes:  .fill ListCodes.size(), ListCodes.get(i)
first:  .fill ListFirst.size(), ListFirst.get(i)

crowd:  ldy #ON_BOARD           // the lists are not complete: square by square
next:   lda Work,y
        beq empty
        jsr AddTotals
empty:  dey
        bmi done
        tya
        and #OFF_BOARD
        beq next
        tya                     // from column 15 to column 7
        and #ON_BOARD
        tay
        bpl next                // always
done:   rts
}

// AimTables - point at key and score tables of a piece
//
// In:       A = code
// Out:      zpPtrA, zpPtrB, zpPtrD = keys low, high, extra; zpPtrC = scores; X = code
// Clobbers: A          Keeps: Y
// Cycles:   57
AimTables: {
        tax
        lda TableHalf-CODE_BITS,x
        sta zpPtrA
        sta zpPtrB
        sta zpPtrC
        sta zpPtrD
        lda KeyPageLo-CODE_BITS,x
        sta zpPtrA+1
        lda KeyPageHi-CODE_BITS,x
        sta zpPtrB+1
        lda KeyPageEx-CODE_BITS,x
        sta zpPtrD+1
        lda PlacePage-CODE_BITS,x
        sta zpPtrC+1
        rts
}

// AddTotals - a piece appears: hash and score
//
// In:       A = code, Y = square
// Clobbers: A, X       Keeps: Y
// Cycles:   147
AddTotals: {
        jsr AimTables
        lda (zpPtrC),y
        clc
        adc zpScoreLo
        sta zpScoreLo
        lda #0
        adc zpScoreHi
        sta zpScoreHi
        lda BaseLo-CODE_BITS,x
        clc
        adc zpScoreLo
        sta zpScoreLo
        lda BaseHi-CODE_BITS,x
        adc zpScoreHi
        sta zpScoreHi
}
HashPiece: {                    // entry with zpPtrA, zpPtrB aimed
        lda (zpPtrA),y
        eor zpHashLo
        sta zpHashLo
        lda (zpPtrB),y
        eor zpHashHi
        sta zpHashHi
        lda (zpPtrD),y
        eor zpHashEx
        sta zpHashEx
        rts
}
