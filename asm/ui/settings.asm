// settings.asm - what the menu's settings do
//
// Provides: NextLevel, NextWhite, NextBlack, NextClock, NextSound, NextPonder, NextBlank, NextColours, NextMate
// Uses:     menu.asm (MenuKey, MateMoves), clock.asm, levels.asm, board.asm (BlackBody), panel.asm, solve.asm (SolveMate)
#importonce

// NextLevel, NextWhite, NextBlack, NextSound, NextPonder, NextBlank, NextColours - change a setting; cursor left goes back
//
// Clobbers: A, X, Y
NextLevel: {
        ldx ChosenLevel
        lda MenuKey
        cmp #KEY_LEFT
        beq back
        inx
        cpx #LEVELS
        bcc set
        ldx #0
        beq set
back:   dex
        bpl set
        ldx #LEVELS-1
set:    stx ChosenLevel
        jmp DrawLevel
}
NextWhite: lda #1
        eor Players+1
        sta Players+1
        rts
NextBlack: lda #1
        eor Players
        sta Players
        rts
NextSound: lda #1
        eor SoundOn
        sta SoundOn
        rts
NextPonder: lda #1
        eor PonderOn
        sta PonderOn
        rts
NextBlank: lda #1
        eor ScreenOn
        sta ScreenOn
        rts
NextColours: {
.const SETS = 3
        ldx set
        dex
        bpl known
        ldx #SETS-1
known:  stx set
        lda bodies,x
        sta BlackBody
        jmp DrawBoard
set:    .byte 0
bodies: .byte WIDE | BLUE, WIDE | GREEN, WIDE | CYAN
}

// NextClock - another time for the game: both clocks begin anew
//
// Clobbers: A, X, Y
NextClock: {
        ldx ClockMode
        lda MenuKey
        cmp #KEY_LEFT
        beq back
        inx
        cpx #CLOCKS
        bcc set
        ldx #1
back:   dex
        bpl set
        ldx #CLOCKS-1
set:    stx ClockMode
        jsr ResetClocks
        jmp SetClock
}

// NextMate - another number of moves, or look for a mate in them
//
// Clobbers: A, X, Y
NextMate: {
        ldx MateMoves
        lda MenuKey
        cmp #KEY_LEFT
        beq back
        cmp #KEY_RIGHT
        bne solve
        inx
        cpx #MATE_MOST+1
        bcc set
        ldx #2
back:   dex
        bne set
        ldx #MATE_MOST
set:    stx MateMoves
        rts
solve:  pla                             // the menu is left
        pla
        jsr DrawPanel
        jmp SolveMate
}
