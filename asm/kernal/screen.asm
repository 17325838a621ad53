// screen.asm - the screen editor at its addresses, $E500-$ECFF: cursor, characters, control codes, interrupt, tables
//
// Provides: IoBase, ScreenSize, Plot, InitEditor's first half (InitScreen), the addresses of routines in lines.asm,
//           KeyboardTake, ToggleQuote, PutCode, ScreenOut, BlinkCursor, HideCursor, ShowCursor,
//           JiffyInterrupt, ScanKeyboard, the key tables, the defaults of the chips, RowLow
// Uses:     lines.asm (rows, logical lines), input.asm, keyboard.asm, names.asm
#importonce

        :To($E500)
IoBase: ldx #<$DC00             // where the CIAs are
        ldy #>$DC00
        rts
        :To($E505)
ScreenSize:                     // columns and rows
        ldx #COLUMNS
        ldy #ROWS
        rts

// Plot - read or set the cursor
//
// In:       C = 1 read, C = 0 set; X = row, Y = column
// Out:      X = row, Y = column in the line
        :To($E50A)
Plot: {
        bcs read
        :To($E50C)
        stx Row
        sty Column
        jsr $E56C
read:   ldx Row
        ldy Column
        rts
}

// InitScreen - the VIC, the keyboard's settings and an empty screen
        :To($E518)
InitScreen: {
        jsr InitVic
        lda #0
        sta CaseLock
        sta CursorShown
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
        sta CursorOff
}                               // falls through
        :To($E544)
        jmp ClearScreen
        :To($E566)
        jmp Home
        :To($E56C)
        jmp FindLine

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

// InitVic - input from the keyboard, output to the screen, the VIC's registers as they should be
        :To($E59A)
        jsr InitVic
        jmp Home
        :To($E5A0)
InitVic: {
        lda #3
        sta OutputDevice
        lda #0
        sta InputDevice
        :To($E5A8)              // the registers alone
        ldx #VicEnd - VicDefaults
next:   lda VicDefaults - 1,x
        sta VIC - 1,x
        dex
        bne next
        rts
}

// KeyboardTake - the first character of the keyboard buffer, which is not empty; interrupts are off until then
//
// Out:      A = PETSCII, C = 0
// Clobbers: X, Y
        :To($E5B4)
KeyboardTake: {
        ldy KeyBuffer
        ldx #0
shift:  lda KeyBuffer + 1,x
        sta KeyBuffer,x
        inx
        cpx KeyCount
        bne shift
        dec KeyCount
        tya
        cli
        clc
        rts
}

        :Absent($E5CA)

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

        :To($E632)
        jmp EditorIn

// ToggleQuote - a quotation mark begins or ends quote mode
//
// Keeps:    A, X, Y
        :To($E684)
ToggleQuote: {
        cmp #QUOTE
        bne no
        lda QuoteMode
        eor #1
        sta QuoteMode
        lda #QUOTE
no:     rts
}

// PutCode - a screen code at the cursor, reversed if that is switched on; the cursor moves on
//
// In:       A = screen code
// Clobbers: A, X, Y
        :To($E691)
        ora #%01000000          // tempo: allow(W0302) an entry
        :To($E693)
PutCode: {
        ldx Reverse
        beq PutRaw
        ora #%10000000
}                               // falls through
PutRaw: {
        ldx InsertCount
        beq store
        dec InsertCount
store:  ldx Colour
        jsr PutColoured
        jmp Advance
}
        :To($E6B6)
        jmp Advance

// ScreenOut - print a character or do what a control code says
//
// In:       A = PETSCII
// Keeps:    A, X, Y
        :To($E716)
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

// Control - carry out a control code
//
// In:       A = PETSCII $00-$1F or $80-$9F
// Clobbers: A, X, Y
Control: {
        jsr FindColour
        beq done
        ldx #codesEnd - codes - 1
find:   cmp codes,x
        beq found
        dex
        bpl find
done:   rts
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

// FindColour - the colour of a control code becomes that of the cursor
//
// In:       A = PETSCII
// Out:      Z = 1 it was a colour's
// Clobbers: X
        :To($E8CB)
FindColour: {
        ldx #15
next:   cmp ColourCodes,x
        beq found
        dex
        bpl next
        rts                     // Z = 0
found:  stx Colour
        rts
}
        :To($E8DA)
ColourCodes:                    // by colour number
        .byte $90, $05, $1C, $9F, $9C, $1E, $1F, $9E, $81, $95, $96, $97, $98, $99, $9A, $9B
        :To($E8EA)
        jmp ScrollUp

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

        :To($E9F0)
        jmp RowAddress
        :To($E9FF)
        jmp ClearRow

// PutColoured - a cell at the cursor, and the cursor's next blink a little later
//
// In:       A = screen code, X = colour
// Clobbers: A, Y
        :To($EA13)
PutColoured: {
        tay
        lda #2
        sta BlinkCount
        jsr ColourAddress
        tya
        :To($EA1C)              // without the addresses
        ldy Column
        sta (LineLo),y
        txa
        sta (ColourLo),y
        rts
}

// ColourAddress - ColourLo for the line at LineLo
//
// Clobbers: A
        :To($EA24)
ColourAddress: {
        lda LineLo
        sta ColourLo
        lda LineHi
        and #%00000011
        ora #>$D800
        sta ColourHi
        rts
}

// JiffyInterrupt - the usual interrupt, 60 times a second: clock, cursor, keyboard
//
// In:       A, X, Y of the program on the stack, as $FF48 leaves them
        :To($EA31)
JiffyInterrupt: {
        jsr $FFEA               // UDTIM
        jsr BlinkCursor
        jmp EndWithKeys
}

// InitEditor - all of the screen editor, and the timer for this television standard (CINT)
//
// Clobbers: A, X, Y
InitEditor: {
        jsr InitScreen
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
}

        :To($EA7B)
EndWithKeys:
        jsr ScanKeyboard
        :To($EA7E)
        lda CIA1_ICR            // the acknowledgement
        :To($EA81)
EndOfInterrupt:
        pla
        tay
        pla
        tax
        pla
        rti

// ScanKeyboard - look at the keys and put a new one into the buffer (SCNKEY)
//
// Out:      CurrentKey = column * 8 + row of the key, 64 if none; Shifts = which shift keys are held
// Clobbers: A, X, Y
        :To($EA87)
ScanKeyboard: {
        lda #0
        sta Shifts
        ldy #NO_KEY
        sty CurrentKey
        sta CIA1_A              // all columns
        ldx CIA1_B
        cpx #$FF
        beq decode              // no key at all
        tay                     // the key's number
        lda #%11111110
columns:
        sta CIA1_A
        pha
steady: lda CIA1_B
        cmp CIA1_B
        bne steady              // in motion
        ldx #8
rows:   lsr
        bcs up
        pha
        lda KeysPlain,y
        cmp #$05
        bcs key
        cmp #$03                // STOP is a key, the others with low codes are shifts
        beq key
        ora Shifts
        sta Shifts
        bpl pressed             // always
key:    sty CurrentKey
pressed:
        pla
up:     iny
        dex
        bne rows
        pla
        sec
        rol                     // the next column
        cpy #NO_KEY
        bcc columns
decode: lda #%01111111
        sta CIA1_A              // STOP's column stays selected
        jmp (VECTOR_KEYS)
}

        :To($EB48)
        jmp DecodeKey
#import "keytables.asm"

        :To($EC44)
        jmp LowerCase
        :To($EC4F)
        jmp UpperCase

// LowerCase, UpperCase - CHR$(14) and CHR$(142)
LowerCase:
        lda #$0E
        .byte $2C               // skips the next instruction
UpperCase:
        lda #$8E
        jmp ScreenOut

        :To($EC78)
KeysControl:
        .byte $FF, $FF, $FF, $FF, $FF, $FF, $FF, $FF
        .byte $1C, $17, $01, $9F, $1A, $13, $05, $FF
        .byte $9C, $12, $04, $1E, $03, $06, $14, $18
        .byte $1F, $19, $07, $9E, $02, $08, $15, $16
        .byte $12, $09, $0A, $92, $0D, $0B, $0F, $0E
        .byte $FF, $10, $0C, $FF, $FF, $1B, $00, $FF
        .byte $1C, $FF, $1D, $FF, $FF, $1F, $1E, $FF
        .byte $90, $06, $FF, $05, $FF, $FF, $11, $FF
        .byte $FF

        :To($ECB9)
VicDefaults:                    // $D000-$D02E
        .fill 17, 0
        .byte $1B, $00, $00, $00, $00, $C8, $00, $15, $0F, $00
        .byte $00, $00, $00, $00, $00, $0E, $06, $01, $02, $03, $04, $00
        .byte $01, $02, $03, $04, $05, $06, $07, $0C
VicEnd:
        :To($ECF0)
RowLow: .fill ROWS, <(i * COLUMNS)
