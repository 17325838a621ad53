// tables.asm - read-only tables of the generator, made by the assembler
//
// Provides: Ident, Line..., Zone..., Home..., MakeBlackVectors
// Uses:     constants.asm, storage.asm (PadTo), king.asm (CastleBit), position/make.asm (Make..., for the vectors)
//
// Difference tables are indexed by piece - king + NO_DISTANCE, which a pointer whose
// low byte is NO_DISTANCE - king turns into "indexed by the piece's square". Home
// tables serve kings on e1 and e8: indexed by the square, Black's in the half
// that is off the board.
#importonce

// Ident[i] = i, on an address that keeps Ident+offset,x in its page
        PadTo($70)
Ident:  .fill $80, i
MakeBlackVectors:
        .word MakeBlackPawn.begin, MakeBlackBishop, MakeBlackRook, MakeBlackQueen
        .word MakeBlackKnight, MakeNothing, MakeNothing, MakeBlackKing.begin
        .errorif (<MakeBlackVectors) != 2*BLACK_PAWN, "vectors"
        .errorif (<Ident) != $70, "Ident must sit like the boards"

// --- Geometry, in rows (down) and files (right) ---
.function DiffRow(i)  { .return floor(i / 16) - 7 }
.function DiffFile(i) { .return mod(i, 16) - 7 }
.function OnLine(r, f, ortho, diag) {
    .if (r == 0 && f == 0) .return false
    .return (ortho && (r == 0 || f == 0)) || (diag && abs(r) == abs(f))
}
.function IsJump(r, f) { .return abs(r) * abs(f) == 2 }
.function FileOf(step) { .return mod(step + 8 + 64, 16) - 8 }
.function RowOf(step)  { .return (step - FileOf(step)) / 16 }
.var DirRow  = List()                   // of each step in DirStep
.var DirFile = List()
.for (var dir = 0; dir < 8; dir++) {
    .eval DirRow.add(RowOf(DirStep.get(dir)))
    .eval DirFile.add(FileOf(DirStep.get(dir)))
}
.eval DirRow.lock()
.eval DirFile.lock()
.function DirOf(r, f) {
    .for (var dir = 0; dir < 8; dir++) {
        .if (DirRow.get(dir) == signum(r) && DirFile.get(dir) == signum(f)) .return dir
    }
    .return 0
}

// LineCode - entry of a line table
.function LineCode(i, ortho, diag) {
    .if (mod(i, 16) == 15 || i > $EE) .return 0
    .if (!OnLine(DiffRow(i), DiffFile(i), ortho, diag)) .return 0
    .return LINE | 2 * DirOf(DiffRow(i), DiffFile(i))
}
.function JumpCode(i) {
    .return mod(i, 16) != 15 && i <= $EE && IsJump(DiffRow(i), DiffFile(i)) ? KNIGHT_JUMP : 0
}

// Attacks - does a piece of a kind attack the square r rows, f files away?
.const BY_KING   = 0
.const BY_KNIGHT = 1
.const BY_ORTHO  = 2
.const BY_DIAG   = 3
.const BY_ANY    = 4                    // a queen: the two before together
.function Attacks(kind, r, f) {
    .if (kind == BY_KING)   .return max(abs(r), abs(f)) == 1
    .if (kind == BY_KNIGHT) .return IsJump(r, f)
    .return OnLine(r, f, kind != BY_DIAG, kind != BY_ORTHO)
}

// ZoneBits - the king's neighbours a piece attacks that is r rows, f files from him
.function ZoneBits(kind, r, f) {
    .var bits = 0
    .for (var dir = 0; dir < 8; dir++) {
        .if (Attacks(kind, r - DirRow.get(dir), f - DirFile.get(dir))) .eval bits = bits | (1 << dir)
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
LineOrtho:  .fill $100, LineCode(i, true, false)
LineDiag:   .fill $100, LineCode(i, false, true)
LineAny:    .fill $100, LineCode(i, true, true) | JumpCode(i)
ZoneKing:   .fill $100, ZoneEntry(BY_KING, i)
ZoneKnight: .fill $100, ZoneEntry(BY_KNIGHT, i)
ZoneOrtho:  .fill $100, ZoneEntry(BY_ORTHO, i)
ZoneDiag:   .fill $100, ZoneEntry(BY_DIAG, i)
HomeKing:   .fill $80, HomeEntry(BY_KING, i)
HomeKnight: .fill $80, HomeEntry(BY_KNIGHT, i)
HomeOrtho:  .fill $80, HomeEntry(BY_ORTHO, i)
HomeDiag:   .fill $80, HomeEntry(BY_DIAG, i)
        .errorif (<LineOrtho) != 0 || (<HomeKing) != 0, "page alignment"
