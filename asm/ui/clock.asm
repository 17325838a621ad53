// clock.asm - the time each side has used
//
// Provides: TickClock, ResetClocks, ClockSide
// Uses:     input.asm (FramesASecond)
#importonce

ClockSide:   .byte NO_SQUARE            // 0 Black's runs, 1 White's, $FF none
ClockFrame:  .byte 0
Seconds:     .byte 0, 0
Minutes:     .byte 0, 0
Hours:       .byte 0, 0
ClockMoved:  .byte 0                    // not 0: a clock shows another time now

// TickClock - one frame has passed; called by the interrupt
//
// Clobbers: A, X
TickClock: {
        ldx ClockSide
        bmi done
        inc ClockFrame
        lda ClockFrame
        cmp FramesASecond
        bcc done
        lda #0
        sta ClockFrame
        inc ClockMoved
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
        lda Hours,x
        cmp #99
        bcs done
        inc Hours,x
done:   rts
}

// ResetClocks - set both to zero and stop them
//
// Clobbers: A, X
ResetClocks: {
        lda #NO_SQUARE
        sta ClockSide
        lda #0
        sta ClockFrame
        ldx #1
next:   sta Seconds,x
        sta Minutes,x
        sta Hours,x
        dex
        bpl next
        sta ClockMoved
        rts
}
