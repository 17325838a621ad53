// record.asm - the moves of the game, back and forth
//
// Provides: BeginGame, BeginSetUp, PlayMove, UndoMove, Forward, Judge; GamePly, GameLength
// Uses:     game.asm, position/public.asm, rules/history.asm, notation.asm, board.asm, storage.asm (PieceSlot)
//
// The record holds three bytes a ply. Moves that were taken back stay until another one is
// played. Taking back undoes one move; where the history of positions began anew with it, the
// game is played again from its first position, so that repetitions are still found.
#importonce

.const MAX_PLIES = 511
.const UNDO_LEVELS = 16                 // levels of MakeMove that the game uses, again and again: a power of two
.const GAME_FIVEFOLD = GAME_DRAW_MATERIAL+1  // ends the game without a claim
.label ENDED_CLAIMED  = 1               // a draw that the rules allow to claim
.label ENDED_LOST     = 2               // time is up: Black has lost, one more: White
.label ENDED_RESIGNED = 4               // Black has, one more: White
.label ENDED_AGREED   = 6               // a draw that was offered
.label zpRecordFrom = zpPtrA
.label zpRecordTo   = zpPtrB
.label zpRecordInfo = zpPtrC

// RecordSpace - the squares of each ply, in the pages where BASIC had its screen
.macro RecordSpace() {
@GameFrom:   .fill MAX_PLIES+1, 0
@GameTo:     .fill MAX_PLIES+1, 0
}

// InfoSpace - the third byte of each ply, between the sprites and the rest of the screen program
.macro InfoSpace() {
@GameInfo:   .fill MAX_PLIES+1, 0
}

// StartSpace - the board that a game began with, after what MakeMove saves
.macro StartSpace() {
@StartBoard: .fill 64, EMPTY_PIECE
}

// GameSpace - the state of the game, after what the search keeps
.macro GameSpace() {
@GamePly:    .word 0                    // plies on the board
@GameLength: .word 0                    // plies known: more than GamePly after taking back
@GameState:  .byte GAME_NORMAL
@GameDrawn:  .byte 0                    // not 0: the game has ended off the board, ENDED_...
@GameResult: .byte 0                    // ... after all of its moves: the result of a game that was read
@StartSide:  .byte WHITE_COLOR          // who began
@StartRights: .byte RIGHTS
@StartEp:    .byte NO_SQUARE
@StartHalfmoves: .byte 0
@StartSetUp: .byte 0                    // not 0: the game began with the board in StartBoard
@GameEnd:
}

// The squares where the chosen piece can go, not 0: PieceSlot has a half that no square reaches.
.label Targets = PieceSlot+$80

// BeginGame - the usual start
//
// Clobbers: A, X, Y
BeginGame: {
        lda #0
        sta StartSetUp
        lda #WHITE_COLOR
        sta StartSide
        jsr ToStart
        jmp ForgetMoves
}

// BeginSetUp - the game starts with the position on the board
//
// In:       the public position
// Clobbers: A, X, Y
BeginSetUp: {
        lda SearchSide
        sta StartSide
        lda castlerights
        sta StartRights
        lda enpassantsq
        sta StartEp
        lda HalfmoveClock
        sta StartHalfmoves
        lda #1
        sta StartSetUp
        ldy #0
        ldx #0
next:   lda Board88,x
        sta StartBoard,y
        jsr NextSquare
        iny
        cpy #64
        bne next
        jsr ToStart
        jmp ForgetMoves
}

// NextSquare - from a square to the one after it, rows downwards
//
// In:       X;  Out: X
// Clobbers: A
NextSquare: {
        inx
        txa
        and #OFF_BOARD
        beq done
        txa
        clc
        adc #8
        tax
done:   rts
}

// ForgetMoves - an empty record
//
// Clobbers: A, X, Y
ForgetMoves: {
        lda #0
        sta GamePly
        sta GamePly+1
        sta GameLength
        sta GameLength+1
        sta GameDrawn
        sta GameResult
        jmp Judge
}

// ToStart - the first position of the game
//
// Clobbers: A, X, Y
ToStart: {
        jsr NewGame
        lda #0
        sta UndoLeft
        lda StartSetUp
        beq done
        ldx #0
        ldy #0
next:   lda StartBoard,y
        sta Board88,x
        cmp #WHITE_KING
        bne notWhite
        stx whitekingsq
notWhite:
        cmp #BLACK_KING
        bne notBlack
        stx blackkingsq
notBlack:
        jsr NextSquare
        iny
        cpy #64
        bne next
        lda StartSide
        sta SearchSide
        lda StartRights
        sta castlerights
        lda StartEp
        sta enpassantsq
        lda StartHalfmoves
        sta HalfmoveClock
        lda #0
        sta HistoryCount
        jsr RecordPosition
done:   rts
}

// AimRecord - pointers to one ply of the record
//
// In:       A = low, X = high byte of its number
// Out:      zpRecordFrom, zpRecordTo, zpRecordInfo, Y = 0
// Clobbers: A, X
AimRecord: {
        sta zpRecordFrom
        sta zpRecordTo
        clc
        adc #<GameInfo
        sta zpRecordInfo
        txa
        adc #>GameInfo
        sta zpRecordInfo+1
        txa
        clc
        adc #>GameFrom
        sta zpRecordFrom+1
        adc #>(GameTo - GameFrom)
        sta zpRecordTo+1
        ldy #0
        rts
        .errorif (<GameFrom) != 0 || (<GameTo) != 0, "page alignment"
}

// PlayMove - play a legal move, record it and judge the new position
//
// In:       SanFrom, SanTo; the legal moves in the list
// Out:      C = 1 played; C = 0 the record is full. The next legal moves are in the list
// Clobbers: A, X, Y
PlayMove: {
        lda GamePly
        cmp #<MAX_PLIES
        lda GamePly+1
        sbc #>MAX_PLIES
        bcc room
        clc
        rts
room:   jsr DescribeMove
        lda GamePly
        ldx GamePly+1
        jsr AimRecord
        lda SanFrom
        sta (zpRecordFrom),y
        lda SanTo
        sta (zpRecordTo),y
        lda SanInfo
        sta (zpRecordInfo),y
        lda SanFrom
        ldx SanTo
        jsr StepForward
        jsr Judge
        lda GamePly
        ldx GamePly+1
        jsr AimRecord
        lda CheckSquare
        bmi quiet
        ldx #INFO_CHECK
        lda GameState
        cmp #GAME_CHECKMATE
        bne marked
        ldx #INFO_MATE
marked: txa
        ora SanInfo
        sta SanInfo
        sta (zpRecordInfo),y
quiet:  inc GamePly
        bne counted
        inc GamePly+1
counted:
        lda GamePly
        sta GameLength
        lda GamePly+1
        sta GameLength+1
        jsr FindLast
        sec
        rts
}

// StepForward - a move of the game is made and joins the history
//
// In:       A = from, X = to
// Clobbers: A, X, Y
StepForward: {
        jsr MakeMove
        lda SearchDepth
        and #UNDO_LEVELS-1
        sta SearchDepth
        lda UndoLeft
        cmp #UNDO_LEVELS-1              // a level is left for the expected move
        bcs full
        inc UndoLeft
full:   jmp RecordPosition
}
UndoLeft: .byte 0                       // moves that UnmakeMove can take back

// UndoMove - take back one move
//
// Out:      C = 1 done; C = 0 there is none
// Clobbers: A, X, Y
UndoMove: {
        lda GamePly
        ora GamePly+1
        clc
        beq done
        lda #0
        sta GameDrawn
        lda GamePly
        bne low
        dec GamePly+1
low:    dec GamePly
        ldx HistoryCount
        cpx #2
        bcc again
        ldy UndoLeft
        beq again
        dec UndoLeft
        dex
        stx HistoryCount
        lda SearchDepth
        bne level
        lda #UNDO_LEVELS
        sta SearchDepth
level:
        lda GamePly
        ldx GamePly+1
        jsr AimRecord
        lda (zpRecordTo),y
        tax
        lda (zpRecordFrom),y
        jsr UnmakeMove
        jmp judge
again:  jsr Replay
judge:  jsr Judge
        jsr FindLast
        sec
done:   rts
}

// Replay - the first GamePly moves from the first position
//
// Clobbers: A, X, Y
Replay: {
        jsr ToStart
        lda #0
        sta ply
        sta ply+1
next:   lda ply
        ldx ply+1
        cmp GamePly
        bne go
        cpx GamePly+1
        beq done
go:     jsr AimRecord
        lda (zpRecordTo),y
        tax
        lda (zpRecordFrom),y
        jsr StepForward
        inc ply
        bne next
        inc ply+1
        bne next
done:   rts
ply:    .word 0
}

// Forward - play again what was taken back
//
// Out:      C = 1 done; C = 0 there is none
// Clobbers: A, X, Y
Forward: {
        lda GamePly
        cmp GameLength
        bne there
        lda GamePly+1
        cmp GameLength+1
        clc
        beq done
there:  lda GamePly
        ldx GamePly+1
        jsr AimRecord
        lda (zpRecordTo),y
        tax
        lda (zpRecordFrom),y
        jsr StepForward
        inc GamePly
        bne counted
        inc GamePly+1
counted:
        jsr Judge
        jsr FindLast
        jsr EndAsRecorded
        sec
done:   rts
}

// Judge - state of the game, king in check, legal moves
//
// Out:      GameState, CheckSquare, the move list
// Clobbers: A, X, Y
Judge: {
        jsr CheckGameState
        sta GameState
        cmp #GAME_DRAW_50               // 50 moves are looked at before repetitions
        beq again
        cmp #GAME_DRAW_REPEAT
        bne once
again:  jsr CheckRepetition
        bcc once
        lda zpCount                     // how often
        cmp #5
        bcc once
        lda #GAME_FIVEFOLD
        sta GameState
once:
        ldy #NO_SQUARE
        sty CheckSquare
        ldx SearchSide
        jsr IsKingInCheck
        bcc done
        ldy whitekingsq
        ldx SearchSide
        bmi white
        ldy blackkingsq
white:  sty CheckSquare
done:   rts
}

// FindLast - squares of the last move, for the marks
//
// Clobbers: A, X, Y
FindLast: {
        ldx #NO_SQUARE
        stx LastFrom
        stx LastTo
        stx SearchRetakes
        lda GamePly
        ora GamePly+1
        beq done
        ldx GamePly+1
        lda GamePly
        bne low
        dex
low:    sec
        sbc #1
        jsr AimRecord
        lda (zpRecordFrom),y
        sta LastFrom
        lda (zpRecordTo),y
        and #ON_BOARD
        sta LastTo
        tax
        lda (zpRecordInfo),y
        and #INFO_TAKES
        beq done
        stx SearchRetakes
done:   rts
}

// IsOver - has the game ended?
//
// Out:      C = 1 yes
// Clobbers: A
IsOver: {
        lda GameDrawn
        bne yes
        lda HalfmoveClock
        cmp #150                        // 75 moves: a draw without a claim
        bcs done
        lda GameState
        cmp #GAME_CHECKMATE
        bcc done
        cmp #GAME_DRAW_50
        bcc yes                         // mate, stalemate
        cmp #GAME_DRAW_MATERIAL         // C = 1: dead, or five times the same
        rts
yes:    sec
done:   rts
}
