// screen.asm - the picture: VIC, text, numbers
//
// Provides: ClearScreen, ClearPanel, ClearRow, MoveTo, PrintNth, Print, PrintNext, NextText, PutChar, ThreeDigits, TwoDigits;
//           macros At, Say, Text
// Uses:     main.asm (SCREEN), constants.asm (ALL_RAM, CPU_PORT), zeropage.asm (zpPtrA, zpPtrB, zpPtrC as scratch)
//
// Text is a string of glyph numbers (ASCII minus 32) ended by TEXT_END; it may lie in the RAM below the I/O chips. Nothing here runs
// while the search does; the interrupt writes to fixed places of its own.
#importonce

.const COLUMNS    = 40
.const COLOURS    = $D800
.const TEXT_END   = $FF
.const BLACK  = 0
.const WHITE  = 1
.const RED    = 2
.const CYAN   = 3
.const PURPLE = 4
.const GREEN  = 5
.const BLUE   = 6
.const YELLOW = 7
.const ORANGE = 8
.const LIGHT_GREY = 15
.const WIDE   = 8                       // colour RAM: wide pixels

.const PANEL  = 25                      // first column of the text beside the board
.const PANEL_WIDTH = COLUMNS - PANEL

.label zpScreen = zpPtrA                // where the next character goes
.label zpColour = zpPtrB                // ... and its colour
.label zpText   = zpPtrC

// --- VIC and CIA 2 -----------------------------------------------------------------
.label VIC_CONTROL1 = $D011
.label VIC_RASTER   = $D012
.label VIC_SPRITES  = $D015
.label VIC_CONTROL2 = $D016
.label VIC_EXPAND_Y = $D017
.label VIC_MEMORY   = $D018
.label VIC_IRQ      = $D019
.label VIC_IRQ_MASK = $D01A
.label VIC_PRIORITY = $D01B
.label VIC_MULTI    = $D01C
.label VIC_EXPAND_X = $D01D
.label VIC_BORDER   = $D020
.label VIC_GROUND   = $D021
.label VIC_SPRITE_COLOUR = $D027
.label CIA2_PORT_A  = $DD00

.macro Text(s) {
    .for (var i = 0; i < s.size(); i++) .byte s.charAt(i) - 32
        .byte TEXT_END
}

// At - the next character goes to a place known at assembly time
.macro At(column, row) {
        ldx #column
        ldy #row
        jsr MoveTo
}

// Say - print a text known at assembly time, in a colour
.macro Say(text, colour) {
        lda #colour
        sta Ink
        lda #<text
        ldy #>text
        jsr Print
}

.label ScreenText = SCREEN              // for hosts
Ink:    .byte WHITE
Number: .word 0
Digits: .byte 0, 0, 0
RowLo:  .fill 25, <(SCREEN + i*COLUMNS)
RowHi:  .fill 25, >(SCREEN + i*COLUMNS)

// ClearScreen - blanks everywhere
//
// Clobbers: A, X
ClearScreen: {
        lda #0
        tax
next:   .for (var page = 0; page < 4; page++) {
        sta SCREEN + page*250,x
        }
        inx
        cpx #250
        bne next
        rts
}

// ClearPanel - blanks beside the board
//
// Clobbers: A, X, Y
ClearPanel: {
        ldy #24
next:   sty row
        jsr ClearRow
        ldy row
        dey
        bpl next
        rts
row:    .byte 0
}

// ClearRow - blanks in one row of the panel
//
// In:       Y = row
// Clobbers: A, X, Y
ClearRow: {
        ldx #PANEL
        jsr MoveTo
        ldy #PANEL_WIDTH-1
        lda #0
next:   sta (zpScreen),y
        dey
        bpl next
        rts
}

// MoveTo - choose where the next character goes
//
// In:       X = column, Y = row
// Clobbers: A
MoveTo: {
        txa
        clc
        adc RowLo,y
        sta zpScreen
        sta zpColour
        lda RowHi,y
        adc #0
        sta zpScreen+1
        clc
        adc #>(COLOURS - SCREEN)
        sta zpColour+1
        rts
}

// PutChar - one character, and on to the next place
//
// In:       A = glyph
// Clobbers: A, Y
PutChar: {
        ldy #0
        sta (zpScreen),y
        lda Ink
        sta (zpColour),y
        inc zpScreen
        inc zpColour
        bne done
        inc zpScreen+1
        inc zpColour+1
done:   rts
}

// PrintNth - one of several texts that follow each other
//
// In:       A, Y = address of the first one, X = number of the text
// Out:      zpText = the byte after its end
// Clobbers: A, X, Y
PrintNth: {
        sta zpText
        sty zpText+1
skip:   dex
        bmi PrintNext
find:   jsr NextText
        bne find
        beq skip                        // always
}

// Print - a text
// PrintNext - the text at zpText
//
// In:       A, Y = its address, low and high
// Out:      zpText = the byte after its end
// Clobbers: A, Y
Print: {
        sta zpText
        sty zpText+1
}
PrintNext: {
        jsr NextText
        beq NextText.done
        jsr PutChar
        jmp PrintNext
}

// NextText - the next byte of a text, from the RAM below everything
//
// In:       zpText
// Out:      A, zpText = the byte after it; Z = 1 at TEXT_END
// Clobbers: Y
NextText: {
        php
        sei                             // the interrupt needs the chips
        lda #ALL_RAM
        sta CPU_PORT
        ldy #0
        lda (zpText),y
        ldy #ALL_RAM_IO
        sty CPU_PORT
        plp
        inc zpText
        bne low
        inc zpText+1
low:    cmp #TEXT_END
done:   rts
}

// ThreeDigits - a number below 1,000 as glyphs, blanks in front
//
// In:       Number, Number+1
// Out:      Digits
// Clobbers: A, X, Y, Number
ThreeDigits: {
        ldx #'0'-32
hundred: lda Number
        sec
        sbc #100
        tay
        lda Number+1
        sbc #0
        bcc tens
        sta Number+1
        sty Number
        inx
        bne hundred
tens:   lda Number
        jsr TwoDigits
        sta Digits+2
        sty Digits+1
        stx Digits
        ldx #0                          // leading zeros become blanks
next:   lda Digits,x
        cmp #'0'-32
        bne done
        lda #0
        sta Digits,x
        inx
        cpx #2
        bne next
done:   rts
}

// TwoDigits - a number below 100
//
// In:       A
// Out:      Y = glyph of the tens, A = glyph of the ones
TwoDigits: {
        ldy #'0'-32
        sec
next:   sbc #10
        bcc done
        iny
        bcs next
done:   adc #10+'0'-32
        rts
}
