// clock.asm - the clocks of a game: time used, or time left
//
// Provides: TickClock, ShareTime, ClockSide, ClockMode, FlagFell; CLOCKS, ClockMinutes, macro ClockText
// Uses:     input.asm (FramesASecond), controls.asm (MoveOfControl), play.asm (SideIndex), storage.asm (SearchTime, SearchSoft)
#importonce

// Minutes for a game, seconds that each move adds; without minutes clocks count up, and a move takes the seconds of
// its level, or as long as it likes.
.struct Clock { name, minutes, adds }
.var Clocks = List()
    .eval Clocks.add(Clock("off",    0,   0))
    .eval Clocks.add(Clock("5",      5,   0))
    .eval Clocks.add(Clock("5+3",    5,   3))
    .eval Clocks.add(Clock("15",     15,  0))
    .eval Clocks.add(Clock("15+10",  15,  10))
    .eval Clocks.add(Clock("30",     30,  0))
    .eval Clocks.add(Clock("60",     60,  0))
    .eval Clocks.add(Clock("40/120", 120, 0))           // for 40 moves, again and again
    .eval Clocks.add(Clock("free",   0,   0))
.label CLOCKS      = Clocks.size()
.const CLOCK_MOVES = 7
.const CLOCK_FREE  = 8
.const MOVES_OF_CONTROL = 40
        .errorif Clocks.get(CLOCK_MOVES).minutes != 120 || Clocks.get(CLOCK_FREE).name != "free", "numbers of the clocks"

ClockMode:   .byte 0                    // number of ClockMinutes
ClockSide:   .byte NO_SQUARE            // 0 Black's runs, 1 White's, $FF none
FlagFell:    .byte NO_SQUARE            // the side whose time is up
ClockFrame:  .byte 0, 0                 // frames of the second that runs, of each side
Seconds:     .byte 0, 0
Minutes:     .byte 0, 0
Hours:       .byte 0, 0
ClockMoved:  .byte 0                    // not 0: a clock shows another time now
ClockMinutes: .fill CLOCKS, Clocks.get(i).minutes
ClockAdds:   .fill CLOCKS, Clocks.get(i).adds

// ClockText - their names, in the RAM below the I/O chips; main.asm places them
.macro ClockText() {
    .for (var i = 0; i < CLOCKS; i++) Text(Clocks.get(i).name)
}

// TickClock - one frame has passed; called by the interrupt
//
// Clobbers: A, X, Y
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
        ldy ClockMode
        lda ClockMinutes,y
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
        sta Minutes,x
        dec Hours,x
        bpl done
        lda #0                          // the last second has passed
        sta Hours,x
        sta Minutes,x
        sta Seconds,x
        stx FlagFell
        lda #NO_SQUARE
        sta ClockSide
        rts
}

// ShareTime - the time of a move out of what the side to move has left: about a thirtieth, and
// twice as much if an iteration needs it
//
// In:       SearchSide; ClockMode, one with minutes
// Out:      SearchTime, SearchSoft
// Clobbers: A, X, Y
ShareTime: {
        jsr SideIndex
        ldy #0
        sty SearchTime+2
        clc
        ldy Hours,x
        lda Minutes,x
hour:   dey
        bmi whole
        adc #60                         // C = 0: at most 179
        bne hour                        // always
whole:  tay
        lda Seconds,x
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
        ldy ClockMode
        cpy #CLOCK_MOVES
        bne share
        jsr MoveOfControl
        cmp #MOVES_OF_CONTROL - 12
        bcc share
        asl SearchTime+1                // the last moves of a control
        rol SearchTime+2
share:  lda #64                         // at least a moment
        sta SearchTime
        lda SearchTime+2
        lsr
        sta SearchSoft+1
        lda SearchTime+1
        ror
        lsr SearchSoft+1
        ror
        sta SearchSoft
        lsr                             // a quarter more, which clear moves leave
        lsr
        adc SearchSoft
        sta SearchSoft
        bcc small
        inc SearchSoft+1
small:  lda ClockAdds,y                 // four fifths of what the move adds, if there is more than that
        beq done
        cmp SearchTime+1
        bcs done
        asl
        adc SearchSoft                  // C = 0
        sta SearchSoft
        bcc low
        inc SearchSoft+1
low:    lda ClockAdds,y
        asl
        adc ClockAdds,y
        adc SearchTime+1
        sta SearchTime+1
        bcc done
        inc SearchTime+2
done:   rts
}
