// controls.asm - what a move adds to a clock
//
// Provides: AddTime, MoveOfControl
// Uses:     clock.asm (ClockMode, ClockSide, ClockAdds, Seconds, Minutes, Hours), record.asm (GamePly)
#importonce

// MoveOfControl - moves that the side that has just moved has made since its control began
//
// Out:      A, 0 when a new one begins
MoveOfControl: {
        lda GamePly+1
        lsr
        lda GamePly
        ror
        adc #0
        sec
less:   sbc #MOVES_OF_CONTROL
        bcs less
        adc #MOVES_OF_CONTROL
        rts
}

// AddTime - what a move adds to the clock of its side, which runs
//
// Clobbers: A, X, Y
AddTime: {
        ldx ClockSide
        bmi done
        ldy ClockMode
        lda ClockAdds,y
        clc
        adc Seconds,x
        cmp #60
        bcc seconds
        sbc #60
        inc Minutes,x
seconds:
        sta Seconds,x
        cpy #CLOCK_MOVES
        bne done
        jsr MoveOfControl
        bne done
        inc Hours,x
        inc Hours,x
done:   rts
}
