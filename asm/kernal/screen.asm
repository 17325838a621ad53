// screen.asm - the screen editor's output: characters, control codes, quote and insert mode, the cursor's blinking
//
// Provides: InitEditor, ScreenOut, BlinkCursor, HideCursor, ScreenSize
// Uses:     lines.asm (rows, logical lines, scrolling), names.asm
#importonce

// InitEditor - the VIC, the keyboard's settings and an empty screen (CINT)
//
// Clobbers: A, X, Y
InitEditor: {
        ldx #vicEnd - vicStart - 1
vic:    lda vicStart,x
        sta VIC + $11,x
        dex
        bpl vic
        ldx #$10
        lda #0
sprites:
        sta VIC,x
        dex
        bpl sprites
        sta CaseLock
        sta CursorShown
        sta QuoteMode
        sta InsertCount
        sta Reverse
        sta KeyCount
        sta OpenFiles
        sta ReadingLine
        sta InputDevice
        lda #<DecodeKey
        sta VECTOR_KEYS
        lda #>DecodeKey
        sta VECTOR_KEYS + 1
        lda #10
        sta KeyBufferSize
        sta RepeatDelay
        lda #14
        sta Colour
        lda #4
        sta RepeatCount
        lda #12
        sta BlinkCount
        lda #1
        sta CursorOff
        lda #3
        sta OutputDevice
        jsr ClearScreen
        // The two standards differ in their last line, 311 or 262.
edge:   bit VIC + $11
        bpl edge                // until bit 8 of the line is set
last:   lda VIC + $12
        bit VIC + $11
        bpl known               // the line before was the last
        tax
        jmp last
known:  lda #<JIFFY_NTSC
        ldy #>JIFFY_NTSC
        cpx #$20
        ldx #0                  // keeps C
        bcc timer
        inx
        lda #<JIFFY
        ldy #>JIFFY
timer:  stx PalFlag
        sty zpScratch
        ldx zpScratch
        jmp StartTimer
vicStart:
        .byte $1B, $00, $00, $00, $00, $C8, $00, $15, $0F, $00
        .byte $00, $00, $00, $00, $00, $0E, $06, $01, $02, $03, $04, $00
        .byte $01, $02, $03, $04, $05, $06, $07, $0C
vicEnd:
}

// ScreenSize - columns and rows
ScreenSize:
        ldx #COLUMNS
        ldy #ROWS
        rts

// ScreenOut - print a character or do what a control code says
//
// In:       A = PETSCII
// Keeps:    A, X, Y
ScreenOut: {
        pha
        sta PrintChar
        txa
        pha
        tya
        pha
        lda #0
        sta ReadingLine         // what is left of a line being read is given up
        ldy Column
        lda PrintChar
        bmi high
        cmp #RETURN
        beq return
        cmp #SPACE
        bcc lowControl
        cmp #$60
        bcc letters
        and #%11011111          // $60-$7F: screen codes $40-$5F
        bne put                 // always
letters:
        jsr ToggleQuote
        and #%00111111
put:    jsr PutCode
done:   pla
        tay
        pla
        tax
        pla
        clc
        rts

return: jsr NewLine
        jmp done

lowControl:
        ldx InsertCount
        bne literal
        cmp #$14                // DEL works in quote mode
        bne notDel
        jsr Delete
        jmp done
notDel: ldx QuoteMode
        bne literal
        jsr Control
        jmp done

high:   and #%01111111
        cmp #RETURN
        beq return
        cmp #$7F
        bne notPi
        lda #$5E
        bne put                 // always
notPi:  cmp #SPACE
        bcc highControl
        cmp #$40
        bcs put
        ora #%01000000          // $A0-$BF: screen codes $60-$7F
        bne put                 // always
highControl:
        ora #%01000000          // as it looks when it is not carried out
        ldx QuoteMode
        bne literal
        ldx PrintChar
        cpx #$94                // INST opens more than one cell
        beq carryOut
        ldx InsertCount
        bne literal
carryOut:
        lda PrintChar
        jsr Control
        jmp done

literal:
        ora #%10000000          // control codes show as reversed letters
        jsr PutRaw
        jmp done
}

// ToggleQuote - a quotation mark begins or ends quote mode
//
// Keeps:    A, X, Y
ToggleQuote: {
        cmp #QUOTE
        bne no
        pha
        lda QuoteMode
        eor #1
        sta QuoteMode
        pla
no:     rts
}

// PutCode - a screen code at the cursor, reversed if that is switched on; the cursor moves on
//
// In:       A = screen code
// Clobbers: A, X, Y
PutCode: {
        ldx Reverse
        beq PutRaw
        ora #%10000000
}                               // falls through
PutRaw: {
        ldx InsertCount
        beq store
        dec InsertCount
store:  ldy Column
        sta (LineLo),y
        lda Colour
        sta (ColourLo),y
        jmp Advance
}

// Control - carry out a control code
//
// In:       A = PETSCII $00-$1F or $80-$9F
// Clobbers: A, X, Y
Control: {
        ldx #15
colours:
        cmp ColourCodes,x
        beq colour
        dex
        bpl colours
        ldx #codesEnd - codes - 1
find:   cmp codes,x
        beq found
        dex
        bpl find
        rts
colour: stx Colour
        rts
found:  lda highs,x
        pha
        lda lows,x
        pha
        rts                     // to the routine, whose address minus 1 is on the stack

codes:  .byte $08, $09, $0E, $8E, $11, $91, $1D, $9D, $12, $92, $13, $93, $94, $14
codesEnd:
.var routines = List().add(lock, unlock, lower, upper, CursorDown, CursorUp, CursorRight, CursorLeft, reverse, plain, Home, ClearScreen, Insert, Delete)
lows:   .fill codesEnd - codes, <(routines.get(i) - 1)
highs:  .fill codesEnd - codes, >(routines.get(i) - 1)

lock:   lda #%10000000
        ora CaseLock
        bmi setLock             // always
unlock: lda #%01111111
        and CaseLock
setLock:
        sta CaseLock
        rts
lower:  lda VIC_MEMORY
        ora #%00000010
        bne setCase             // always
upper:  lda VIC_MEMORY
        and #%11111101
setCase:
        sta VIC_MEMORY
        rts
plain:  lda #0
        .byte $2C               // skips the next instruction
reverse:
        lda #1
        sta Reverse
        rts
}

ColourCodes:                    // by colour number
        .byte $90, $05, $1C, $9F, $9C, $1E, $1F, $9E, $81, $95, $96, $97, $98, $99, $9A, $9B

// BlinkCursor - every 20 jiffies the cell under the cursor is reversed, unless the cursor is off
//
// Clobbers: A, X, Y
BlinkCursor: {
        lda CursorOff
        bne done
        dec BlinkCount
        bne done
        lda #20
        sta BlinkCount
        ldy Column
        lda CursorShown
        eor #1
        sta CursorShown
        beq hide
        lda (LineLo),y
        sta UnderCursor
        eor #%10000000
        sta (LineLo),y
        lda (ColourLo),y
        sta ColourUnderCursor
        lda Colour
        sta (ColourLo),y
        rts
hide:   lda UnderCursor
        sta (LineLo),y
        lda ColourUnderCursor
        sta (ColourLo),y
done:   rts
}

// HideCursor - switch the cursor off and put back what is under it
//
// Clobbers: A, Y
HideCursor: {
        lda #1
        sta CursorOff
        lda CursorShown
        beq done
        lda #0
        sta CursorShown
        ldy Column
        lda UnderCursor
        sta (LineLo),y
        lda ColourUnderCursor
        sta (ColourLo),y
done:   rts
}

// ShowCursor - let the cursor blink, beginning soon
//
// Clobbers: A
ShowCursor: {
        lda CursorOff
        beq done
        lda #1
        sta BlinkCount
        lda #0
        sta CursorOff
done:   rts
}
