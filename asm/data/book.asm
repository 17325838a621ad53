// book.asm - packs the opening book
//
// Provides: BookBytes (the packed tree as a list), BOOK_PLIES
// Uses:     book.txt, constants.asm
//
// The lines of book.txt become a tree of moves. It is written in preorder, two
// bytes a move:
//   from square; BOOK_LEAF: no answers follow; BOOK_LAST: no further move follows
//                in this place
//   to square;   BOOK_NEVER: known as the opponent's, never played
// After a move that is not a leaf come its answers, then the next move of its place.
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

// BookFind - the one of a node's answers that is a move, or -1
.function BookFind(kids, move) {
    .for (var i = 0; i < kids.size(); i++) {
        .if ((BookMoves.get(kids.get(i)) & $FF77) == (move & $FF77)) .return kids.get(i)
    }
    .return -1
}

// BookNode - the answer to a node, added if it is new
.function BookNode(node, move) {
    .var known = BookFind(BookKids.get(node), move)
    .if (known >= 0) .return known
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
        .var byte = BookByte(at)
        .if (byte == ASCII_COMMENT) {
            .while (at < BookText.getSize() && BookByte(at) != ASCII_LINE_END) .eval at++
        } else .if (byte < ASCII_A) {
            .if (byte == ASCII_LINE_END) {  // a line end starts anew
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

// BookPack - the bytes of the answers to a node, and of all below them
.function BookPack(bytes, node) {
    .var kids = BookKids.get(node)
    .for (var i = 0; i < kids.size(); i++) {
        .var kid = kids.get(i)
        .var leaf = BookKids.get(kid).size() == 0 ? BOOK_LEAF : 0
        .var last = i == kids.size()-1 ? BOOK_LAST : 0
        .eval bytes.add(BookMoves.get(kid) >> 8 | leaf | last, BookMoves.get(kid) & $FF)
        .eval BookPack(bytes, kid)
    }
    .return bytes
}

.const BOOK_PLIES = BookRead()
.const BookBytes  = BookPack(List(), 0)
