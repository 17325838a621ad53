// input.asm - reading what is typed: single characters, and whole lines from the screen
//
// Provides: KeyboardGet, KeyboardLine, EditorIn, ScreenIn
// Uses:     screen.asm, lines.asm, names.asm
#importonce

// KeyboardGet - the next character of the keyboard buffer
//
// Out:      A = PETSCII, 0 if there is none; Z says so; C = 0
// Clobbers: X, Y
KeyboardGet: {
        lda KeyCount
        beq none
        sei
        jmp KeyboardTake
none:   clc
        rts
}

// KeyboardLine - CHRIN from the keyboard: waits until RETURN ends a line, then hands out its characters
//
// Out:      A = PETSCII, $0D at the end; C = 0
// Keeps:    X, Y
KeyboardLine: {
        lda ReadingLine
        bne EditorIn
        lda Row
        sta InputRow
        lda Column
        sta InputColumn
}                               // falls through

// EditorIn - the next character of the line that is being read; without one, a line that is typed
EditorIn: {
        txa
        pha
        tya
        pha
        lda ReadingLine
        bne ScreenIn.take
wait:   jsr ShowCursor
        lda KeyCount
        beq wait
        sei
        jsr HideCursor
        jsr KeyboardTake
        cmp #$83                // SHIFT and STOP
        beq wait
        cmp #RETURN
        beq entered
        jsr ScreenOut
        jmp wait
entered:
        jsr ScreenIn.begin
        jmp ScreenIn.take
}

// ScreenIn - CHRIN from the screen: the characters of the line under the cursor
//
// Out:      A = PETSCII, $0D at the end; C = 0
// Keeps:    X, Y
ScreenIn: {
        txa
        pha
        tya
        pha
        lda ReadingLine
        bne take
        lda Row
        sta InputRow
        lda Column
        sta InputColumn
        jsr begin
take:   ldy Column
        cpy InputEnd
        bcs end
        lda (LineLo),y
        iny
        sty Column
        cpy #COLUMNS
        bne inRow
        ldx LineEnd
        cpx #COLUMNS
        bcc inRow
        inc Row
inRow:  jsr ToPetscii
        sta PrintChar
        jmp out
end:    lda #0
        sta ReadingLine
        lda InputDevice         // a typed line leaves the cursor where it ends: the program prints the RETURN
        beq typed
        jsr NewLine
typed:  lda #RETURN
        sta PrintChar
out:    pla
        tay
        pla
        tax
        lda PrintChar
        clc
        rts

        // From where the input began, if the cursor is still in that line, up to the last character.
begin:  ldy LineEnd
blank:  lda (LineLo),y
        cmp #SPACE
        bne used
        dey
        bpl blank
used:   iny
        sty InputEnd
        lda #0
        sta QuoteMode
        lda #1
        sta ReadingLine
        ldx Column              // is it the same line?
        lda Row
        cpx #COLUMNS
        bcc top
        sbc #1                  // C is set: its first row
top:    tay
        lda InputRow
        ldx InputColumn
        cpx #COLUMNS
        bcc same
        sbc #1
same:   sty zpScratch
        cmp zpScratch
        bne whole
        lda InputColumn
        .byte $2C               // skips the next instruction
whole:  lda #0
        sta Column
        cmp #COLUMNS
        bcc first
        iny
first:  sty Row
        rts
}

// ToPetscii - the PETSCII code of a cell
//
// In:       A = screen code
// Out:      A = PETSCII; in quotes a reversed letter is the control code it stands for
// Clobbers: X
ToPetscii: {
        tax
        bpl plain
        lda QuoteMode
        beq plain
        txa
        and #%01000000          // $80-$9F are $00-$1F, $C0-$DF are $80-$9F
        asl
        sta zpScratch
        txa
        and #%00111111
        cmp #SPACE
        bcs plain
        ora zpScratch
        rts
plain:  txa
        and #%01111111
        cmp #SPACE
        bcc letter
        cmp #$40
        bcc mark
        cmp #$60
        bcs graphic
        ora #%10000000          // $40-$5F: $C0-$DF
        rts
graphic:
        eor #%11000000          // $60-$7F: $A0-$BF
        rts
letter: ora #%01000000
        rts
mark:   jmp ToggleQuote
}
