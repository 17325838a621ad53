// openings.asm - the book on disk: 16 files of positions, each with the code that looks one up
//
// Provides: macro BookFile, and a segment with each file
// Uses:     data/openings.txt, main.asm (SPRITES; the program is assembled with it, for its addresses, constants and keys)
//
// ui/bookfile.asm loads the file that has the highest four bits of the position's hash. Positions are found by
// all 24 bits, so the order of the moves that led to one does not matter. A position is:
//   hash, low byte first; number of its opening's name, 0 for none
//   its moves: from square, BOOK_FINAL on the last one; to square
// END_OF_BOOK as a number ends the table; the names follow.
#importonce
.segmentdef TheProgram                  // not written from here
.segment TheProgram
#import "main.asm"
.const BOOK_FINAL  = $80
.const END_OF_BOOK = $FF
.const BOOK_FILES  = 16
.const BOOK_SPACE  = SPRITES - BookOverlay  // the lists of the search
.const ROW_OPENING = 2                  // where the name of the opening is shown
.const MARKS       = %0000_0011         // sprites of the last move

// --- The text: plies kept from the line before, then moves; ? after a move that is only answered, : and the name
// of the opening from there on, with _ for blanks
.const OpeningText = LoadBinary("data/openings.txt")
.const Positions = Hashtable()          // from the hash to a number
.const PositionKeys  = List()
.const PositionNames = List()
.const PositionMoves = List()           // from * 256 + to, one after the other
.const OpeningNames = List().add("")
.const OpeningNumbers = Hashtable()

// HashOf - 24 bits, as the program has them
.function HashOf(board, white, rights, passed) {
    .var short = 0
    .var extra = 0
    .for (var at = 0; at < 128; at++) {
        .var piece = board.get(at)
        .if (piece != EMPTY_PIECE) {
            .var key = KeyIndex(piece & TYPE_BITS)*128 + at + (piece >= WHITE_COLOR ? 0 : 8)
            .eval short = short ^ Keys.get(key)
            .eval extra = extra ^ ExtraKeys.get(key)
        }
    }
    .var state = rights
    .if (passed >= 0) {                 // only if a pawn can take: pins that forbid it are not in the text
        .var row = white ? ROW : -ROW
        .var taker = white ? WHITE_PAWN : BLACK_PAWN
        .for (var side = -1; side <= 1; side += 2) {
            .if (((passed + row + side) & OFF_BOARD) == 0 && board.get(passed + row + side) == taker) .eval state = rights | $80 | ((passed & FILE_BITS) << 4)
        }
    }
    .eval short = short ^ StateKey(Keys, state)
    .eval extra = extra ^ StateKey(ExtraKeys, state)
    .if (!white) {
        .eval short = short ^ SIDE_KEY
        .eval extra = extra ^ SIDE_KEY_EX
    }
    .return extra*65536 + short
}

.function OpeningBoard() {
    .const ranks = List().add(BLACK_ROOK, BLACK_KNIGHT, BLACK_BISHOP, BLACK_QUEEN, BLACK_KING, BLACK_BISHOP, BLACK_KNIGHT, BLACK_ROOK)
    .var board = List()
    .for (var at = 0; at < 128; at++) {
        .var row = at & ROW_BITS
        .var piece = EMPTY_PIECE
        .if ((at & OFF_BOARD) == 0) {
            .if (row == RANK_8) .eval piece = ranks.get(at)
            .if (row == RANK_7) .eval piece = BLACK_PAWN
            .if (row == RANK_2) .eval piece = WHITE_PAWN
            .if (row == RANK_1) .eval piece = ranks.get(at & FILE_BITS) + WHITE_COLOR
        }
        .eval board.add(piece)
    }
    .return board
}

// The castling rights that a move from or to a square ends
.function RightsEnded(at) {
    .if (at == E1) .return RIGHT_WK | RIGHT_WQ
    .if (at == E8) .return RIGHT_BK | RIGHT_BQ
    .if (at == H1) .return RIGHT_WK
    .if (at == A1) .return RIGHT_WQ
    .if (at == H8) .return RIGHT_BK
    .if (at == A8) .return RIGHT_BQ
    .return 0
}

.struct OpeningLine { board, white, rights, passed, name }

.function After(line, from, to, name) {
    .var board = List().addAll(line.board)
    .var piece = board.get(from)
    .var type = piece & TYPE_BITS
    .eval board.set(from, EMPTY_PIECE)
    .eval board.set(to, piece)
    .if (type == PAWN && to == line.passed) .eval board.set(to ^ ROW, EMPTY_PIECE)
    .if (type == KING && to - from == 2) {
        .eval board.set(to - 1, board.get(to + 1))
        .eval board.set(to + 1, EMPTY_PIECE)
    }
    .if (type == KING && from - to == 2) {
        .eval board.set(to + 1, board.get(to - 2))
        .eval board.set(to - 2, EMPTY_PIECE)
    }
    .var rights = line.rights & (RIGHTS ^ (RightsEnded(from) | RightsEnded(to))) & (RIGHTS ^ RightsEnded(to))
    .var passed = type == PAWN && abs(from - to) == 2*ROW ? (from + to)/2 : -1
    .return OpeningLine(board, !line.white, rights, passed, name)
}

// PositionOf - the number of a position, which is new if it has none
.function PositionOf(line) {
    .var hash = HashOf(line.board, line.white, line.rights, line.passed)
    .if (Positions.containsKey("" + hash)) .return Positions.get("" + hash)
    .eval Positions.put("" + hash, PositionKeys.size())
    .eval PositionKeys.add(hash)
    .eval PositionNames.add(line.name)
    .eval PositionMoves.add(List())
    .return PositionKeys.size() - 1
}

// NameOf - the number of a name, which is new if it has none
.function NameOf(letters) {
    .if (letters.size() == 0) .return 0
    .var text = ""
    .for (var i = 0; i < letters.size(); i++) .eval text = text + " " + letters.get(i)
    .if (!OpeningNumbers.containsKey(text)) {
        .eval OpeningNumbers.put(text, OpeningNames.size())
        .eval OpeningNames.add(letters)
    }
    .return OpeningNumbers.get(text)
}

// AddOpening - a move that may be played, once
.function AddOpening(number, move) {
    .var moves = PositionMoves.get(number)
    .for (var i = 0; i < moves.size(); i++) {
        .if (moves.get(i) == move) .return 0
    }
    .eval moves.add(move)
    .return 0
}

.function ReadOpenings() {
    .var path = List().add(OpeningLine(OpeningBoard(), true, RIGHTS, -1, 0))
    .var numbers = List().add(-1)       // of these positions, once they are known
    .var at = 0
    .var ply = 0
    .while (at < OpeningText.getSize()) {
        .var byte = OpeningText.uget(at)
        .if (byte == ASCII_COMMENT) {
            .while (OpeningText.uget(at) != ASCII_LINE_END) .eval at++
        } else .if (byte == ASCII_LINE_END || byte == ASCII_BLANK) {
            .eval at++
        } else .if (byte <= ASCII_9) {  // how much of the line before is kept
            .eval ply = 0
            .while (OpeningText.uget(at) != ASCII_BLANK) {
                .eval ply = 10*ply + OpeningText.uget(at) - ASCII_0
                .eval at++
            }
            .while (path.size() > ply + 1) {
                .eval path.remove(path.size() - 1)
                .eval numbers.remove(numbers.size() - 1)
            }
        } else {
            .var from = TextSquare(at)
            .var to = TextSquare(at + 2)
            .eval at = at + 4
            .var line = path.get(ply)
            .if (numbers.get(ply) < 0) .eval numbers.set(ply, PositionOf(line))
            .if (OpeningText.uget(at) == ASCII_NEVER) {
                .eval at++
            } else {
                .eval AddOpening(numbers.get(ply), from*256 + to)
            }
            .var name = line.name
            .if (OpeningText.uget(at) == ASCII_NAME) {
                .var letters = List()
                .eval at++
                .while (OpeningText.uget(at) > ASCII_BLANK) {
                    .eval letters.add(OpeningText.uget(at) == ASCII_JOIN ? ASCII_BLANK : OpeningText.uget(at))
                    .eval at++
                }
                .eval name = NameOf(letters)
            }
            .eval path.add(After(line, from, to, name))
            .eval numbers.add(-1)
            .eval ply++
        }
    }
    .return PositionKeys.size()
}
.const ASCII_BLANK    = 32
.const ASCII_0        = $30
.const ASCII_9        = $39
.const ASCII_NAME     = $3A             // :
.const ASCII_JOIN     = $5F             // _
.function TextSquare(at) { .return (ASCII_8 - OpeningText.uget(at+1))*ROW + OpeningText.uget(at) - ASCII_A }
.const POSITIONS = ReadOpenings()

// --- The files -----------------------------------------------------------------------
// BookFile - code and positions of a file, at BookOverlay
//
// Out:      as BookMove
.macro BookFile(number) {
        lda BookVersion
        cmp #<BOOK_VERSION
        bne stranger
        lda BookVersion+1
        cmp #>BOOK_VERSION
        beq same
stranger:
        clc
        rts
same:   ldx SearchSide          // the hash, and moves to compare with
        jsr GenerateLegalMoves
        lda #0
        sta zpBookChoice
        lda #<table
        sta zpBookNode
        lda #>table
        sta zpBookNode+1
find:   ldy #3
        lda (zpBookNode),y
        cmp #END_OF_BOOK
        beq miss
        tax
        dey
        lda (zpBookNode),y
        cmp zpHashEx
        bne other
        dey
        lda (zpBookNode),y
        cmp zpHashHi
        bne other
        dey
        lda (zpBookNode),y
        cmp zpHashLo
        beq here
other:  ldy #2                          // on to the next position
skip:   iny
        iny
        lda (zpBookNode),y
        bpl skip
        iny
        iny
        tya
        clc
        adc zpBookNode
        sta zpBookNode
        bcc find
        inc zpBookNode+1
        bcs find                        // always
here:   stx name
        ldy #3
move:   iny
        lda (zpBookNode),y
        and #ON_BOARD
        sta zpBookFrom
        iny
        lda (zpBookNode),y
        sta zpBookTo
        jsr Consider
        dey
        lda (zpBookNode),y
        bmi all
        iny
        bne move                        // always
all:    jsr BookChosen
        bcc miss                        // another position with this hash
        lda FullmoveNumber
        adc #1                          // C = 1: the next move may ask again, and one more
        sta BookLimit
        ldy #ROW_OPENING
        jsr ClearRow
        ldx name
        beq named
        dex
        txa
        pha
        ldx #PANEL+1
        ldy #ROW_OPENING
        jsr MoveTo
        lda #GREEN
        sta Ink
        pla
        tax
        lda #<names
        ldy #>names
        jsr PrintNth
named:  sec
        rts
miss:   ldx FullmoveNumber      // the book is left, until a new game
        inx
        stx BookLimit
        ldy #ROW_OPENING
        jsr ClearRow
        ldx LastFrom
        bmi unmarked
        lda #MARKS                      // they were off with the KERNAL in
        sta VIC_SPRITES
unmarked:
        clc
        rts
name:   .byte 0
table:
    .var used = List()                  // numbers of the names that this file needs
    .for (var p = 0; p < POSITIONS; p++) {
        .var hash = PositionKeys.get(p)
        .var moves = PositionMoves.get(p)
        .if (((hash >> 12) & 15) == number && moves.size() > 0) {
            .var place = 0
            .if (PositionNames.get(p) > 0) {
                .for (var i = 0; i < used.size(); i++) {
                    .if (used.get(i) == PositionNames.get(p)) .eval place = i + 1
                }
                .if (place == 0) {
                    .eval used.add(PositionNames.get(p))
                    .eval place = used.size()
                }
            }
        .byte hash & $FF, (hash >> 8) & $FF, hash >> 16, place
            .for (var i = 0; i < moves.size(); i++) {
        .byte (moves.get(i) >> 8) + (i == moves.size()-1 ? BOOK_FINAL : 0), moves.get(i) & $FF
            }
        }
    }
        .byte 0, 0, 0, END_OF_BOOK
names:
    .for (var i = 0; i < used.size(); i++) {
        .var letters = OpeningNames.get(used.get(i))
        .for (var j = 0; j < letters.size(); j++) .byte letters.get(j) - 32
        .byte TEXT_END
    }
        .errorif * > BookOverlay + BOOK_SPACE, "file " + number + " of the book has " + (* - BookOverlay) + " bytes"
}
.segment BookA [start=BookOverlay]
        BookFile(0)
.segment BookB [start=BookOverlay]
        BookFile(1)
.segment BookC [start=BookOverlay]
        BookFile(2)
.segment BookD [start=BookOverlay]
        BookFile(3)
.segment BookE [start=BookOverlay]
        BookFile(4)
.segment BookF [start=BookOverlay]
        BookFile(5)
.segment BookG [start=BookOverlay]
        BookFile(6)
.segment BookH [start=BookOverlay]
        BookFile(7)
.segment BookI [start=BookOverlay]
        BookFile(8)
.segment BookJ [start=BookOverlay]
        BookFile(9)
.segment BookK [start=BookOverlay]
        BookFile(10)
.segment BookL [start=BookOverlay]
        BookFile(11)
.segment BookM [start=BookOverlay]
        BookFile(12)
.segment BookN [start=BookOverlay]
        BookFile(13)
.segment BookO [start=BookOverlay]
        BookFile(14)
.segment BookP [start=BookOverlay]
        BookFile(15)
.print "Book on disk: " + POSITIONS + " positions"
