// late.asm - the parts of the screen program that take the place of other code when it starts
//
// Provides: InstallLate
// Uses:     moves/pseudo.asm, moves/movelist.asm, position/zobrist.asm (what is overwritten), ai/root.asm (BookCall),
//           bookfile.asm (BookAndFile)
//
// Play has no use for the generators by piece, for the calls of a move list, for Perft and for the
// making of keys: the legal moves come from movegen.asm, and the keys are made. A board too
// crowded for the piece lists, which no game reaches, has no move then.
#importonce

// LateEnds - a part must fit into the place of the code from home to end
.macro LateEnds(source, home, end) {
        .errorif * - home > end - home, "the part at $" + toHexString(home) + " of the screen program is " + (* - end) + " bytes too long"
}

LateMenu:
.pseudopc GenerateKnightMoves {
#import "menu.asm"
        LateEnds(LateMenu, GenerateKnightMoves, GenerateSlowly)
}
LateCrowd:
.pseudopc GenerateSlowly {
        lda #0
        sta MoveCount
        rts
#import "bookfile.asm"
        LateEnds(LateCrowd, GenerateSlowly, TryMove)
}
LateSettings:
.pseudopc InitZobristTables {
#import "settings.asm"
        LateEnds(LateSettings, InitZobristTables, SetState)
}
LateMate:
.pseudopc ClearMoveList {
#import "mate.asm"
#import "bookload.asm"
        LateEnds(LateMate, ClearMoveList, RulesData)
}
LateEnd:

// InstallLate - copy them to their homes; the search asks the book on disk, too
//
// Clobbers: A, X, Y
InstallLate: {
.var sources = List().add(LateMenu, LateCrowd, LateSettings, LateMate, LateEnd).lock()
.var homes   = List().add(GenerateKnightMoves, GenerateSlowly, InitZobristTables, ClearMoveList).lock()
.const COPIES = homes.size()
        ldx #COPIES-1
part:   lda sourceLo,x
        sta zpPtrA
        lda sourceHi,x
        sta zpPtrA+1
        lda homeLo,x
        sta zpPtrB
        lda homeHi,x
        sta zpPtrB+1
        ldy #0
byte:   lda (zpPtrA),y
        sta (zpPtrB),y
        inc zpPtrB
        bne low
        inc zpPtrB+1
low:    inc zpPtrA
        bne same
        inc zpPtrA+1
same:   lda zpPtrA                      // up to the source of the next part
        cmp sourceLo+1,x
        bne byte
        lda zpPtrA+1
        cmp sourceHi+1,x
        bne byte
        dex
        bpl part
        lda #<BookAndFile
        sta BookCall+1
        lda #>BookAndFile
        sta BookCall+2
        rts
sourceLo: .fill COPIES+1, <sources.get(i)
sourceHi: .fill COPIES+1, >sources.get(i)
homeLo:   .fill COPIES, <homes.get(i)
homeHi:   .fill COPIES, >homes.get(i)
}
