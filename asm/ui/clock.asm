// clock.asm - the clocks of a game: time used, or time left
//
// Provides: TickClock, ResetClocks, ShareTime, ClockSide, ClockMode, FlagFell; CLOCKS, ClockMinutes
// Uses:     input.asm (FramesASecond), play.asm (SideIndex), storage.asm (SearchTime, SearchSoft)
#importonce

.var ClockTimes = List().add(0, 5, 15, 30, 60).lock()   // minutes for a game; 0: the seconds of a level, clocks count up
.label CLOCKS      = ClockTimes.size()

ClockMode:   .byte 0                    // number of ClockMinutes
ClockSide:   .byte NO_SQUARE            // 0 Black's runs, 1 White's, $FF none
FlagFell:    .byte NO_SQUARE            // the side whose time is up
ClockFrame:  .byte 0, 0                 // frames of the second that runs, of each side
Seconds:     .byte 0, 0
Minutes:     .byte 0, 0
Hours:       .byte 0, 0
ClockMoved:  .byte 0                    // not 0: a clock shows another time now
ClockMinutes: .fill CLOCKS, ClockTimes.get(i)

// TickClock - one frame has passed; called by the interrupt
//
// Clobbers: A, X
TickClock: {
        ldx ClockSide
        bmi done
        inc ClockFrame,x
        lda ClockFrame,x
        cmp FramesASecond
        bcc done
        lda #0
        sta ClockFrame,x
        inc ClockMoved
        lda ClockMode
        bne down
        inc Seconds,x
        lda Seconds,x
        cmp #60
        bcc done
        lda #0
        sta Seconds,x
        inc Minutes,x
        lda Minutes,x
        cmp #60
        bcc done
        lda #0
        sta Minutes,x
        inc Hours,x
done:   rts
down:   dec Seconds,x
        bpl done
        lda #59
        sta Seconds,x
        dec Minutes,x
        bpl done
        lda #0                          // the last second has passed
        sta Minutes,x
        sta Seconds,x
        stx FlagFell
        lda #NO_SQUARE
        sta ClockSide
        rts
}

// ResetClocks - both to the time that a game begins with; they stop
//
// Clobbers: A, X, Y
ResetClocks: {
        lda #NO_SQUARE
        sta ClockSide
        sta FlagFell
        ldy ClockMode
        ldx #1
next:   lda #0
        sta ClockFrame,x
        sta Seconds,x
        sta Hours,x
        lda ClockMinutes,y
        sta Minutes,x
        dex
        bpl next
        rts
}

// ShareTime - the time of a move out of what the side to move has left: about a thirtieth, and
// twice as much if an iteration needs it
//
// In:       SearchSide; ClockMode, not 0
// Out:      SearchTime, SearchSoft
// Clobbers: A, X, Y
ShareTime: {
        jsr SideIndex
        ldy #0
        sty SearchTime+2
        lda Seconds,x
        ldy Minutes,x
minute: dey
        bmi known
        clc
        adc #60
        bcc minute
        inc SearchTime+2
        bne minute                      // always
known:  lsr SearchTime+2                // seconds: a quarter of them are the limit in 256 units, a fifteenth in time
        ror
        lsr SearchTime+2
        ror
        sta SearchTime+1
        lda #64                         // at least a moment
        sta SearchTime
        lda SearchTime+2
        lsr
        sta SearchSoft+1
        lda SearchTime+1
        ror
        lsr SearchSoft+1
        ror
        sta SearchSoft
        rts
}
