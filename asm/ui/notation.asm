// notation.asm - moves as people write them
//
// Provides: DescribeMove, SanText, ReadMove, IsPromotion; macro RankOf
// Uses:     constants.asm, storage.asm (Board88, the legal moves in the move list)
//
// A move of the record is three bytes: from, to with its flags, and what else its name
// needs (SanInfo), so that it can be written without the position it was made in.
#importonce

.const INFO_TAKES = %0000_1000          // bits 0-2: type of the piece
.const INFO_CHECK = %0001_0000
.const INFO_MATE  = %0010_0000
.const INFO_FILE  = %0100_0000          // the file, the rank tells it from another piece
.const INFO_RANK  = %1000_0000
.const SAN_LENGTH = 10
.const TYPED_LENGTH = 10

SanFrom:    .byte 0
SanTo:      .byte 0
SanInfo:    .byte 0
SanPlain:   .byte 0                     // not 0: without x = - + #
SanLength:  .byte 0
SanBuffer:  .fill SAN_LENGTH, 0
TypedLength: .byte 0
TypedText:  .fill TYPED_LENGTH+1, 0
TypeLetter: .byte 'P', 'B', 'R', 'Q', 'N', '?', '?', 'K'

// RankOf - A = square: A = its rank as a character, `one` being that of rank 1
.macro RankOf(one) {
        and #ROW_BITS
        lsr
        lsr
        lsr
        lsr
        eor #7                          // row 0 is rank 8
        clc
        adc #one
}

// IsPromotion - does a pawn reach its last row?
//
// In:       SanFrom, SanTo, the position before the move
// Out:      C = 1 yes
// Clobbers: A, X
IsPromotion: {
        ldx SanFrom
        lda Board88,x
        and #TYPE_BITS
        bne no
        lda SanTo
        and #ROW_BITS
        beq yes
        cmp #RANK_1
        beq yes
no:     clc
        rts
yes:    sec
        rts
}

// DescribeMove - what the name of a legal move needs
//
// In:       SanFrom, SanTo, the position before it, its legal moves in the list
// Out:      SanInfo, without check and mate
// Clobbers: A, X, Y
DescribeMove: {
        ldx SanFrom
        lda Board88,x
        sta piece
        and #TYPE_BITS
        sta SanInfo
        lda SanTo
        and #ON_BOARD
        sta target
        tay
        lda Board88,y
        bne takes
        lda SanInfo                     // a pawn that changes its file takes en passant
        bne others
        tya
        eor SanFrom
        and #FILE_BITS
        beq done
takes:  lda SanInfo
        ora #INFO_TAKES
        sta SanInfo
others: lda SanInfo
        and #TYPE_BITS
        beq done                        // a pawn that takes always names its file
        cmp #KING
        beq done
        lda #0
        sta rivals
        ldx MoveCount
next:   cpx #0
        beq decide
        dex
        lda MoveListTo,x
        and #ON_BOARD
        cmp target
        bne next
        ldy MoveListFrom,x
        cpy SanFrom
        beq next
        lda Board88,y
        cmp piece
        bne next
        tya
        eor SanFrom
        tay
        and #ROW_BITS
        bne otherRank
        lda #%10                        // a rival on the same rank
        ora rivals
        sta rivals
otherRank:
        tya
        and #FILE_BITS
        bne otherFile
        lda #%01                        // ... on the same file
        ora rivals
        sta rivals
otherFile:
        lda rivals
        ora #%100
        sta rivals
        bne next
decide: ldy rivals
        lda marks,y
        ora SanInfo
        sta SanInfo
done:   rts
piece:  .byte 0
target: .byte 0
rivals: .byte 0
marks:  .byte 0, 0, 0, 0, INFO_FILE, INFO_RANK, INFO_FILE, INFO_FILE | INFO_RANK
}

// SanText - the name of a move, as ASCII
//
// In:       SanFrom, SanTo, SanInfo, SanPlain
// Out:      SanBuffer, SanLength
// Clobbers: A, X, Y
SanText: {
        lda #0
        sta SanLength
        lda SanInfo
        and #TYPE_BITS
        tax
        beq pawn
        cpx #KING
        bne piece
        lda SanTo                       // two files at once: castling
        and #ON_BOARD
        sec
        sbc SanFrom
        cmp #2
        beq short
        cmp #-2
        bne piece
        jsr castle
        lda #'-'
        jsr mark
        lda #'O'
        jsr letter
        jmp suffix
short:  jsr castle
        jmp suffix
castle: lda #'O'
        jsr letter
        lda #'-'
        jsr mark
        lda #'O'
        jmp letter

pawn:   lda SanInfo
        and #INFO_TAKES
        beq goal
        jsr file
        jmp cross
piece:  lda TypeLetter,x
        jsr letter
        bit SanInfo                     // N: rank, V: file
        bvc noFile
        jsr file
noFile: bit SanInfo
        bpl noRank
        lda SanFrom
        jsr rank
noRank: lda SanInfo
        and #INFO_TAKES
        beq goal
cross:  lda #'x'
        jsr mark
goal:   lda SanTo
        jsr fileOf
        lda SanTo
        jsr rank
        lda SanInfo
        and #TYPE_BITS
        bne suffix
        lda SanTo
        and #ROW_BITS
        beq promotes
        cmp #RANK_1
        bne suffix
promotes:
        lda #'='
        jsr mark
        ldx #'Q'
        lda SanTo
        and #PROMOTE_KNIGHT | PROMOTE_MINOR
        beq named
        ldx #'R'
        cmp #PROMOTE_MINOR
        beq named
        ldx #'N'
        cmp #PROMOTE_KNIGHT
        beq named
        ldx #'B'
named:  txa
        jsr letter
suffix: lda SanInfo
        and #INFO_MATE
        beq noMate
        lda #'#'
        jmp mark
noMate: lda SanInfo
        and #INFO_CHECK
        beq done
        lda #'+'
mark:   ldy SanPlain
        bne done
letter: ldy SanLength
        sta SanBuffer,y
        inc SanLength
done:   rts
file:   lda SanFrom
fileOf: and #FILE_BITS
        clc
        adc #'a'
        bne letter
rank:   RankOf('1')
        bne letter
}

// ReadMove - find the legal move that TypedText means
//
// In:       TypedText, TypedLength: Nf3, e2e4, exd5, O-O, e8=N; the legal moves in the list
// Out:      C = 1: SanFrom, SanTo. C = 0: A = 0 there is no such move, 1 there are several
// Clobbers: A, X, Y, TypedText
ReadMove: {
        lda #0
        sta NeedsPiece
        jsr strip
        lda #0
        sta loose
        jsr try
        bcs found
        bne found
        inc loose                       // now b may mean the bishop, and capitals files
        jsr try
        bcs found
        bne found
        jmp ReadSquares
found:  rts

try:    lda #0
        sta hits
        lda #1
        sta SanPlain
        ldx MoveCount
next:   cpx #0
        beq counted
        dex
        stx index
        lda MoveListFrom,x
        sta SanFrom
        lda MoveListTo,x
        sta SanTo
        jsr DescribeMove
again:  jsr SanText
        jsr compare
        bcc other
        lda SanFrom
        sta hitFrom
        lda SanTo
        sta hitTo
        inc hits
other:  jsr IsPromotion
        bcc plain
        lda SanTo                       // a player may choose a rook or a bishop, too
        eor #PROMOTE_MINOR
        sta SanTo
        and #PROMOTE_MINOR
        bne again
plain:  ldx index
        jmp next
counted:
        stx SanPlain                    // X = 0
        lda hitFrom
        sta SanFrom
        lda hitTo
        sta SanTo
        lda hits
        beq none
        cmp #1
        beq one
        lda #1
none:   clc
        rts
one:    sec
        rts

compare:                                // C = 1: TypedText is SanBuffer
        ldy TypedLength
        cpy SanLength
        bne differs
character:
        dey
        bmi same
        lda TypedText,y
        cmp SanBuffer,y
        beq character
        sta typed
        lda SanBuffer,y
        eor typed
        cmp #%0010_0000                 // the same letter, small or capital?
        bne differs
        lda SanBuffer,y
        and #%1101_1111
        cmp #'B'
        bne character
        lda loose
        bne character
differs:
        clc
        rts
same:   sec
        rts

strip:  ldx #0                          // drop punctuation and x, turn 0 into a capital O
        ldy #0
each:   cpx TypedLength
        beq ended
        lda TypedText,x
        inx
        cmp #'0'
        bne notZero
        lda #'O'
notZero:
        cmp #'1'
        bcc each
        cmp #'8'+1
        bcc keep
        cmp #'A'
        bcc each
        cmp #'x'
        beq each
keep:   sta TypedText,y
        iny
        bne each
ended:  sty TypedLength
        rts
loose:  .byte 0
hits:   .byte 0
hitFrom: .byte 0
hitTo:  .byte 0
index:  .byte 0
typed:  .byte 0
}

// ReadSquares - the legal move from one square to another, with a piece to promote to
//
// In:       TypedText without signs, TypedLength
// Out:      as ReadMove; NeedsPiece, if a promotion names no piece
// Clobbers: A, X, Y
ReadSquares: {
        lda TypedLength
        cmp #4
        bcc none
        cmp #6
        bcs none
        ldx #0
        jsr square
        bcs none
        sta SanFrom
        ldx #2
        jsr square
        bcs none
        sta SanTo
        ldx MoveCount
next:   cpx #0
        beq none
        dex
        lda MoveListFrom,x
        cmp SanFrom
        bne next
        lda MoveListTo,x
        cmp SanTo
        bne next
        jsr IsPromotion
        bcc legal
        lda TypedLength
        cmp #5
        bne ask
        lda TypedText+4
        and #%1101_1111
        ldx #3
piece:  cmp letters,x
        beq chosen
        dex
        bpl piece
none:   lda #0
        clc
        rts
ask:    inc NeedsPiece
        bne legal
chosen: lda SanTo
        ora flags,x
        sta SanTo
legal:  sec
        rts
square: lda TypedText+1,x               // C = 0: A = the square at TypedText,x
        sec
        sbc #'1'
        cmp #8
        bcs bad
        eor #7
        asl
        asl
        asl
        asl
        sta row
        lda TypedText,x
        ora #%0010_0000
        sec
        sbc #'a'
        cmp #8
        bcs bad
        ora row
        clc
bad:    rts
row:    .byte 0
letters: .byte 'Q', 'R', 'B', 'N'
flags:  .byte 0, PROMOTE_MINOR, PROMOTE_MINOR | PROMOTE_KNIGHT, PROMOTE_KNIGHT
}
NeedsPiece: .byte 0                     // not 0: ReadMove found a promotion that names no piece
