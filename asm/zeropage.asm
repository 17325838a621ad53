// zeropage.asm - the only file that hands out zero-page addresses
//
// Provides: piece lists, private position state, scratch; functions that name
//           the right one for a colour
// Uses:     constants.asm
//
// Owner and lifetime are beside each group or line. "position": true from
// SyncPosition on and kept by MakeMoveSynced and UnmakeMoveSynced. "generator":
// scratch while one GenerateLegalMovesSynced runs. "call": scratch of the routines
// named, which expect nothing of it when they are called again.
#importonce

// --- Piece lists: squares, packed, ended by NO_SQUARE. Owner sync, make, unmake; position ---
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

// --- Private position state. Owner sync, make, unmake; position ---
.label zpSide         = $6E             // side to move
.label zpPly          = $6F             // index into the Ply arrays, 0 after SyncPosition
.label zpState        = $70             // en passant | file | castling rights
.label zpHashLo       = $71
.label zpHashHi       = $72
.label zpScoreLo      = $73             // material and placement, white minus black
.label zpScoreHi      = $74
.label zpClock        = $75             // plies since a capture or pawn move

// --- The move in the making ---
.label zpFrom         = $76             // make, unmake, TryMove; call
.label zpTo           = $77             // the same, and FindMove; call

// --- Next free slot by piece code, at the address of the code itself ---
// $78..$7F black, $F8..$FF white. Owner sync, make, unmake; position. A pin takes its
// piece off the list while moves are generated
.label zpNextSlot     = $00             // lda zpNextSlot,x with X = code

.label zpMore         = $80             // movegen: next slot of a long list, 0 between calls
.label zpDummySlot    = $81             // below the overflow slot: written when an undo takes from it
.label zpOverflowSlot = $82             // pieces that fit no list; negative on purpose
.label zpOverflow     = $83             // not 0: the lists are not complete. Owner sync; position

// --- Table pointers of each king: low byte from its square. Owner sync, make, unmake; position ---
// $84 and $85 are free.
.label zpWhiteLineOrtho  = $86          // is a rook there in line?
.label zpWhiteLineDiag   = $88
.label zpWhiteLineAny    = $8A          // ... a queen, or a knight a jump away?
.label zpWhiteZoneKing   = $8C          // which neighbours of the king a king there attacks
.label zpWhiteZoneKnight = $8E
.label zpWhiteZoneOrtho  = $90
.label zpWhiteZoneDiag   = $92
// $94 to $97 are free.
.label zpBlackLineOrtho  = $98
.label zpBlackLineDiag   = $9A
.label zpBlackLineAny    = $9C
.label zpBlackZoneKing   = $9E
.label zpBlackZoneKnight = $A0
.label zpBlackZoneOrtho  = $A2
.label zpBlackZoneDiag   = $A4
// $A6 and $A7 are free.

// --- The same for one target square. Owner evasions; generator ---
// $A8 and $A9 are free.
.label zpTargetOrtho  = $AA
.label zpTargetDiag   = $AC
.label zpTargetAny    = $AE

// --- Generator: owner movegen, pins, evasions, king; generator ---
.label zpCheckers     = $B0             // pieces that give check, 0 between calls
.label zpPins         = $B1             // pieces off their lists, 0 between calls
.label zpCount        = $B2             // list index while Y is busy
.label zpChecker      = $B3             // square of the last checker
.label zpCheckLine    = $B4             // line code from king to checker, 0 = no slider
.label zpSlider       = $B5             // the slider looked at
.label zpLine         = $B6             // line code from king to slider
.label zpPinned       = $B7             // square of the piece between
.label zpStep         = $B8             // of a line; attack: a square, an offset
.label zpCand         = $B9             // king targets still thought safe, one bit each
.label zpBits         = $BA             // king targets in line with a slider
.label zpTarget       = $BB             // square to reach or to leave; attack, Promote: a square
.label zpHit          = $BC             // what a line ends at; PushPin: a code
.label zpIndex        = $BD             // slot or bit number; attack: line code; Promote: kind

// Outside the generator: zpCount counts for draws and history, zpBits is a set of flags for
// draws and public, zpHit and zpIndex are scratch of pseudo, TryMove and history. call

// --- En passant and attacks; call ---
.label zpAttacker     = $BE             // attack, enpassant: colour of the attackers; GenerateAllMoves: colour
.label zpEp           = $BF             // enpassant, make, sync: the square passed over; TryMove: the to square
.label zpVictim       = $C0             // enpassant: the pawn that passed; make: the captured piece's square
.label zpColor        = $C1             // enpassant, pseudo: the side that moves
.label zpSquare       = $C2             // enpassant: the capturing pawn; GenerateAllMoves: the square
.label zpLinesOnly    = $C3             // EpIsLegal: not 0 when only sliders can give check

// --- Make and unmake; call ---
.label zpTemp         = $C4             // also pins, pseudo, draws, history
.label zpCode         = $C5             // captured or promoted piece; sync, TryMove: a code
.label zpSlot         = $C6             // list slot of it
.label zpPtrA         = $C7             // AimTables: keys, low. enpassant, history, zobrist: scratch pointer
.label zpPtrB         = $C9             // AimTables: keys, high. history, zobrist: scratch pointer
.label zpPtrC         = $CB             // AimTables: scores

// --- Public routines: arguments and walks; call ---
.label zpArgFrom      = $CD             // MakeMove, UnmakeMove, pseudo
.label zpArgTo        = $CE             // MakeMove, UnmakeMove
.label zpWalk         = $CF             // pseudo: the square reached. king: slot of a long list
.label zpScan         = $D0             // pseudo: last direction, moves kept. history: entry
.label zpEntry        = $D1             // history: a change, pointer
.label zpForward      = zpChecker       // GeneratePawnMoves; never while the generator runs
.label zpWalk2        = zpCheckLine     // GeneratePawnMoves
.label zpSeedLo       = zpPtrC          // InitZobristTables
.label zpSeedHi       = zpPtrC+1

// --- Search and perft: while FindBestMove or Perft runs ---
.label zpDepth        = $D3             // perft: plies left
// $D4 is free.
.label zpMovesFrom    = $D5             // this node's list, pointers
.label zpMovesTo      = $D7
.label zpMoveIndex    = $D9             // move of the generated list; GenerateSlowly too
.label zpMoveTotal    = $DA             // moves listed so far
.label zpValueLo      = $DB             // value handed up
.label zpValueHi      = $DC
.label zpBestKey      = $DD             // sort key of a capture
// $DE is free.
.label zpInCheck      = $DF             // set by the generator in check, cleared by the search
.label zpFoundLo      = $E0             // value that the iteration before found: owner clock.asm
.label zpFoundHi      = $E1
// $E2 is free.

// --- Captures: owner captures.asm; until they are copied ---
.label zpFill         = $E3             // next free place of each bucket, 6 bytes
.label zpTaker        = $E9             // what kind of piece takes
.label zpGenStack     = $EA             // stack of the generator, for the way out

// --- Third byte of the private hash. Owner sync, make, unmake; position ---
.label zpHashEx       = $EB
.label zpPtrD         = $EC             // AimTables: keys, extra. call

// --- Search: while FindBestMove runs ---
.label zpTick         = $EE             // nodes until the limits are looked at
.label zpAlphaLo      = $EF             // quiescence: the window, White's view
.label zpAlphaHi      = $F0
.label zpBetaLo       = $F1
.label zpBetaHi       = $F2
.label zpStaticLo     = $F3             // static value; White's view in the quiescence
.label zpStaticHi     = $F4
.label zpCaptureTop   = $F5             // end of the captures of the path
.label zpMode         = $F6             // 0, or one of MODE_...: owner endgame.asm
// $F7 is free.

.function PawnsOf(white)   { .return white ? zpWhitePawns   : zpBlackPawns }
.function KnightsOf(white) { .return white ? zpWhiteKnights : zpBlackKnights }
.function BishopsOf(white) { .return white ? zpWhiteBishops : zpBlackBishops }
.function RooksOf(white)   { .return white ? zpWhiteRooks   : zpBlackRooks }
.function QueensOf(white)  { .return white ? zpWhiteQueens  : zpBlackQueens }
.function KingOf(white)    { .return white ? zpWhiteKing    : zpBlackKing }
.function LineOrthoOf(white)  { .return white ? zpWhiteLineOrtho  : zpBlackLineOrtho }
.function LineDiagOf(white)   { .return white ? zpWhiteLineDiag   : zpBlackLineDiag }
.function LineAnyOf(white)    { .return white ? zpWhiteLineAny    : zpBlackLineAny }
.function ZoneKingOf(white)   { .return white ? zpWhiteZoneKing   : zpBlackZoneKing }
.function ZoneKnightOf(white) { .return white ? zpWhiteZoneKnight : zpBlackZoneKnight }
.function ZoneOrthoOf(white)  { .return white ? zpWhiteZoneOrtho  : zpBlackZoneOrtho }
.function ZoneDiagOf(white)   { .return white ? zpWhiteZoneDiag   : zpBlackZoneDiag }
.function PieceOf(white, type) { .return (white ? WHITE_COLOR : BLACK_COLOR) | CODE_BITS | type }
.function ForwardOf(white)    { .return white ? -ROW : ROW }
