// reset.asm - the clocks at the start of a game
//
// Provides: ResetClocks
// Uses:     clock.asm (ClockMode, ClockMinutes, ClockSide, FlagFell, Hours, Minutes, Seconds)
#importonce

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
hour:   cmp #60
        bcc less
        sbc #60
        inc Hours,x
        bne hour                        // always
less:   sta Minutes,x
        dex
        bpl next
        rts
}
