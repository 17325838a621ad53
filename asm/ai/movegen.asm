// movegen.asm - exactly the legal moves of one side, without making one
//
// Provides: GenerateLegalMovesSynced, GenerateLegalMoves, GenerateWhite, GenerateBlack
// Uses:     moves/rays.asm (the moves themselves), moves/pins.asm,
//           moves/evasions.asm, moves/king.asm, moves/enpassant.asm,
//           moves/pseudo.asm (GenerateSlowly), moves/tables.asm, position/sync.asm
//
// How it works. The enemy's lists tell in a few cycles each which pieces
// are in line with the king: a table, pointed at so that the enemy's square
// is the index, holds the direction, and only then is the line looked at.
// Without check or pin all other pieces move freely, so each list is walked
// with no test at all. Otherwise pins.asm takes pinned pieces off the lists
// first, evasions.asm answers a check, and everything is put back.
// The king's targets are one bit each. Tables give the bits an enemy piece
// attacks; on its home square the bits that would be off the board stand for
// the castling targets. That is why castling costs no attack test of its own.
#importonce

// GenerateLegalMoves - the list becomes exactly the legal moves
//
// In:       X = colour to move; the position in Board88 and the public scalars
// Out:      MoveCount, MoveListFrom, MoveListTo; A = MoveCount
// Clobbers: A, X, Y, zero-page scratch, private position
// Cycles:   3,942 at the start, 5,475 on Kiwipete
GenerateLegalMoves: {
        stx zpSide              // en passant belongs to the side asked for
        jsr SyncLists
        ldx zpSide
        lda zpOverflow
        beq synced
        jmp GenerateSlowly
synced: jmp GenerateLegalMovesSynced
}

// GenerateLegalMovesSynced - the same, private structures being true
//
// In:       X = colour to move
// Out:      MoveCount, MoveListFrom, MoveListTo; A = MoveCount
// Clobbers: A, X, Y, zero-page scratch
// Cycles:   1,340 at the start, 2,872 on Kiwipete
// It is the white generator's first instruction but one, see LegalMoves.

// ScanList - test an enemy list against the king: the first two slots
//
// X = king. Pieces in line go through ScanHits, slots beyond the second
// through ScanMore. Of knights, KNIGHT_JUMP takes the place of the sign.
.macro ScanList(list, pointer, hits) {
        ldy list
        bmi done
        LoadLine(list, pointer)
        bmi hits.hit0
next0:  ldy list+1
        bmi done
        LoadLine(list, pointer)
        bmi hits.hit1
next1:  ldy list+2
        bpl hits.more
done:
}

.macro LoadLine(list, pointer) {
        lda (pointer),y
    .if (list == zpWhiteKnights || list == zpBlackKnights) {
        asl
    }
}

.macro ScanHits(test, near, rest) {
hit0:   jsr test
        jmp near.next0
hit1:   jsr test
        jmp near.next1
more:   jmp rest
}

// ScanMore - the slots beyond the second, which few positions use: a loop
.macro ScanMore(white, list, pointer, test, done) {
        ldx #list+2
next:   ldy $00,x
        bmi out
        LoadLine(list, pointer)
        bpl skip
        stx zpIndex
        ldx KingOf(white)
        jsr test
        ldx zpIndex
skip:   inx
        bne next                // always
out:    ldx KingOf(white)
        jmp done
}

// More - the rare slots beyond the ones written out in line
//
// Entered again and again after the code of the last piece in line, because
// the slot after it stays occupied. zpMore is the slot, 0 between calls.
.macro More(list, first, piece, done) {
        ldx zpMore
        bne going
        ldx #list+first
going:  lda $00,x
        bmi end
        inx
        stx zpMore
        tax                     // A = X = the square, as LoadPiece leaves it
        jmp piece
end:    lda #0
        sta zpMore
        jmp done
}

// LegalMoves - the generator for one colour
.macro LegalMoves(white) {
    .var enemyPawn = PieceOf(!white, PAWN)
    .var home      = white ? E1 : E8
    .var rightK    = white ? RIGHT_WK : RIGHT_BK
    .var rightQ    = white ? RIGHT_WQ : RIGHT_BQ
    .var forward   = ForwardOf(white)

// --- Who gives check, who is pinned. What is rare is before the entry ---
noKing: ldy #0                  // nothing can be illegal
        jmp pieces
pawnLeft:
        lda Ident+forward-1,x
        jsr NoteChecker
        lda #enemyPawn
        jmp afterLeft
pawnRight:
        lda Ident+forward+1,x
        jsr NoteChecker
        jmp scanN
hitN:   ScanHits(KnightChecks, scanN, moreN)
hitB:   ScanHits(lineTest, scanB, moreB)
hitR:   ScanHits(lineTest, scanR, moreR)
hitQ:   ScanHits(lineTest, scanQ, moreQ)
    .if (white) {
toBlack:
        jmp GenerateBlack.begin
@GenerateLegalMovesSynced:      // X = colour
        txa
        bpl toBlack
    }
begin:  ldx KingOf(white)
        bmi noKing
        lda #enemyPawn
        cmp Work+forward-1,x
        beq pawnLeft
afterLeft:
        cmp Work+forward+1,x
        beq pawnRight
scanN:  ScanList(KnightsOf(!white), LineAnyOf(white), hitN)
scanB:  ScanList(BishopsOf(!white), LineDiagOf(white), hitB)
scanR:  ScanList(RooksOf(!white), LineOrthoOf(white), hitR)
scanQ:  ScanList(QueensOf(!white), LineAnyOf(white), hitQ)
        ldy #0
        lda zpCheckers
        ora zpPins
        beq pieces
        jmp evasions

// --- All free pieces: Y = list index from here on ---
pieces:
    .for (var slot = 0; slot < MAX_PAWNS; slot++) {
        LoadPiece(white, PawnsOf(white)+slot)
        bmi pawnsDone
        jsr pawnMoves
    }
pawnsDone:
        LoadPiece(white, KnightsOf(white))
        bmi knightsDone
        jsr jumps
        LoadPiece(white, KnightsOf(white)+1)
        bmi knightsDone
knight1:
        jsr jumps
        LoadPiece(white, KnightsOf(white)+2)
        bmi knightsDone
        jmp moreKnights
knightsDone:
        LoadPiece(white, BishopsOf(white))
        bmi bishopsDone
        jsr diagonals
        LoadPiece(white, BishopsOf(white)+1)
        bmi bishopsDone
bishop1:
        jsr diagonals
        LoadPiece(white, BishopsOf(white)+2)
        bmi bishopsDone
        jmp moreBishops
bishopsDone:
        LoadPiece(white, RooksOf(white))
        bmi rooksDone
        jsr straights
        LoadPiece(white, RooksOf(white)+1)
        bmi rooksDone
rook1:  jsr straights
        LoadPiece(white, RooksOf(white)+2)
        bmi rooksDone
        jmp moreRooks
rooksDone:
        LoadPiece(white, QueensOf(white))
        bmi kings
queen0: jsr diagonals
        jsr straights
        LoadPiece(white, QueensOf(white)+1)
        bmi kings
        jmp moreQueens

// --- The king. zpCand collects the neighbours he could go to ---
kings:
        lda #0
        sta zpCand
        LoadPiece(white, KingOf(white))
        bmi finish
    .for (var dir = 0; dir < 8; dir++) {
        BranchBlocked(white, DirStep.get(dir), next)
        lda zpCand
        ora #1<<dir
        sta zpCand
    .if (!white) {
        txa
    }
next:
    }
        lda zpCand
        bne kingCan
finish: bit zpState
        bmi enPassant
        sty MoveCount
        tya
        rts
enPassant:
        jmp tryEnPassant

kingCan:
        sty zpCount
        cpx #home
        bne away
        jmp atHome
away:
awayZones: Zones(white, false, zoneTest, awayMore)
        ldy zpCount
        lda zpCand
emit:   bne targets             // Z from the load above or from the mask in atHome
        jmp finish
targets:
        KingTarget(white, 0)
        KingTarget(white, 1)
        KingTarget(white, 2)
        KingTarget(white, 3)
        KingTarget(white, 4)
        KingTarget(white, 5)
        KingTarget(white, 6)
        KingTarget(white, 7)
        jmp finish

// --- The king at home: castling, when the way is free, is two more bits ---
atHome:
        lda zpState
        and #rightK | rightQ
        beq noCastling
        ldy zpCheckers
        bne noCastling          // never out of check
        lsr
    .if (!white) {
        lsr
        lsr
    }
        bcc notShort            // C = right to castle short, Z = no right to castle long
        tay
        lda Work+home+1
        ora Work+home+2
        bne notShortY
        lda zpCand
        ora #CastleBit(white, true)
        sta zpCand
notShortY:
        tya
notShort:
        beq noCastling
        lda Work+home-1
        ora Work+home-2
        ora Work+home-3
        bne noCastling
        lda zpCand
        ora #CastleBit(white, false)
        sta zpCand
noCastling:
homeZones: Zones(white, true, zoneTest, homeMore)
        ldy zpCount
        lda zpCand              // castling: the middle square and the target are safe
        and #CastleBit(white, true) | 1<<DIR_E
        cmp #CastleBit(white, true) | 1<<DIR_E
        bne longSide
        lda #enemyPawn
        cmp Work+home+forward
        beq longSide
        cmp Work+home+forward+1
        beq longSide
        cmp Work+home+forward+2
        beq longSide
        cmp Work+home+forward+3
        beq longSide
        lda #home+2
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
longSide:
        lda zpCand
        and #CastleBit(white, false) | 1<<DIR_W
        cmp #CastleBit(white, false) | 1<<DIR_W
        bne castled
        lda #enemyPawn
        cmp Work+home+forward
        beq castled
        cmp Work+home+forward-1
        beq castled
        cmp Work+home+forward-2
        beq castled
        cmp Work+home+forward-3
        beq castled
        lda #home-2
        sta MoveListTo,y
        txa
        sta MoveListFrom,y
        iny
castled:
        lda zpCand
        and #$FF - CastleBit(white, true) - CastleBit(white, false)
        jmp emit

// --- Off the main path ---
awayMore: ZonesMore(white, false, zoneTest, awayZones)
homeMore: ZonesMore(white, true, zoneTest, homeZones)
moreN:  ScanMore(white, KnightsOf(!white), LineAnyOf(white), KnightChecks, scanN.done)
moreB:  ScanMore(white, BishopsOf(!white), LineDiagOf(white), lineTest, scanB.done)
moreR:  ScanMore(white, RooksOf(!white), LineOrthoOf(white), lineTest, scanR.done)
moreQ:  ScanMore(white, QueensOf(!white), LineAnyOf(white), lineTest, scanQ.done)
moreKnights: More(KnightsOf(white), 2, knight1, knightsDone)
moreBishops: More(BishopsOf(white), 2, bishop1, bishopsDone)
moreRooks: More(RooksOf(white), 2, rook1, rooksDone)
moreQueens: More(QueensOf(white), 1, queen0, kings)
pawnMoves:
        PawnMoves(white, promoting)
promoting:
        PromotingPawn(white)
jumps:  KnightJumps(white)
        rts
diagonals:
        FourRays(white, 4)
        rts
straights:
        FourRays(white, 0)
        rts
lineTest:   LineTest(white)
zoneTest:   ZoneTest(white)
evasions:   Evasions(white, pieces, kings)
tryEnPassant: TryEnPassant(white)
}

GenerateWhite:
        LegalMoves(true)
GenerateBlack:
        LegalMoves(false)
