// book.asm - packs the opening book
//
// Provides: BookBytes (the packed tree as a list), BOOK_PLIES
// Uses:     book.txt beside it, constants.asm
//
// The lines of book.txt become a tree of moves. It is written in preorder, two
// bytes a move:
//   from square; BOOK_LEAF: no answers follow; BOOK_LAST: no further move follows
//                in this place
//   to square;   BOOK_NEVER: known as the opponent's, never played
// After a move that is no leaf come its answers, then the next move of its place.
#importonce

.const BOOK_LEAF  = %1000_0000          // bits that a square on the board leaves free
.const BOOK_LAST  = %0000_1000
.const BOOK_NEVER = %1000_0000

.const ASCII_LINE_END = 10              // a character in quotes would be a screen code
.const ASCII_COMMENT  = $23             // #
.const ASCII_8        = $38
.const ASCII_NEVER    = $3F             // ?
.const ASCII_A        = $61

.const BookText  = LoadBinary("book.txt")
.const BookMoves = List().add(0)        // node 0 is the start of a game; a move is from * 256 + to
.const BookKids  = List().add(List())   // nodes that answer a node

// BookSquare - the 0x88 square of a file letter and a rank digit of the text
.function BookSquare(at) {
    .return (ASCII_8 - BookByte(at+1)) * ROW + BookByte(at) - ASCII_A
}
.function BookByte(at) { .return BookText.uget(at) }

// BookNode - the answer to a node, added if it is new
.function BookNode(node, move) {
    .for (var i = 0; i < BookKids.get(node).size(); i++) {
        .if ((BookMoves.get(BookKids.get(node).get(i)) & $FF77) == (move & $FF77)) .return BookKids.get(node).get(i)
    }
    .eval BookMoves.add(move)
    .eval BookKids.add(List())
    .eval BookKids.get(node).add(BookMoves.size()-1)
    .return BookMoves.size()-1
}

// BookRead - the tree of the text; returns the length of the longest line
.function BookRead() {
    .var longest = 0
    .var length = 0
    .var node = 0
    .var at = 0
    .while (at < BookText.getSize()) {
        .if (BookByte(at) == ASCII_COMMENT) {
            .while (at < BookText.getSize() && BookByte(at) != ASCII_LINE_END) .eval at++
        } else .if (BookByte(at) < ASCII_A) {
            .if (BookByte(at) == ASCII_LINE_END) {  // a line end starts anew
                .eval node = 0
                .eval length = 0
            }
            .eval at++
        } else {
            .var never = at+4 < BookText.getSize() && BookByte(at+4) == ASCII_NEVER ? BOOK_NEVER : 0
            .eval node = BookNode(node, BookSquare(at) * 256 + BookSquare(at+2) + never)
            .eval length++
            .eval longest = max(longest, length)
            .eval at = at + 4
        }
    }
    .return longest
}

// BookPack - the bytes of the tree
.function BookPack() {
    .var bytes = List()
    .var path = List().add(0)           // nodes from the start to here
    .var place = List().add(0)          // ... and how many of their answers are written
    .while (path.size() > 0) {
        .var top = path.size()-1
        .var kids = BookKids.get(path.get(top))
        .if (place.get(top) == kids.size()) {
            .eval path.remove(top)
            .eval place.remove(top)
        } else {
            .var kid = kids.get(place.get(top))
            .eval place.set(top, place.get(top)+1)
            .var leaf = BookKids.get(kid).size() == 0 ? BOOK_LEAF : 0
            .var last = place.get(top) == kids.size() ? BOOK_LAST : 0
            .eval bytes.add(BookMoves.get(kid) >> 8 | leaf | last)
            .eval bytes.add(BookMoves.get(kid) & $FF)
            .eval path.add(kid)
            .eval place.add(0)
        }
    }
    .return bytes
}

.const BOOK_PLIES = BookRead()
.const BookBytes  = BookPack()
