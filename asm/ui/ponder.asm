// ponder.asm - thinking on the person's time
//
// Provides: Ponder, TakeKey, ForgetExpected, RetractExpected, TakePondered
// Uses:     play.asm, record.asm, levels.asm (ApplyLevel), ai/root.asm (FindBestMove), storage.asm (Elapsed, the limits)
//
// The line of the C64's last search tells the answer that it expects. While the person thinks, the position
// after that answer is searched; a key ends the search, and it goes on when the keys rest. If the expected move
// is played, the time that was spent so counts: often the answer is there at once.
#importonce

.const KEYS_REST   = 50                 // frames without a key until it begins
.const DONE_PART   = 1
.const DONE_WHOLE  = 2

PonderOn:    .byte 1
PonderFrom:  .byte NO_SQUARE            // the expected move; from here to IdleFrames: cleared together
PonderAnswer: .byte NO_SQUARE           // the answer to it
PonderReply: .byte NO_SQUARE            // what is expected after that
PonderTo:    .byte 0
PonderAnswerTo: .byte 0
PonderReplyTo: .byte 0
PonderDone:  .byte 0                    // 0 nothing, a part or the whole of the search of it
PonderHit:   .byte 0                    // not 0: the expected move was played
PonderDepth: .byte 0                    // of the answer
PonderTime:  .byte 0, 0, 0              // units of SearchTime
IdleFrames:  .byte 0
Expecting:   .byte 0                    // not 0: the public position is the expected one

// TakeKey - do what the key says that the interrupt has found
//
// Clobbers: A, X, Y
TakeKey: {
        jsr PollKey
        jmp Dispatch
}

// ForgetExpected - nothing is expected
//
// Clobbers: A, X
ForgetExpected: {
        ldx #IdleFrames-PonderFrom
next:   lda #0
        cpx #PonderTo-PonderFrom
        bcs set
        lda #NO_SQUARE
set:    sta PonderFrom,x
        dex
        bpl next
        rts
}

// Ponder - search the position after the expected move, if this is the time for it
//
// Out:      the game as it was, the legal moves in the list
// Clobbers: A, X, Y
Ponder: {
        lda PonderOn
        beq done
        lda PonderFrom
        bmi done
        lda PonderDone
        cmp #DONE_WHOLE
        beq done
        jsr IsOver
        bcs done
        jsr SideIndex                   // a person's turn, against the C64
        lda Players,x
        bne done
        txa
        eor #1
        tax
        lda Players,x
        beq done
        lda IdleFrames
        cmp #KEYS_REST
        bcs now
        inc IdleFrames
done:   rts
now:    lda castlerights
        sta rights
        lda PonderFrom
        ldx PonderTo
        jsr MakeMove
        lda #0
        sta recorded
        lda HalfmoveClock               // a move that cannot be taken back would begin the history anew
        beq ready
        lda castlerights
        cmp rights
        bne ready
        lda HistoryCount
        sta recorded
        jsr RecordPosition
ready:  jsr ApplyLevel
        lda #$FF                        // hours
        ldx #4
hours:  sta SearchTime,x
        dex
        bpl hours
        .errorif SearchSoft != SearchTime+3, "the limits are together"
        inx
        stx SearchDoing
        inx
        stx Expecting
        lda #PONDERING
        sta Thinking
        jsr FindBestMove
        lda #0
        sta Thinking
        sta IdleFrames
        lda Expecting
        beq retracted
        jsr RetractExpected
retracted:
        lda recorded
        beq counted
        sta HistoryCount
counted:
        lda SearchStop
        beq whole
        lda SearchReached
        beq spent
        cmp PonderDepth
        bcc spent
        lda #DONE_PART
        bne keep                        // always
whole:  lda #DONE_WHOLE
keep:   sta PonderDone
        lda SearchReached
        sta PonderDepth
        lda LineTo+1
        sta PonderReplyTo
        lda #NO_SQUARE
        ldx LineLength
        dex
        beq noReply
        lda LineFrom+1
noReply:
        sta PonderReply
        lda BestMoveFrom
        sta PonderAnswer
        lda BestMoveTo
        sta PonderAnswerTo
spent:  ldx #0
        ldy #3
        clc
add:    lda PonderTime,x
        adc Elapsed,x
        sta PonderTime,x
        inx
        dey
        bne add
        ldx SearchSide
        jmp GenerateLegalMoves
rights: .byte 0
recorded: .byte 0                       // positions of the history before it, if there is one more
}

// RetractExpected - the public position is that of the game again; the search goes on
//
// Clobbers: A, X, Y, zpBits
RetractExpected: {
        lda #0
        sta Expecting
        lda PonderFrom
        ldx PonderTo
        jmp UnmakeMove
}

// TakePondered - answer with what was found while the person thought, or take its time off the limits
//
// In:       SearchTime, SearchSoft
// Out:      C = 1: the answer is in BestMove, and the expected move in the line; C = 0: search
// Clobbers: A, X, Y
TakePondered: {
        lda PonderHit
        beq no
        dec PonderHit
        lda PonderAnswer
        bmi no
        lda PonderDone
        lsr
        beq part                        // DONE_PART
yes:    lda PonderAnswerTo
        sta BestMoveTo
        lda PonderAnswer
        sta BestMoveFrom
        lda PonderReplyTo
        sta LineTo+1
        ldx #1
        lda PonderReply
        bmi length
        inx
length: sta LineFrom+1
        stx LineLength
        sec
        rts
part:   lda ClockMode                   // on a clock the share counts, not what an iteration may need
        beq rest
        lsr SearchTime+2                // half of the limit
        ror SearchTime+1
rest:   ldx #0
        ldy #3
        sec
less:   lda SearchTime,x
        sbc PonderTime,x
        sta SearchTime,x
        inx                             // keeps C
        dey
        bne less
        bcc yes
        lda SearchTime                  // 0 would be no limit
        ora #1
        sta SearchTime
no:     clc
        rts
}
