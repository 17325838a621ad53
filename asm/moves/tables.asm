// tables.asm - read-only tables of the generator, made by the assembler
//
// Provides: Ident, Line..., Zone..., Home..., LineVectors, KindVectors, Make...Vectors, steps
// Uses:     constants.asm, zeropage.asm; vectors to attack.asm and make.asm, unmake.asm
//
// Difference tables are indexed by piece - king + NO_DISTANCE, which a pointer whose
// low byte is NO_DISTANCE - king turns into "indexed by the piece's square". Home
// tables serve kings on e1 and e8: indexed by the square, Black's in the half
// that is off the board.
#importonce

// RightsKept - castling rights that survive a move from or to a square;
// the en passant bits go in any case
.function Kept(sq) {
    .var kept = RIGHTS
    .if (sq == E1 || sq == H1) .eval kept = kept & (RIGHTS - RIGHT_WK)
    .if (sq == E1 || sq == A1) .eval kept = kept & (RIGHTS - RIGHT_WQ)
    .if (sq == E8 || sq == H8) .eval kept = kept & (RIGHTS - RIGHT_BK)
    .if (sq == E8 || sq == A8) .eval kept = kept & (RIGHTS - RIGHT_BQ)
    .return kept
}
.function HomeStep(white, bit) {
    .if ((1 << bit) == CastleBit(white, true))  .return 2
    .if ((1 << bit) == CastleBit(white, false)) .return -2
    .return DirStep.get(bit)
}

// Two pages with Ident[i] = i, on an address that keeps Ident+offset,x in its page.
// The vectors must lie where line codes and doubled piece codes point; small tables
// fill the rest.
.align $100
LineVectors:                    // the code of a direction at its line code
KindVectors:                    // how to undo a kind of move
RightsKept:     .fill $80, Kept(i)
        .word firstHit0, firstHit1, firstHit2, firstHit3
        .word firstHit4, firstHit5, firstHit6, firstHit7
LineStep:                       // step of a line code, at LineStep-LINE,code
    .for (var dir = 0; dir < 8; dir++) {
        .byte DirStep.get(dir), 0
    }
ZoneStep:       .fill 8, DirStep.get(i)
ZoneStepWhite:  .fill 8, HomeStep(true, i)
ZoneStepBlack:  .fill 8, HomeStep(false, i)
ZoneClear:      .fill 8, $FF - (1 << i)
KnightSteps:    .fill 8, KnightStep.get(i)
        PadTo(KIND_FIRST)
        .word UndoKing, UndoCapture, UndoKingCapture, UndoPawn, UndoShort, UndoLong
        .word UndoEnPassant, UndoPromote, UndoPromoteCapture, UndoNothing, UndoState
        PadTo($F0)
MakeWhiteVectors:               // the routine of a piece at twice its code
        .word MakeWhitePawn.begin, MakeWhiteBishop, MakeWhiteRook, MakeWhiteQueen
        .word MakeWhiteKnight, MakeNothing, MakeNothing, MakeWhiteKing.begin
        PadTo($70)
Ident:  .fill $80, i
MakeBlackVectors:
        .word MakeBlackPawn.begin, MakeBlackBishop, MakeBlackRook, MakeBlackQueen
        .word MakeBlackKnight, MakeNothing, MakeNothing, MakeBlackKing.begin
        .errorif (<MakeWhiteVectors) != (2*WHITE_PAWN & $FF) || (<MakeBlackVectors) != 2*BLACK_PAWN, "vectors"
        .errorif (<LineVectors) != 0 || (<Ident) != $70, "Ident must sit like the boards"

// --- Geometry, in rows (down) and files (right) ---
.function DiffRow(i)  { .return floor(i / 16) - 7 }
.function DiffFile(i) { .return mod(i, 16) - 7 }
.function OnLine(r, f, ortho, diag) {
    .if (r == 0 && f == 0) .return false
    .return (ortho && (r == 0 || f == 0)) || (diag && abs(r) == abs(f))
}
.function IsJump(r, f) { .return abs(r) * abs(f) == 2 }
.function DirOf(r, f) {
    .for (var dir = 0; dir < 8; dir++) {
        .if (RowOf(DirStep.get(dir)) == signum(r) && FileOf(DirStep.get(dir)) == signum(f)) .return dir
    }
    .return 0
}
.function FileOf(step) { .return mod(step + 8 + 64, 16) - 8 }
.function RowOf(step)  { .return (step - FileOf(step)) / 16 }

// LineCode - entry of a line table
.function LineCode(i, ortho, diag) {
    .if (mod(i, 16) == 15 || i > $EE) .return 0
    .if (!OnLine(DiffRow(i), DiffFile(i), ortho, diag)) .return 0
    .return LINE | 2 * DirOf(DiffRow(i), DiffFile(i))
}

// Attacks - does a piece of a kind attack the square r rows, f files away?
.const BY_KING   = 0
.const BY_KNIGHT = 1
.const BY_ORTHO  = 2
.const BY_DIAG   = 3
.const BY_ANY    = 4
.function Attacks(kind, r, f) {
    .if (kind == BY_KING)   .return max(abs(r), abs(f)) == 1
    .if (kind == BY_KNIGHT) .return IsJump(r, f)
    .return OnLine(r, f, kind != BY_DIAG, kind != BY_ORTHO)
}

// ZoneBits - the king's neighbours a piece attacks that is r rows, f files from him
.function ZoneBits(kind, r, f) {
    .var bits = 0
    .for (var dir = 0; dir < 8; dir++) {
        .var step = DirStep.get(dir)
        .if (Attacks(kind, r - RowOf(step), f - FileOf(step))) .eval bits = bits | (1 << dir)
    }
    .return bits
}
.function ZoneEntry(kind, i) {
    .if (mod(i, 16) == 15 || i > $EE) .return 0
    .return ZoneBits(kind, DiffRow(i), DiffFile(i))
}

// HomeEntry - the same for a king at home, with bits for the castling targets.
// Index i: square i for the white king, square i - 8 for the black one.
.function HomeEntry(kind, i) {
    .var white = mod(i, 16) < 8
    .var r = floor(i / 16) - (white ? 7 : 0)
    .var f = mod(i, 8) - 4
    .var bits = ZoneBits(kind, r, f)
    .eval bits = bits & ($FF - CastleBit(white, true) - CastleBit(white, false))
    .if (Attacks(kind, r, f - 2)) .eval bits = bits | CastleBit(white, true)
    .if (Attacks(kind, r, f + 2)) .eval bits = bits | CastleBit(white, false)
    .return bits
}

.align $100
LineKnight: .fill $100, (mod(i, 16) != 15 && i <= $EE && IsJump(DiffRow(i), DiffFile(i))) ? LINE : 0
LineOrtho:  .fill $100, LineCode(i, true, false)
LineDiag:   .fill $100, LineCode(i, false, true)
LineAny:    .fill $100, LineCode(i, true, true)
ZoneKing:   .fill $100, ZoneEntry(BY_KING, i)
ZoneKnight: .fill $100, ZoneEntry(BY_KNIGHT, i)
ZoneOrtho:  .fill $100, ZoneEntry(BY_ORTHO, i)
ZoneDiag:   .fill $100, ZoneEntry(BY_DIAG, i)
ZoneAny:    .fill $100, ZoneEntry(BY_ANY, i)
HomeKing:   .fill $80, HomeEntry(BY_KING, i)
HomeKnight: .fill $80, HomeEntry(BY_KNIGHT, i)
HomeOrtho:  .fill $80, HomeEntry(BY_ORTHO, i)
HomeDiag:   .fill $80, HomeEntry(BY_DIAG, i)
HomeAny:    .fill $80, HomeEntry(BY_ANY, i)
        .errorif (<LineKnight) != 0 || (<HomeKing) != 0, "page alignment"
