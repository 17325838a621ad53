// book.asm - moves of the opening book
//
// Provides: BookMove, BookChosen, Consider
// Uses:     data/book.asm (the packed tree), storage.asm, movegen.asm, zeropage.asm
//
// The tree knows moves, not positions. BookMove walks all of it as deep as the
// game has gone, with its own board, and looks for the public position:
// a line that leads there by another order of moves is found as well. The board
// and the stack of the walk are in the move list, which every search fills anew.
//
// The book is in the RAM below the I/O chips.
#importonce

.label zpBookNode   = zpPtrA            // the node read next; call
.label zpBookPly    = zpCount           // moves made on the board
.label zpBookTarget = zpBits            // moves of the game so far
.label zpBookFrom   = zpHit             // the node just read
.label zpBookTo     = zpIndex
.label zpBookHere   = zpTarget          // not 0: the board is the public one
.label zpBookChoice = zpWalk            // moves to choose from so far
.label zpBookOpen   = zpScan            // places still open while answers are skipped
.label zpBookTemp   = zpTemp

.label BookBoard    = MoveListFrom      // 128 squares
.const BOOK_DEEPEST = 32                // room for a line
.label BookPathFrom = MoveListTo        // the moves made on the board
.label BookPathTo   = MoveListTo + BOOK_DEEPEST
.label BookTaken    = MoveListTo + 2*BOOK_DEEPEST
        .errorif BOOK_PLIES > BOOK_DEEPEST, "a line of the book has " + BOOK_PLIES + " plies"

// BookMove - a move of the book for the public position
//
// In:       the public position, SearchSide to move, BookSeed
// Out:      C = 1: BestMoveFrom and BestMoveTo, legal. C = 0: the book has none,
//           BestMoveFrom and BestMoveTo are not to be used
// Clobbers: A, X, Y, MoveCount and list, private position
// Cycles:   87,996 the start of a game
BookMove: {
        lda FullmoveNumber+1
        bne none
        lda FullmoveNumber
        beq none
        cmp #BOOK_DEEPEST/2
        bcs none
        asl                     // C = 0
        sbc #0                  // 2 * (number - 1) + 1
        ldx SearchSide
        beq black
        sec
        sbc #1
black:  cmp #BOOK_PLIES
        bcc walk
none:   clc
        rts
walk:   sta zpBookTarget
        jsr SetBookBoard
        lda #<BookBegin
        sta zpBookNode
        lda #>BookBegin
        sta zpBookNode+1
        lda #0
        sta zpBookPly
        sta zpBookChoice
        jsr CompareBoard
next:   jsr ReadNode
        lda zpBookPly
        cmp zpBookTarget
        beq reached
        lda zpBookFrom
        bmi behind              // a leaf: the line ends before the game is there
        jsr MakeBookMove
        jsr CompareBoard
        jmp next
reached:
        lda zpBookHere
        beq skip
        lda zpBookTo
        bmi skip                // one of the opponent's
        jsr Consider
skip:   lda zpBookFrom
        bmi behind              // no answers to skip
        pha                     // the flag of this node counts afterwards
        lda #1
        sta zpBookOpen
skipping:
        jsr ReadNode
        lda zpBookFrom
        bmi leaf
        inc zpBookOpen          // its answers are one place more
leaf:   and #BOOK_LAST
        beq skipping
        dec zpBookOpen
        bne skipping
        pla
        sta zpBookFrom
behind: lda zpBookFrom
        and #BOOK_LAST
        beq next
        ldx zpBookPly           // the last move of this place: back to the one before
        beq walked
        jsr UnmakeBookMove      // zpBookFrom is that move again
        jmp behind
walked: lda zpBookChoice
        beq none
@BookChosen:                            // for the book on disk
        ldx SearchSide          // never outside the legal moves
        jsr GenerateLegalMoves
        tax
        beq none
compare:
        dex
        lda MoveListFrom,x
        cmp BestMoveFrom
        bne other
        lda MoveListTo,x
        cmp BestMoveTo
        beq legal               // C = 1
other:  txa
        bne compare
        clc
legal:  rts
}

// ReadNode - the node at zpBookNode, which goes on to the next
//
// Out:      zpBookFrom, zpBookTo with their flags
// Clobbers: A, X, Y
// Cycles:   59 the first node
ReadNode: {
        php
        sei
        ldx CPU_PORT
        lda #ALL_RAM
        sta CPU_PORT
        ldy #0
        lda (zpBookNode),y
        sta zpBookFrom
        iny
        lda (zpBookNode),y
        sta zpBookTo
        stx CPU_PORT
        plp
        lda zpBookNode
        clc
        adc #2
        sta zpBookNode
        bcc done
        inc zpBookNode+1
done:   rts
}

// Consider - a move that could be played: the n-th replaces the choice once in n times
//
// In:       zpBookFrom, zpBookTo, BookSeed
// Out:      BestMoveFrom, BestMoveTo, zpBookChoice, BookSeed
// Clobbers: A
// Cycles:   1,160 the only move so far
Consider: {
        inc zpBookChoice
        lda BookSeed            // the next number of a register of eight bits
        lsr
        bcc shifted
        eor #%1011_1000
shifted:
        bne stirred
        lda #%1011_1000         // 0 would never change
stirred:
        sta BookSeed
        sec
divide: sbc zpBookChoice
        bcs divide
        adc zpBookChoice        // the remainder
        bne done
        lda zpBookFrom
        and #ON_BOARD
        sta BestMoveFrom
        lda zpBookTo
        sta BestMoveTo
done:   rts
}

// MakeBookMove - the node's move on the book's board. Castling moves the rook as
// well; a test sees to it that the book has neither en passant nor promotion.
//
// Clobbers: A, X, Y
// Cycles:   105 a pawn
MakeBookMove: {
        ldx zpBookPly
        lda zpBookFrom
        sta BookPathFrom,x      // with its flags
        and #ON_BOARD
        tay
        lda BookBoard,y
        pha
        lda #EMPTY_PIECE
        sta BookBoard,y
        lda zpBookTo
        and #ON_BOARD
        sta BookPathTo,x
        tay
        lda BookBoard,y
        sta BookTaken,x
        pla
        sta BookBoard,y
        inc zpBookPly
        jsr RookOfCastling
        bcc done
        lda BookBoard,y         // from the corner to the king's other side
        sta BookBoard,x
        lda #EMPTY_PIECE
        sta BookBoard,y
done:   rts
}

// UnmakeBookMove - takes the last move back
//
// Out:      zpBookFrom = its from byte with the flags
// Clobbers: A, X, Y
// Cycles:   89 a pawn
UnmakeBookMove: {
        jsr RookOfCastling
        bcc plain
        lda BookBoard,x
        sta BookBoard,y
        lda #EMPTY_PIECE
        sta BookBoard,x
plain:  dec zpBookPly
        ldx zpBookPly
        ldy BookPathTo,x
        lda BookBoard,y
        pha
        lda BookTaken,x
        sta BookBoard,y
        lda BookPathFrom,x
        sta zpBookFrom
        and #ON_BOARD
        tay
        pla
        sta BookBoard,y
        rts
}

// RookOfCastling - did the last move on the board castle?
//
// Out:      C = 1: Y = the rook's corner, X = its square after castling
// Clobbers: A, X, Y
// Cycles:   26 a pawn
RookOfCastling: {
        ldx zpBookPly
        ldy BookPathTo-1,x
        lda BookBoard,y
        and #TYPE_BITS
        cmp #KING
        bne no
        lda BookPathFrom-1,x
        and #ON_BOARD
        sec
        sbc BookPathTo-1,x
        cmp #2
        beq queenSide
        cmp #<-2
        bne no
        iny                     // the corner h, the square f
        tya
        tax
        dex
        dex
        sec
        rts
queenSide:
        tya                     // the square d, the corner a
        tax
        inx
        dey
        dey
        sec
        rts
no:     clc
        rts
}

// CompareBoard - is the game here? Looked at only when the line is as long as the game
//
// Out:      zpBookHere
// Clobbers: A, X
// Cycles:   2,106 equal boards
CompareBoard: {
        lda #0
        sta zpBookHere
        lda zpBookPly
        cmp zpBookTarget
        bne done
        ldx #ON_BOARD
next:   lda BookBoard,x
        cmp Board88,x
        bne done
step:   dex
        bmi equal
        txa
        and #OFF_BOARD
        bne step
        beq next
equal:  inc zpBookHere
done:   rts
}

// SetBookBoard - the start of a game on the book's board
//
// Clobbers: A, X
// Cycles:   1,490
SetBookBoard: {
        ldx #ON_BOARD
        lda #EMPTY_PIECE
clear:  sta BookBoard,x
        dex
        bpl clear
        ldx #7
place:  lda backRank,x
        sta BookBoard+RANK_8,x
        ora #WHITE_COLOR
        sta BookBoard+RANK_1,x
        lda #BLACK_PAWN
        sta BookBoard+RANK_7,x
        lda #WHITE_PAWN
        sta BookBoard+RANK_2,x
        dex
        bpl place
        rts
backRank:
        .byte BLACK_ROOK, BLACK_KNIGHT, BLACK_BISHOP, BLACK_QUEEN, BLACK_KING, BLACK_BISHOP, BLACK_KNIGHT, BLACK_ROOK
}
