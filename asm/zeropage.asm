// zeropage.asm - the only file that hands out zero-page addresses
//
// Provides: piece lists, private position state, scratch; functions that name
//           the right one for a colour
// Uses:     constants.asm
//
// Owner and lifetime stand beside each line. "position" means: true from
// SyncPosition on and kept by MakeMoveSynced/UnmakeMoveSynced. "call" means
// scratch that no routine expects to find again.
#importonce

// --- Piece lists: squares, packed, ended by NO_SQUARE. Owner sync/make; position ---
.label zpWhitePawns   = $02             // 8 + end
.label zpWhiteKnights = $0B             // 10 + end
.label zpWhiteBishops = $16             // 10 + end
.label zpWhiteRooks   = $21             // 10 + end
.label zpWhiteQueens  = $2C             // 9 + end
.label zpBlackPawns   = $36
.label zpBlackKnights = $3F
.label zpBlackBishops = $4A
.label zpBlackRooks   = $55
.label zpBlackQueens  = $60
.label zpWhiteKing    = $6A             // a square, NO_SQUARE without a king
.label zpSpareWhite   = $6B             // where a second white king goes
.label zpBlackKing    = $6C
.label zpSpareBlack   = $6D

// --- Private position state. Owner sync/make; position ---
.label zpSide         = $6E             // side to move
.label zpPly          = $6F             // index into the Ply arrays
.label zpState        = $70             // en passant | file | castling rights
.label zpHashLo       = $71
.label zpHashHi       = $72
.label zpScoreLo      = $73             // material and placement, white minus black
.label zpScoreHi      = $74
.label zpClock        = $75             // plies since a capture or pawn move

// --- Arguments of make and unmake. Owner make; call ---
.label zpFrom         = $76
.label zpTo           = $77

// --- Next free slot by piece code, at the address of the code itself ---
// $78..$7F black, $F8..$FF white. Owner sync/make; position
.label zpNextSlot     = $00             // lda zpNextSlot,x with X = code

.label zpDummySlot    = $81             // below the overflow slot: taken by an undo of it
.label zpOverflowSlot = $82             // pieces that fit no list; negative on purpose
.label zpOverflow     = $83             // not 0: the lists are not complete. Owner sync; position

// --- Table pointers of each king: low byte from its square. Owner sync/make; position ---
.label zpWhiteLineKnight = $84          // is a knight there giving check?
.label zpWhiteLineOrtho  = $86          // is a rook there in line?
.label zpWhiteLineDiag   = $88
.label zpWhiteLineAny    = $8A
.label zpWhiteZoneKing   = $8C          // which neighbours of the king a king there attacks
.label zpWhiteZoneKnight = $8E
.label zpWhiteZoneOrtho  = $90
.label zpWhiteZoneDiag   = $92
.label zpWhiteZoneAny    = $94
.label zpBlackLineKnight = $96
.label zpBlackLineOrtho  = $98
.label zpBlackLineDiag   = $9A
.label zpBlackLineAny    = $9C
.label zpBlackZoneKing   = $9E
.label zpBlackZoneKnight = $A0
.label zpBlackZoneOrtho  = $A2
.label zpBlackZoneDiag   = $A4
.label zpBlackZoneAny    = $A6

// --- The same for one target square. Owner evasions; call ---
.label zpTargetKnight = $A8
.label zpTargetOrtho  = $AA
.label zpTargetDiag   = $AC
.label zpTargetAny    = $AE

// --- Generator ---
.label zpCheckers     = $B0             // 0 between calls
.label zpPins         = $B1             // 0 between calls
.label zpMore         = $80             // next slot of a long list, 0 between calls
.label zpCount        = $B2             // list index while Y is busy. call
.label zpChecker      = $B3             // square of the last checker. call
.label zpCheckLine    = $B4             // line code from king to checker, 0 = no slider. call
.label zpSlider       = $B5             // call
.label zpLine         = $B6             // call
.label zpPinned       = $B7             // call
.label zpStep         = $B8             // call
.label zpCand         = $B9             // king targets still thought safe, one bit each. call
.label zpBits         = $BA             // call
.label zpTarget       = $BB             // call
.label zpHit          = $BC             // call
.label zpIndex        = $BD             // call
.label zpAttacker     = $BE             // colour. call
.label zpEp           = $BF             // call
.label zpVictim       = $C0             // call
.label zpColor        = $C1             // call
.label zpSquare       = $C2             // call
.label zpTemp         = $C3             // call
.label zpTemp2        = $C4             // call
.label zpOwnPawn      = $C5             // call
.label zpForward      = $C6             // call
.label zpWalk2        = $C7             // call

// --- Make and unmake ---
.label zpCode         = $C8             // call
.label zpSlot         = $C9             // call
.label zpPtrA         = $CA             // call
.label zpPtrB         = $CC             // call
.label zpPtrC         = $CE             // call

// --- Public pseudo-legal routines, rules ---
.label zpArgFrom      = $D0             // call
.label zpArgTo        = $D1             // call
.label zpWalk         = $D2             // call
.label zpScan         = $D3             // call
.label zpSeedLo       = $D4             // zobrist keys. call
.label zpSeedHi       = $D5
.label zpEntry        = $D6             // packed position, pointer. call

// --- Search ---
.label zpDepth        = $DC             // plies left. search
.label zpNode         = $DD             // plies from the root. search
.label zpMovesFrom    = $DE             // this node's list, pointers. search
.label zpMovesTo      = $E0
.label zpMoveIndex    = $E4             // search
.label zpMoveTotal    = $E5             // search
.label zpValueLo      = $E6             // value handed up. search
.label zpValueHi      = $E7
.label zpBestKey      = $E8             // call
.label zpStop         = $EA             // not 0: the budget is spent. search
.label zpInCheck      = $EE             // set by the generator in check, cleared by the search. search
.label zpLevel        = $EF             // depth of the running iteration. search
.label zpTriedFrom    = $F0             // call
.label zpTriedTo      = $F1             // call

.function PawnsOf(white)   { .return white ? zpWhitePawns   : zpBlackPawns }
.function KnightsOf(white) { .return white ? zpWhiteKnights : zpBlackKnights }
.function BishopsOf(white) { .return white ? zpWhiteBishops : zpBlackBishops }
.function RooksOf(white)   { .return white ? zpWhiteRooks   : zpBlackRooks }
.function QueensOf(white)  { .return white ? zpWhiteQueens  : zpBlackQueens }
.function KingOf(white)    { .return white ? zpWhiteKing    : zpBlackKing }
.function LineKnightOf(white) { .return white ? zpWhiteLineKnight : zpBlackLineKnight }
.function LineOrthoOf(white)  { .return white ? zpWhiteLineOrtho  : zpBlackLineOrtho }
.function LineDiagOf(white)   { .return white ? zpWhiteLineDiag   : zpBlackLineDiag }
.function LineAnyOf(white)    { .return white ? zpWhiteLineAny    : zpBlackLineAny }
.function ZoneKingOf(white)   { .return white ? zpWhiteZoneKing   : zpBlackZoneKing }
.function ZoneKnightOf(white) { .return white ? zpWhiteZoneKnight : zpBlackZoneKnight }
.function ZoneOrthoOf(white)  { .return white ? zpWhiteZoneOrtho  : zpBlackZoneOrtho }
.function ZoneDiagOf(white)   { .return white ? zpWhiteZoneDiag   : zpBlackZoneDiag }
.function ZoneAnyOf(white)    { .return white ? zpWhiteZoneAny    : zpBlackZoneAny }
.function PieceOf(white, type) { .return (white ? WHITE_COLOR : BLACK_COLOR) | CODE_BITS | type }
.function ForwardOf(white)    { .return white ? -16 : 16 }
