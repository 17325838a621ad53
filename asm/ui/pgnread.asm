// pgnread.asm - a game read from PGN text
//
// Provides: TakeText, PlayText; WRONG_..., WrongMove, WrongPly, Skipped
// Uses:     record.asm, ending.asm (EndAsRecorded), notation.asm (ReadMove), play.asm (Begun, Changed, HostCommand), fen.asm (ReadFen),
//           disk.asm (TextStart, TextEnd, zpDisk)
#importonce

// TakeText - play the moves of the text and show the game; the old one stays if not all of it could be read
//
// Clobbers: A, X, Y, the transposition table
TakeText: {
        jsr SwapGame
        jsr PlayText
        lda WrongMove
        beq fine
        lda GamePly
        sta WrongPly
        lda GamePly+1
        sta WrongPly+1
        jsr SwapGame
        jsr Replay
        jsr Judge
        jsr FindLast
        jsr ClearTable
        jsr Changed
        ldx #SOUND_WRONG
        jsr PlaySound
        lda #<wrong
        ldy #>wrong
        jsr Message
        lda WrongPly+1                  // moves are counted from 1, two plies each
        lsr
        sta Number+1
        lda WrongPly
        ror
        sta Number
        inc Number
        bne low
        inc Number+1
low:    jsr ThreeDigits
        ldx #0
digit:  lda Digits,x
        jsr PutChar
        inx
        cpx #3
        bne digit
        rts
fine:   jsr ClearTable
        jsr EndAsRecorded
        jsr Begun
        lda Skipped
        beq done
        lda #<notAll
        ldy #>notAll
        jmp Message
done:   rts
wrong:  Text("Bad: move")
notAll: Text("Lines skipped")
}
.label WRONG_NONE = 1                   // no such move
.label WRONG_MANY = 2                   // more than one
.label WRONG_PIECE = 3                  // a promotion without its piece
.label WRONG_FULL = 4                   // the record is full
.label WRONG_TAG  = 5                   // a position that cannot be played
.label WRONG_END  = 6                   // the text ends in a comment, a tag or a variation
WrongMove: .byte 0                      // why the text could not be read, or 0
WrongPly:  .word 0                      // moves that were read before it
Skipped:   .byte 0                      // variations that were left out

// SwapGame - the record goes where the search has its lists, and what was there becomes the record
//
// Clobbers: A, X, Y
SwapGame: {
        .label KEPT = Killer1From       // after the bytes that MakeMove uses
        lda #0
        sta zpPtrA
        sta zpPtrB
        lda #>NODES
        sta zpPtrB+1
        lda #>GameFrom
        ldx #>2*(GameTo - GameFrom)
        jsr pages
        lda #<GameInfo
        sta zpPtrA
        lda #>GameInfo
        ldx #>(GameTo - GameFrom)
        jsr pages
        ldx #63
cell:   ldy StartBoard,x
        lda KEPT,x
        sta StartBoard,x
        tya
        sta KEPT,x
        dex
        bpl cell
        ldx #GameEnd-GamePly-1
state:  ldy GamePly,x
        lda KEPT+64,x
        sta GamePly,x
        tya
        sta KEPT+64,x
        dex
        bpl state
        rts
pages:  sta zpPtrA+1
        ldy #0
next:   lda (zpPtrA),y
        pha
        lda (zpPtrB),y
        sta (zpPtrA),y
        pla
        sta (zpPtrB),y
        iny
        bne next
        inc zpPtrA+1
        inc zpPtrB+1
        dex
        bne next
        rts
        .errorif (<GameFrom) != 0 || (<NODES) != 0, "page alignment"
        .errorif NODES + 3*(GameTo - GameFrom) > PlyHashEx || KEPT + 64 + GameEnd - GamePly > $C000, "no room for the record"
}

// PlayText - begin a game, from the public position if the host says so, and play the moves of the text
//
// Comments, numbers of moves and of annotations are passed over, and so are variations.
//
// Out:      WrongMove, Skipped
// Clobbers: A, X, Y
PlayText: {
        lda HostCommand
        cmp #HOST_SETUP
        bne usual
        jsr BeginSetUp
        jmp begun
usual:  jsr BeginGame
begun:  lda #0
        sta WrongMove
        sta Skipped
        sta depth
        lda #<TextStart
        sta at
        lda #>TextStart
        sta at+1
token:  jsr take
        bcs end
again:  cmp #'!'
        bcc token
        ldy #0
        sty TypedLength
        jsr IsSign
        bne letter
        tya                             // Y = number of the sign
        beq open
        dey
        beq close
        dey
        beq tag
        dey
        beq comment
        dey
        beq line
        jmp token                       // $: its number is passed over as one of a move; ] and } alone
end:    lda depth
        beq fine
unended:
        lda #WRONG_END
bad:    sta WrongMove
fine:   rts
open:   inc depth
        inc Skipped
        bne token                       // always
close:  lda depth
        beq token
        dec depth
        jmp token
tag:    jsr take
        bcs unended
        cmp #'F'                        // FEN: not the usual start
        bne value
        lda HostCommand                 // a host that has set it up has read the tag
        bne value
        jsr ReadFen
        bcs tagEnds
        lda #WRONG_TAG
        bne bad                         // always
tagEnds:
        ldx #']'
        bne until                       // always
value:  ldx #'"'                        // a ] in quotes does not end it
        jsr find
        bcs unended
        jsr find
        bcs unended
        ldx #']'
        bne until                       // always
comment:
        ldx #BRACE
until:  jsr find
        bcs unended
skip:   jmp token
line:   jsr take
        bcs end
        cmp #' '
        bcs line
        bcc skip                        // always
letter: ldx TypedLength                 // a word: up to a blank or a sign
        cmp #'.'                        // ... and a number ends with its full stop
        beq skip
        cpx #TYPED_LENGTH
        bcs long
        sta TypedText,x
        inc TypedLength
long:   jsr take
        bcs last
        cmp #'!'
        bcc last
        jsr IsSign
        bne letter
last:   php
        pha
        jsr move
        pla
        plp
        ldx WrongMove
        bne fine
        bcs last2
        jmp again
last2:  jmp end
move:   lda depth
        bne passed
        lda TypedText
        cmp #'0'
        bcc passed                      // *, ! or ?
        bne notZero
        lda TypedText+2                 // 0-1, or castling
        cmp #'1'
        bne legal
        ldy #ENDED_RESIGNED+1
        bne result                      // always
notZero:
        cmp #'9'+1
        bcs legal
        ldy #ENDED_AGREED
        ldx TypedText+1
        cpx #'/'
        beq result
        ldy #ENDED_RESIGNED
        cpx #'-'
        bne passed                      // a number
result: sty GameResult
passed: rts
legal:  jsr ReadMove
        bcs found
        adc #WRONG_NONE                 // A = 0 or 1: none, several
        tax
        bne which                       // always
found:  ldx #WRONG_PIECE
        lda NeedsPiece
        bne which
        jsr PlayMove
        bcs passed
        ldx #WRONG_FULL
which:  stx WrongMove
        rts
find:   jsr take                        // X = a character: moves past the next one. C = 1: there is none
        bcs found1
        stx sought
        cmp sought
        bne find
        clc
found1: rts
take:   lda at                          // C = 1: the end; else A = the next character
        cmp TextEnd
        bne there
        lda at+1
        cmp TextEnd+1
        bne there
        sec
        rts
there:  lda at
        sta zpDisk
        lda at+1
        sta zpDisk+1
        ldy #0
        lda (zpDisk),y
        inc at
        bne taken
        inc at+1
taken:  clc
        rts
at:     .word 0
depth:  .byte 0                         // of variations
sought: .byte 0
}

// IsSign - does a character end a word of PGN?
//
// In:       A
// Out:      Z = 1 yes: Y = its number, 0 to 5 for ( ) [ { ; $. C = 0. A is kept
IsSign: {
        ldy #signsEnd-signs-1
next:   cmp signs,y
        beq found
        dey
        bpl next
found:  clc
        rts                             // Z = 0 at the end: Y is negative
signs:  .text "()[{;$]}"
signsEnd:
}
