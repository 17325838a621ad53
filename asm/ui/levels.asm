// levels.asm - the level a person chose
//
// Provides: ChosenLevel, PrintLevel, ApplyLevel
// Uses:     ai/clock.asm (SetLevel, LevelNames), clock.asm (ShareTime), storage.asm (BookSeed), input.asm (FrameCount), screen.asm
#importonce

ChosenLevel: .byte 4

// ApplyLevel - limits of the next search, and another opening every time
//
// On a clock a move gets its share of what is left, otherwise the seconds of the level.
//
// Clobbers: A, X, Y
ApplyLevel: {
        lda FrameCount
        sta BookSeed
        lda ChosenLevel
        jsr SetLevel
        ldx ClockMode
        lda ClockMinutes,x
        bne share
        cpx #CLOCK_FREE
        bne done
        lda #$FF                        // hours
        sta SearchTime
        sta SearchTime+1
        sta SearchTime+2
done:   rts
share:  jmp ShareTime
}

// PrintLevel - its name
//
// Clobbers: A, X, Y
PrintLevel: {
        lda #GREEN
        sta Ink
        lda ChosenLevel                 // ten letters a name
        asl
        asl
        adc ChosenLevel
        asl
        tax
        adc #LEVEL_NAME
        sta end
next:   lda LevelNames,x
        cmp #' '
        beq blank
        ora #%0010_0000                 // a screen code as one of our glyphs
        jsr PutChar
blank:  inx
        cpx end
        bne next
        rts
end:    .byte 0
        .errorif LEVEL_NAME != 10, "ten letters a name"
}
