// disk.asm - games on disk, as PGN text
//
// Provides: DoSave, DoLoad, TakeText
// Uses:     record.asm, notation.asm, play.asm (Begun, Changed, HostCommand), the KERNAL in ROM
//
// The text is made in, or read into, the RAM of the transposition table below the KERNAL; the
// KERNAL is switched in for its calls only, with every source of interrupts off.
#importonce

.const KERNAL_IO   = $36                // RAM, I/O, KERNAL
.const PAGES_MOST  = 18                 // 4.5 KB of text
.label TextStart   = TRANSPOSITIONS
.label TextLimit   = TRANSPOSITIONS + PAGES_MOST*$100
        .errorif TextLimit > TablePage(0, T_DEPTH), "a new game would erase a part of the text"
.label zpDisk      = $FB                // a pointer that the KERNAL leaves alone
.const DEVICE      = 8
.const FILE        = 2
.const BRACE       = 125                // the one that ends a comment of PGN
.const COMMANDS    = 15                 // the drive's channel for commands and its status; also its file number
.label K_SETLFS = $FFBA
.label K_SETNAM = $FFBD
.label K_OPEN   = $FFC0
.label K_CLOSE  = $FFC3
.label K_CHKIN  = $FFC6
.label K_CHKOUT = $FFC9
.label K_CLRCHN = $FFCC
.label K_CHRIN  = $FFCF
.label K_CHROUT = $FFD2
.label K_READST = $FFB7
.label K_RESTOR = $FF8A

TextEnd: .word 0

// EnterKernal - switch it in
//
// Out:      C = 1: it is there
// Clobbers: A, X, Y
EnterKernal: {
        sei
        lda #0
        sta VIC_IRQ_MASK
        sta VIC_SPRITES                 // sprites would stretch the bits on the serial bus
        lda #KERNAL_IO
        sta CPU_PORT
        lda K_CHROUT                    // a jump, if a KERNAL is there
        cmp #$6C
        beq there
        cmp #$4C
        clc
        bne done
there:  lda #0
        sta $90                         // status
        sta $94                         // no byte waits for the bus
        sta $98                         // no open file
        sta $9D                         // no messages
        jsr K_RESTOR
        jsr K_CLRCHN
        sec
done:   rts
}

// LeaveKernal - switch it out
//
// Clobbers: A
LeaveKernal: {
        lda #ALL_RAM_IO
        sta CPU_PORT
        lda #1
        sta VIC_IRQ
        sta VIC_IRQ_MASK
        cli
        rts
}

// OpenCommands - the drive's command channel; the name is the command
//
// Out:      C = 1: failed
// Clobbers: A, X, Y
OpenCommands: {
        lda #COMMANDS
        ldx #DEVICE
        tay
        jsr K_SETLFS
        jmp K_OPEN
}

// OpenGame - the file GAME
//
// In:       A, X, Y = length and address of its name with type and mode
// Out:      C = 0 open
// Clobbers: A, X, Y
OpenGame: {
        jsr K_SETNAM
        lda #FILE
        ldx #DEVICE
        ldy #FILE
        jsr K_SETLFS
        jmp K_OPEN
}

// DoSave - write the game to disk
//
// Clobbers: A, X, Y, the transposition table
DoSave: {
        lda #<busy
        ldy #>busy
        jsr Message
        jsr ComposeGame
        jsr EnterKernal
        bcs kernal
        jmp NoKernal
kernal:
        lda #scratchEnd-scratch         // delete an older game of that name
        ldx #<scratch
        ldy #>scratch
        jsr K_SETNAM
        jsr OpenCommands
        bcs failed
        lda #COMMANDS
        jsr K_CLOSE
        lda #writeEnd-write
        ldx #<write
        ldy #>write
        jsr OpenGame
        bcs failed
        ldx #FILE
        jsr K_CHKOUT
        bcs failed
        lda #<TextStart
        sta zpDisk
        lda #>TextStart
        sta zpDisk+1
next:   lda zpDisk
        cmp TextEnd
        bne more
        lda zpDisk+1
        cmp TextEnd+1
        beq done
more:   lda #ALL_RAM_IO
        sta CPU_PORT
        ldy #0
        lda (zpDisk),y
        ldx #KERNAL_IO
        stx CPU_PORT
        jsr K_CHROUT
        inc zpDisk
        bne next
        inc zpDisk+1
        bne next
done:   jsr CloseGame
        jsr DriveStatus
        bcs failed
        jsr AfterDisk
        lda #<saved
        ldy #>saved
        jmp Message
failed: jmp DiskFailed
busy:   Text("Saving")
saved:  Text("Saved as GAME")
scratch: .text "S0:GAME"
scratchEnd:
write:  .text "0:GAME,S,W"
writeEnd:
}
// NoKernal, DiskFailed - say so, and go on with the game
//
// Clobbers: A, X, Y
NoKernal: {
        jsr AfterDisk
        lda #<text
        ldy #>text
        jmp Message
text:   Text("No KERNAL")
}
DiskFailed: {
        jsr CloseGame
        jsr AfterDisk
        lda #<text
        ldy #>text
        jsr Message
        ldx #SOUND_WRONG
        jmp PlaySound
text:   Text("Disk error")
}
CloseGame: {
        jsr K_CLRCHN
        lda #FILE
        jmp K_CLOSE
}

// DriveStatus - what the drive says of the last command
//
// Out:      C = 0 fine; C = 1 an error, or no drive
// Clobbers: A, X, Y
DriveStatus: {
        lda #0
        jsr K_SETNAM
        jsr OpenCommands
        bcs bad
        ldx #COMMANDS
        jsr K_CHKIN
        bcs close
        jsr K_CHRIN                     // 00, 01 and below 20: fine
        pha
        jsr K_CLRCHN
        lda #COMMANDS
        jsr K_CLOSE
        pla
        cmp #'2'                        // C = 1: 20 and more
        rts
close:  jsr K_CLRCHN
        lda #COMMANDS
        jsr K_CLOSE
bad:    sec
        rts
}

// AfterDisk - switch the KERNAL out, and rebuild what was overwritten
//
// Clobbers: A, X, Y
AfterDisk: {
        jsr LeaveKernal
        jsr ClearTable
        ldx SearchSide                  // zero page and the move list are no longer valid
        jsr GenerateLegalMoves
        jmp ShowMarks
}

// --- Writing -----------------------------------------------------------------------------
// ComposeGame - the game as PGN, from TextStart to TextEnd
//
// Clobbers: A, X, Y
ComposeGame: {
        lda #<TextStart
        sta TextEnd
        lda #>TextStart
        sta TextEnd+1
        ldx #0
header: lda tags,x
        beq moves
        jsr Append
        inx
        bne header
moves:  lda #0
        sta ply
        sta ply+1
        sta column
next:   lda ply
        cmp GamePly
        bne more
        lda ply+1
        cmp GamePly+1
        beq end
more:   lda ply                         // White's moves have numbers
        and #1
        bne name
        lda ply+1
        lsr
        sta Number+1
        lda ply
        ror
        sta Number
        inc Number
        bne small
        inc Number+1
small:  jsr AppendNumber
        lda #'.'
        jsr Append
        lda #' '
        jsr Append
name:   lda ply
        ldx ply+1
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
        bcc behind
        ldx #0
        stx column
        lda #$0D
behind: jsr Append
        inc ply
        bne next
        inc ply+1
        bne next
end:    lda GameDrawn
        cmp #ENDED_LOST
        bcc board
        beq won                         // Black has
lost:   ldx #blacks-results
        bne result                      // always
board:  lda GameState
        cmp #GAME_CHECKMATE
        bne notMate
        lda SearchSide                  // White to move is mated
        bmi lost
won:    ldx #white-results
        beq result                      // always
notMate: ldx #drawn-results
        jsr IsOver
        bcs result
        ldx #open-results
result: lda results,x
        beq done
        jsr Append
        inx
        bne result
done:   lda #$0D
        jmp Append
ply:    .word 0
column: .byte 0
tags:   .text @"[Event \"Tempo Chess\"]\$0d[Site \"Commodore 64\"]\$0d\$0d"
        .byte 0
results:
white:  .text "1-0"
        .byte 0
blacks: .text "0-1"
        .byte 0
drawn:  .text "1/2-1/2"
        .byte 0
open:   .text "*"
        .byte 0
}

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

// --- Reading -----------------------------------------------------------------------------
// DoLoad - read a game from disk and play it through
//
// Clobbers: A, X, Y, the transposition table
DoLoad: {
        lda #<busy
        ldy #>busy
        jsr Message
        jsr EnterKernal
        bcs kernal
        jmp NoKernal
kernal:
        lda #readEnd-read
        ldx #<read
        ldy #>read
        jsr OpenGame
        bcs failed
        ldx #FILE
        jsr K_CHKIN
        bcs failed
        lda #<TextStart
        sta zpDisk
        lda #>TextStart
        sta zpDisk+1
next:   jsr K_CHRIN
        tax
        jsr K_READST                    // a time-out: there is no such file
        and #%1000_0011
        bne failed
        txa
        ldy #0
        sta (zpDisk),y                  // goes to the RAM below the KERNAL
        inc zpDisk
        bne low
        inc zpDisk+1
        lda zpDisk+1
        cmp #>TextLimit
        beq failed                      // no game of ours is that long
low:    jsr K_READST
        beq next
        lda zpDisk
        sta TextEnd
        lda zpDisk+1
        sta TextEnd+1
        jsr CloseGame
        jsr DriveStatus
        bcs failed
        jsr LeaveKernal
        jmp TakeText
failed: jmp DiskFailed
busy:   Text("Loading")
read:   .text "0:GAME,S,R"
readEnd:
}
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
.label WRONG_TAG  = 5                   // a game that does not begin with the usual position
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
        dey                             // $: the number is passed over as one of a move
        beq token
        bne token                       // ] and } alone
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
        lda #WRONG_TAG
        bne bad                         // always
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
        jmp token
line:   jsr take
        bcs end
        cmp #' '
        bcs line
        jmp token
letter: ldx TypedLength                 // a word: up to a blank or a sign
        cmp #'.'                        // ... and a number ends with its full stop
        beq token
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
        bcs end
        jmp again
move:   lda depth
        bne passed
        lda TypedText
        cmp #'0'
        bcc passed                      // *, ! or ?
        bne notZero
        lda TypedText+2                 // 0-1, or castling
        cmp #'1'
        bne legal
passed: rts
notZero:
        cmp #'9'+1
        bcc passed                      // a number or a result
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
