// bookname.asm - the name of a file of the book on disk
//
// Provides: BookName, BookLimit, BookVersion
// Uses:     ai/book.asm (BookChosen, Consider), ai/movegen.asm (GenerateLegalMoves), screen.asm (PrintNth, ClearRow, MoveTo),
//           storage.asm (SearchSide), zeropage.asm (zpHashLo)
#importonce

// A sum of addresses that the code in a file relies on.
.label BOOK_VERSION = (GenerateLegalMoves + 3*BookChosen + 5*Consider + 7*BookLimit + 11*PrintNth + 13*ClearRow + 17*MoveTo + 19*SearchSide + 23*zpHashLo) & $FFFF
BookLimit: .byte 3                      // the disk is not asked from this move on
BookName:  .text "BOOK-A"
BookVersion: .word BOOK_VERSION
