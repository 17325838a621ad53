// bookfile.asm - the book on disk, asked where the one in memory has no move
//
// Provides: BookAndFile, BookOverlay, BOOK_LETTER
// Uses:     ai/book.asm (BookMove), disk.asm (EnterKernal), bookload.asm, bookname.asm (BookName, BookLimit), main.asm (NODES)
//
// The book is what openings.asm makes of its text: 16 files by the highest four bits of the hash. A file brings the code that looks the position up,
// and is loaded where the search will have its lists. It looks at BookVersion first, a sum of addresses that it
// relies on, so that it does nothing in a program of another version.
#importonce

.label BookOverlay = NODES
.label K_LOAD      = $FFD5
.label K_STOP_KEY  = $91                // the key that LOAD looks at
.const BOOK_LETTER = 5                  // of the name: which file

// BookAndFile - FindBestMove calls it instead of BookMove while the screen program runs
//
// Out:      as BookMove
// Clobbers: A, X, Y, MoveCount and list, private position, zero page of the KERNAL
BookAndFile: {
        jsr BookMove
        bcs done
        lda FullmoveNumber
        cmp BookLimit
        bcs none
        lda Thinking                    // not on the person's time: no key would be seen
        lsr
        bcc done
        jsr EnterKernal
        bcs there
        jmp BookLoad.failed
there:  lda ZobristHash+1
        lsr
        lsr
        lsr
        lsr
        sta K_STOP_KEY                  // not pressed
        clc
        adc #'A'
        sta BookName+BOOK_LETTER
        lda #BookVersion-BookName
        ldx #<BookName
        ldy #>BookName
        jsr K_SETNAM
        jmp BookLoad
none:   clc
done:   rts
}
