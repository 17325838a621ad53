// play.asm - a person, the C64, and the board between them
//
// Provides: Play, and what keys and menu do: DoNewGame, DoFlip, DoTakeBack, DoForward, DoHint, DoMoveNow
// Uses:     begin.asm, board.asm, clock.asm, pgnread.asm (TakeText), input.asm, levels.asm, menu.asm, notation.asm, panel.asm, ponder.asm,
//           record.asm, screen.asm, sound.asm, ai/root.asm (FindBestMove), ai/movegen.asm, storage.asm
#importonce

.const INPUT_LENGTH = 9
.label HOST_SETUP   = 3
.const PLAYER_PERSON = 0
.const PLAYER_C64    = 1

Players:     .byte PLAYER_C64, PLAYER_PERSON    // Black, White
InputLength: .byte 0
// A host (the page around an emulator) may write a position to the public board, or a PGN text
// to TextStart..TextEnd, and then the command here: 1 for the board, 2 for the text, 3 for both. It is
// 0 again when that is done; WrongMove, WrongPly and Skipped tell what became of the text.
HostCommand: .byte 0
InputText:   .fill INPUT_LENGTH+1, 0

// Play - the game; never returns
Play: {
        jsr InstallLate
        jsr ShowScreen
        jsr InitSprites
        jsr InitSound
        jsr StartFrames
        jsr DoNewGame
loop:   lda FlagFell
        bmi inTime
        jsr TimeOver
inTime: jsr PollKey
        beq free
        jsr Dispatch
        jmp loop
free:   ldx HostCommand
        bne host
        jsr IsOver
        bcs idle
        jsr SideIndex
        lda Players,x
        beq idle                        // PLAYER_PERSON
        jsr Think
        jmp loop
idle:   lda ClockMoved
        beq still
        lda #0
        sta ClockMoved
        jsr ShowClocks
still:  jsr WaitFrame
        jsr Ponder
        jmp loop
host:   dex
        bne text
        jsr BeginSetUp                  // HOST_BOARD
        jsr Begun
        jmp did
text:   jsr TakeText                    // HOST_TEXT
did:    lda #0
        sta HostCommand
        jmp loop
}

// SideIndex - 1 for White to move, 0 for Black
//
// Out:      X
// Clobbers: A
SideIndex: {
        ldx #0
        lda SearchSide
        bpl black
        inx
black:  rts
}

// Dispatch - do what a key says
//
// In:       A = key
// Clobbers: A, X, Y
Dispatch: {
        ldx #0
        stx IdleFrames
        cmp #KEY_RETURN
        beq enter
        cmp #KEY_DELETE
        bcs special
        ldx InputLength                 // keys that are commands only while nothing is typed
        bne type
        cmp #'-'
        beq older
        cmp #'+'
        beq newer
        cmp #'y'
        beq claim
        cmp #' '
        beq fire
type:   cpx #INPUT_LENGTH
        bcs done
        sta InputText,x
        inc InputLength
        jmp DrawInput
claim:  jmp DoClaim
fire:   jmp Fire
enter:  lda InputLength
        beq fire
        jmp EnterMove
older:  inc ListBack
        jmp DrawMoves
newer:  lda ListBack
        beq done
        dec ListBack
        jmp DrawMoves
special:
        ldx #commandLo-commands-1
find:   cmp commands,x
        beq found
        dex
        bpl find
done:   rts
found:  lda commandLo,x
        sta vector
        lda commandHi,x
        sta vector+1
        jmp (vector)
vector: .word 0
        .errorif (<vector) == $FF, "the indirect jump cannot cross a page"
.var table = List().add(KEY_DELETE, DeleteLetter, KEY_RIGHT, CursorRight, KEY_LEFT, CursorLeft, KEY_DOWN, CursorDown, KEY_UP, CursorUp,
                        KEY_STOP, Cancel, KEY_F1, Menu, KEY_F2, Help, KEY_F3, DoTakeBack, KEY_F4, DoForward, KEY_F5, DoHint,
                        KEY_F6, DoMoveNow, KEY_F7, DoFlip, KEY_F8, DoNewGame).lock()
commands:  .fill table.size()/2, table.get(2*i)
commandLo: .fill table.size()/2, <table.get(2*i+1)
commandHi: .fill table.size()/2, >table.get(2*i+1)
}

// --- Cursor --------------------------------------------------------------------------
CursorRight: lda #1
        bne MoveCursor
CursorLeft: lda #-1
        bne MoveCursor
CursorDown: lda #ROW
        bne MoveCursor
CursorUp: lda #-ROW
// MoveCursor - one square in a direction of the screen
//
// In:       A = step
// Clobbers: A, X, Y
MoveCursor: {
        ldx Flipped
        beq asSeen
        eor #$FF
        clc
        adc #1
asSeen: clc
        adc Cursor
        bit offBoard
        bne done
        sta Cursor
        jmp ShowMarks
done:   rts
offBoard: .byte OFF_BOARD
}

// Cancel - nothing typed, nothing chosen
//
// Clobbers: A, X, Y
Cancel: {
        lda #0
        sta InputLength
        jsr ClearTargets
        jsr DrawBoard
        jmp DrawInput
}

// --- A move by cursor ------------------------------------------------------------------
// Fire - take a piece, or put it down
//
// Clobbers: A, X, Y
Fire: {
        jsr IsOver
        bcs done
        ldx Cursor
        lda Chosen
        bmi choose
        lda Targets,x
        bne go
        lda Board88,x                   // another piece of one's own may be taken instead
        beq wrong
        eor SearchSide
        bmi wrong
choose: jsr ClearTargets
        ldx Cursor
        lda Board88,x
        beq show
        eor SearchSide
        bmi show                        // the other side's
        stx Chosen
        ldy #NO_SQUARE                  // a8 is $00: no target is a negative number
        ldx MoveCount
next:   cpx #0
        beq marked
        dex
        lda MoveListFrom,x
        cmp Chosen
        bne next
        lda MoveListTo,x
        and #ON_BOARD
        tay
        lda #1
        sta Targets,y
        bne next
marked: tya
        bpl show
        lda #NO_SQUARE                  // a piece without a move
        sta Chosen
show:   jmp DrawBoard
wrong:  jsr ClearTargets
        jsr DrawBoard
        jmp EnterMove.none
go:     stx SanTo
        lda Chosen
        sta SanFrom
        jsr IsPromotion
        bcc play
        jsr AskPiece
        bcc done
play:   jmp Commit
done:   rts
}

// AskPiece - which piece a pawn becomes
//
// Out:      C = 1: flags in SanTo; C = 0: cancelled
// Clobbers: A, X, Y
AskPiece: {
        lda #0
        sta choice
show:   lda #<question
        ldy #>question
        jsr Message
        ldx choice
        lda letters,x
        and #%1101_1111
        sec
        sbc #32
        jsr PutChar
wait:   jsr WaitKey
        ldx #3
letter: cmp letters,x
        beq chosen
        dex
        bpl letter
        ldx choice
        cmp #KEY_RETURN
        beq chosen
        cmp #KEY_STOP
        beq no
        cmp #KEY_RIGHT
        beq more
        cmp #KEY_DOWN
        beq more
        cmp #KEY_LEFT
        beq less
        cmp #KEY_UP
        bne wait
less:   dex
        jmp set
more:   inx
set:    txa
        and #3
        sta choice
        jmp show
chosen: lda SanTo
        and #ON_BOARD
        ora flags,x
        sta SanTo
        jsr DrawInput
        sec
        rts
no:     jsr DrawInput
        clc
        rts
choice: .byte 0
letters: .byte 'q', 'r', 'b', 'n'
flags:  .byte 0, PROMOTE_MINOR, PROMOTE_KNIGHT | PROMOTE_MINOR, PROMOTE_KNIGHT
question: Text("Promote to: ")
}

// --- A move by name ----------------------------------------------------------------------
// DeleteLetter - the last one typed
//
// Clobbers: A, X, Y
DeleteLetter: {
        lda InputLength
        beq done
        dec InputLength
        jmp DrawInput
done:   rts
}

// DrawInput - what was typed
//
// Clobbers: A, X, Y
DrawInput: {
        ldy #ROW_INPUT
        jsr ClearRow
        lda InputLength
        beq done
        At(PANEL, ROW_INPUT)
        lda #WHITE
        sta Ink
        lda #GLYPH_ARROW
        jsr PutChar
        ldx #0
next:   lda InputText,x
        sec
        sbc #32
        jsr PutChar
        inx
        cpx InputLength
        bne next
        lda #'_'-32
        jmp PutChar
done:   rts
}

// EnterMove - play what was typed
//
// Clobbers: A, X, Y
EnterMove: {
        jsr IsOver
        bcs over
        ldx InputLength
        stx TypedLength
copy:   dex
        bmi read
        lda InputText,x
        sta TypedText,x
        bpl copy                        // ASCII
read:   lda #0
        sta InputLength
        jsr ReadMove
        bcc wrong
        lda NeedsPiece
        beq play
        jsr AskPiece
        bcc over
play:   jmp Commit
wrong:  tax
        beq none
        lda #<several
        ldy #>several
        jsr Message
        jmp bad
none:   lda #<illegal
        ldy #>illegal
        jsr Message
bad:    ldx #SOUND_WRONG
        jmp PlaySound
over:   jmp Cancel
illegal: Text("No such move")
several: Text("Which?")
}

// Commit - play SanFrom, SanTo and show it
//
// Clobbers: A, X, Y
Commit: {
        lda SanTo
        and #ON_BOARD
        sta Cursor
        lda SanFrom
        cmp PonderFrom
        bne surprise
        lda SanTo
        cmp PonderTo
        bne surprise
        inc PonderHit
        bne judged                      // always
surprise:
        jsr ForgetExpected
judged: jsr PlayMove
        bcs played
        lda #<full
        ldy #>full
        jmp Message
played: jsr ClearTargets
        lda #0
        sta ListBack
        sta InputLength
        sta GameResult
        jsr AddTime
        jsr SetClock
        jsr Refresh
        ldx #SOUND_END
        jsr IsOver
        bcs sound
        ldx #SOUND_CHECK
        lda CheckSquare
        bpl sound
        ldx #SOUND_CAPTURE
        lda SanInfo
        and #INFO_TAKES
        bne sound
        ldx #SOUND_MOVE
sound:  jmp PlaySound
full:   Text("Record full")
}

// Refresh - board and panel as they are now
//
// Clobbers: A, X, Y
Refresh: {
        jsr DrawBoard
        jsr DrawMoves
        jsr DrawTaken
        jsr DrawNamesOfSides
        jsr ShowClocks
        jsr DrawInput
        jmp DrawStatus
}

// SetClock - the clock of the side to move runs, unless the game is over or not begun
//
// Clobbers: A, X
SetClock: {
        ldx #NO_SQUARE
        jsr IsOver
        bcs set
        lda GamePly
        ora GamePly+1
        beq set
        jsr SideIndex
set:    stx ClockSide
        rts
}

// --- The C64's turn ----------------------------------------------------------------------
// Think - let the search find a move, and play it
//
// Clobbers: A, X, Y
Think: {
        jsr ClaimIfWorse
        bcs done
now:    jsr SearchMove
        bcc done
        jsr NoteValue
        jsr Commit
        jmp Expect
done:   rts
}

// Expect - the second move of the line is the answer that is expected
//
// In:       the line of the move just played
// Clobbers: A, X
Expect: {
        ldx LineLength
        dex
        beq done
        lda LineFrom+1
        sta PonderFrom
        lda LineTo+1
        sta PonderTo
done:   rts
}

// SearchMove - what the search would play
//
// Out:      C = 1: SanFrom, SanTo, the legal moves in the list; C = 0 there is none
// Clobbers: A, X, Y
SearchMove: {
        jsr ApplyLevel
        jsr TakePondered
        bcs found
        lda #%0000_0011                 // the marks of the last move stay
        and VIC_SPRITES
        sta VIC_SPRITES
        lda #<thinking
        ldy #>thinking
        jsr Message
        ldx #0
        stx Abandoned
        inx
        stx Thinking
        jsr HideScreen
        jsr FindBestMove
        jsr ShowAgain
        lda #0
        sta Thinking
        lda HelpOn                      // the page of help stays until a key is pressed
        beq board
        jsr WaitKey
        dec HelpOn
        jsr LeaveHelp
board:  jsr ShowThinking
        jsr DrawInput
        ldx SearchSide
        jsr GenerateLegalMoves
        lda Abandoned
        cmp #1
        bcs left
found:  lda BestMoveTo
        sta SanTo
        lda BestMoveFrom
        sta SanFrom
        cmp #NO_SQUARE
        beq left
        sec
        rts
left:   clc
        rts
thinking: Text("Thinking...")
}

// --- Commands ----------------------------------------------------------------------------
// End - the game is over for reason A
//
// Clobbers: A, X, Y
End: {
        sta GameDrawn
        jsr SetClock
        jsr DrawStatus
        ldx #SOUND_END
        jmp PlaySound
}

// TimeOver - a flag has fallen: its side has lost
//
// Clobbers: A, X, Y
TimeOver: {
        lda FlagFell
        clc
        adc #ENDED_LOST
        ldx #NO_SQUARE
        stx FlagFell
        bne End                         // always
}

// DoNewGame - from the start
//
// Clobbers: A, X, Y
DoNewGame: {
        jsr BeginGame
        jmp Begun
}

// Begun - a game has begun or was loaded: show it
//
// Clobbers: A, X, Y
Begun: {
        jsr ResetClocks
        lda #0
        sta OwnValue
        sta OwnValue+1
        jsr ForgetExpected
        jsr ClearTargets
        lda #0
        sta InputLength
        sta ListBack
        jsr FindLast
        jsr DrawBoard
        jmp DrawPanel
}

// DoFlip - the other side at the bottom
//
// Clobbers: A, X, Y
DoFlip: {
        lda Flipped
        eor #7
        sta Flipped
        jsr Refresh
        jmp DrawPanel
}

// DoTakeBack - a move, and the C64's with it
//
// Clobbers: A, X, Y
DoTakeBack: {
        jsr UndoMove
        bcc DoForward.done
        jsr SideIndex
        lda Players,x
        beq Changed
        jsr UndoMove
}
// Changed - another position of the game is on the board
//
// Clobbers: A, X, Y
Changed: {
        jsr ForgetExpected
        jsr ClearTargets
        jsr SetClock
        jmp Refresh
}

// DoForward - a move that was taken back, and the answer to it
//
// Clobbers: A, X, Y
DoForward: {
        jsr Forward
        bcc done
        jsr SideIndex
        lda Players,x
        beq Changed
        jsr Forward
        jmp Changed
done:   rts
}

// DoHint - what the C64 would play
//
// Clobbers: A, X, Y
DoHint: {
        jsr IsOver
        bcs done
        jsr SearchMove
        bcc done
        lda #<text
        ldy #>text
// ShowTry - a text, and the move SanFrom, SanTo
//
// In:       A, Y = text; the legal moves in the list
// Clobbers: A, X, Y
@ShowTry:
        jsr Message
        jsr DescribeMove
        jsr SanText
        ldx #0
next:   lda SanBuffer,x
        sec
        sbc #32
        jsr PutChar
        inx
        cpx SanLength
        bne next
        lda SanFrom                     // the frames show it until the next move
        sta LastFrom
        lda SanTo
        and #ON_BOARD
        sta LastTo
        jmp ShowMarks
done:   rts
text:   Text("Try ")
}

// DoMoveNow - the C64 moves for the person
//
// Clobbers: A, X, Y
DoMoveNow: {
        jsr IsOver
        bcs done
        jmp Think.now
done:   rts
}
