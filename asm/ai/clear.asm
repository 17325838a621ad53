// clear.asm - moves that need no more thought
//
// Provides: NoteMove, SearchRetakes
// Uses:     clock.asm (FoundFrom, FoundTo, FoundAgain), storage.asm
//
// It is here, and not in clock.asm, because the search keeps its place in the pages: a branch into another page takes a
// cycle more.
#importonce

.const CLEAR        = 4                 // iterations more with the same move make it clear
.const CLEAR_TAKES  = 2                 // ... if it takes back

SearchRetakes: .byte NO_SQUARE          // the square where the other side has just taken something, NO_SQUARE if it has not

// NoteMove - halve SearchSoft when the answer is clear
//
// In:       an iteration has ended; the answer
// Clobbers: A, X
// Cycles:   37 the first iteration
NoteMove: {
        lda BestMoveTo
        ldx SearchDoing
        dex
        beq other                       // the first one
        cmp FoundTo
        bne other
        ldx BestMoveFrom
        cpx FoundFrom
        bne other
        inc FoundAgain
        ldx FoundAgain
        cmp SearchRetakes
        beq retakes
        dex
        dex
        .errorif CLEAR != CLEAR_TAKES+2, "two iterations more"
retakes:
        cpx #CLEAR_TAKES
        bne done
        lsr SearchSoft+1                // once a search
        ror SearchSoft
done:   rts
other:  sta FoundTo
        lda BestMoveFrom
        sta FoundFrom
        lda #0
        sta FoundAgain
        rts
}
