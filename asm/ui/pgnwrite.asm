// pgnwrite.asm - the game as PGN text
//
// Provides: ComposeGame
// Uses:     record.asm, notation.asm, fenend.asm (RightLetters), panel.asm (LoadMove), disk.asm (TextStart, zpDisk)
#importonce

// ComposeGame - the seven tags, the position if it is not the usual one, the moves; from TextStart to TextEnd
//
// Clobbers: A, X, Y
ComposeGame: {
        lda #<TextStart
        sta TextEnd
        lda #>TextStart
        sta TextEnd+1
        jsr FindResult
        stx result
        ldx #0
        jsr tag
        ldx result
        jsr AppendResult
        ldx #rest-tags
        jsr tag
        lda StartSetUp
        beq usual
        ldx #setUp-tags
        jsr tag
        jsr AppendPosition
        ldx #rest-tags
        jsr tag
usual:  lda #$0D
        jsr Append
        ldx #0
        stx ply+1
        stx column
        lda StartSide                   // plies are counted from White's first
        asl
        txa
        adc #0
        eor #1
        sta ply
        sta odd
next:   lda ply                         // the ply of the record
        sec
        sbc odd
        tay
        lda ply+1
        sbc #0
        tax
        cpx GamePly+1
        bne more
        cpy GamePly
        beq end
more:   stx at+1
        sty at
        lda ply
        lsr
        bcc number                      // White's moves have numbers
        tya
        ora at+1
        bne name                        // ... and the first one of the game
number: jsr AppendMoveNumber
name:   lda at
        ldx at+1
        jsr LoadMove
        jsr SanText
        ldx #0
letter: lda SanBuffer,x
        jsr Append
        inx
        cpx SanLength
        bne letter
        lda #' '
        inc column                      // twelve moves a line
        ldx column
        cpx #12
        bcc after
        ldx #0
        stx column
        lda #$0D
after:  jsr Append
        inc ply
        bne next
        inc ply+1
        bne next                        // always
end:    ldx result
        jsr AppendResult
        lda #$0D
        jmp Append
tag:    lda tags,x                      // a text up to 0
        beq done
        jsr Append
        inx
        bne tag                         // always
done:   rts
ply:    .word 0
at:     .word 0
odd:    .byte 0
column: .byte 0
result: .byte 0
tags:   .text @"[Event \"Tempo Chess\"]\$0d[Site \"Commodore 64\"]\$0d[Date \"????.??.??\"]\$0d[Round \"-\"]\$0d"
        .text @"[White \"White\"]\$0d[Black \"Black\"]\$0d[Result \""
        .byte 0
rest:   .text @"\"]\$0d"
        .byte 0
setUp:  .text @"[SetUp \"1\"]\$0d[FEN \""
        .byte 0
        .errorif * - tags > $100, "the tags have more than a page"
}

// AppendMoveNumber - the number of ComposeGame.ply, with one full stop for White and three for Black
//
// Clobbers: A, X, Y
AppendMoveNumber: {
        lda ComposeGame.ply+1
        lsr
        sta Number+1
        lda ComposeGame.ply
        ror
        sta Number
        ldx #1
        bcc white
        ldx #3
white:  stx dots
        inc Number
        bne small
        inc Number+1
small:  jsr AppendNumber
dot:    lda #'.'
        jsr Append
        dec dots
        bne dot
        lda #' '
        jmp Append
dots:   .byte 0
}

// FindResult - how the game stands
//
// Out:      X = offset in Results
// Clobbers: A
FindResult: {
        ldx GameDrawn
        beq board
        lda endings-1,x
        tax
        rts
board:  ldx #ResultDrawn-Results
        lda GameState
        cmp #GAME_CHECKMATE
        bne notMate
        ldx #ResultWhite-Results
        lda SearchSide                  // White to move is mated
        bpl done
        ldx #ResultBlack-Results
        rts
notMate:
        jsr IsOver
        bcs done
        ldx #ResultOpen-Results
done:   rts
endings:                                // by ENDED_...
        .byte ResultDrawn-Results, ResultWhite-Results, ResultBlack-Results
        .byte ResultWhite-Results, ResultBlack-Results, ResultDrawn-Results
}

// AppendResult - the text at offset X of Results
//
// Clobbers: A, X, Y
AppendResult: {
        lda Results,x
        beq done
        jsr Append
        inx
        bne AppendResult                // always
done:   rts
}
Results:
ResultWhite: .text "1-0"
        .byte 0
ResultBlack: .text "0-1"
        .byte 0
ResultDrawn: .text "1/2-1/2"
        .byte 0
ResultOpen:  .text "*"
        .byte 0

// Append - one byte to the text
//
// In:       A
// Clobbers: Y
Append: {
        ldy TextEnd
        sty zpDisk
        ldy TextEnd+1
        sty zpDisk+1
        ldy #0
        sta (zpDisk),y
        inc TextEnd
        bne done
        inc TextEnd+1
done:   rts
}

// AppendNumber - Number, below 1,000
//
// Clobbers: A, X, Y, Number
AppendNumber: {
        jsr ThreeDigits
        ldx #0
next:   lda Digits,x
        beq blank
        clc
        adc #32                         // a glyph is ASCII less 32
        jsr Append
blank:  inx
        cpx #3
        bne next
        rts
}

// AppendPosition - the position that the game began with, as FEN
//
// Clobbers: A, X, Y
AppendPosition: {
        ldx #0
        stx free
cell:   lda StartBoard,x
        bne piece
        inc free
        bne on                          // always
piece:  pha
        jsr spaces
        pla
        sta code
        and #TYPE_BITS
        tay
        lda TypeLetter,y
        bit code
        bmi white
        ora #%0010_0000
white:  jsr Append
on:     inx
        txa
        and #7
        bne cell
        jsr spaces
        cpx #64
        beq side
        lda #'/'
        jsr Append
        jmp cell
spaces: lda free                        // squares without a piece, if there are any
        beq none
        clc
        adc #'0'
        jsr Append
        lda #0
        sta free
none:   rts
side:   jsr blank
        lda #'w'
        ldx StartSide
        bmi toMove
        lda #'b'
toMove: jsr Append
        jsr blank
        ldx #0
        lda StartRights
        and #RIGHTS
        bne right
        jsr dash
        jmp passed
right:  lsr
        pha
        bcc noRight
        lda RightLetters,x
        jsr Append
noRight:
        inx
        pla
        bne right
passed: jsr blank
        lda StartEp
        bmi noSquare
        and #FILE_BITS
        clc
        adc #'a'
        jsr Append
        lda StartEp
        RankOf('1')
        jsr Append
        jmp clock
noSquare:
        jsr dash
clock:  jsr blank
        lda StartHalfmoves
        sta Number
        lda #0
        sta Number+1
        jsr AppendNumber
        jsr blank
        lda #'1'
        jmp Append
dash:   lda #'-'
        bne put                         // always
blank:  lda #' '
put:    jmp Append
free:   .byte 0
code:   .byte 0
}
