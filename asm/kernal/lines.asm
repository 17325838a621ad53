// lines.asm - rows of the screen and the logical lines of one or two rows that they form
//
// Provides: ClearScreen, Home, FindLine, ClearRow, ScrollUp, OpenRow, Advance, NewLine, the cursor keys, Insert, Delete
// Uses:     screen.asm (RowLow), names.asm
// The cursor is Row and Column. Column counts from the start of the logical line, so on its second row it is 40-79;
// LineLo and ColourLo point to the line's first cell.
#importonce

// ClearScreen - spaces in the current colour, every row its own line, the cursor at the top left
//
// Clobbers: A, X, Y
ClearScreen: {
        ldx #ROWS - 1
next:   jsr ClearRow
        dex
        bpl next
}                               // falls through

// Home - the cursor to the top left
//
// Clobbers: A, X, Y
Home:   lda #0
        sta Row
        sta Column              // falls through

// FindLine - after Row was set and Column is that of the row: Column in the line, its address and its end
//
// Clobbers: A, X, Y
FindLine: {
        ldx Row
        lda Column
up:     ldy RowLinks,x
        bmi first
        clc
        adc #COLUMNS
        dex
        bne up                  // the top row is always a first one
first:  sta Column
        jsr RowAddress
        lda #COLUMNS - 1
        inx
        cpx #ROWS
        bcs end
        ldy RowLinks,x
        bmi end
        lda #2 * COLUMNS - 1
end:    sta LineEnd
        rts
}

// RowAddress - LineLo and ColourLo for row X
//
// Clobbers: A        Keeps: X, Y
RowAddress: {
        lda RowLow,x
        sta LineLo
        sta ColourLo
        lda RowHigh,x
        pha
        clc
        adc ScreenPage
        sta LineHi
        pla
        ora #>$D800
        sta ColourHi
        rts
}

RowHigh:
        .fill ROWS, >(i * COLUMNS)

// ClearRow - spaces in row X, which becomes a separate line
//
// Clobbers: A, Y        Keeps: X
ClearRow: {
        jsr RowAddress
        lda LineHi
        ora #%10000000
        sta RowLinks,x
        ldy #COLUMNS - 1
next:   lda #SPACE
        sta (LineLo),y
        lda Colour
        sta (ColourLo),y
        dey
        bpl next
        rts
}

// ScrollUp - all rows one up, twice if the line at the top has two; Row and InputRow move along
//
// Clobbers: A, X, Y
ScrollUp: {
again:  ldx #0
next:   inx
        ldy #$FF                // copy row X to row X - 1
        jsr MoveRow
        cpx #ROWS - 1
        bne next
        jsr ClearRow
        dec Row
        dec InputRow
        lda RowLinks            // a row at the top that continues nothing goes, too
        bpl again
        rts
}

// MoveRow - copy row X to the row above (Y = $FF) or below (Y = 1), with its link
//
// Clobbers: A, Y        Keeps: X
MoveRow: {
        jsr RowAddress
        lda LineLo
        sta zpFromLo
        lda LineHi
        sta zpFromHi
        lda ColourLo
        sta zpColourFromLo
        lda ColourHi
        sta zpColourFromHi
        stx zpScratch
        tya
        clc
        adc zpScratch
        tay
        lda RowLinks,x
        and #%10000000
        pha
        tya
        tax
        jsr RowAddress
        pla
        ora LineHi
        sta RowLinks,x
        ldy #COLUMNS - 1
next:   lda (zpFromLo),y
        sta (LineLo),y
        lda (zpColourFromLo),y
        sta (ColourLo),y
        dey
        bpl next
        ldx zpScratch
        rts
}

// OpenRow - an empty row X + 1 that continues row X; the rows below move down, the last one is lost.
// On the last row everything moves up instead.
//
// In:       X = row, at most ROWS - 1
// Clobbers: A, X, Y
OpenRow: {
        cpx #ROWS - 1
        bcc room
        jsr ScrollUp
        ldx Row
room:   txa
        pha
        ldx #ROWS - 2
next:   pla
        pha
        sta zpScratch
        cpx zpScratch
        beq done
        bcc done
        ldy #1
        jsr MoveRow
        dex
        bpl next
done:   pla
        tax
        inx
        jsr ClearRow
        lda RowLinks,x
        and #%01111111
        sta RowLinks,x
        inx
        cpx #ROWS
        bcs end
        lda RowLinks,x
        ora #%10000000
        sta RowLinks,x
end:    rts
}

// Advance - the cursor one cell on after a character; a line of one row that is full takes in the next row
//
// Clobbers: A, X, Y
Advance: {
        ldy Column
        cpy LineEnd
        bcc within
        cpy #2 * COLUMNS - 1
        beq NewRow
        ldx Row                 // the row below continues this one from now on
        cpx #ROWS - 1
        bcc link
        jsr ScrollUp
        ldx Row
link:   inx
        stx Row
        lda RowLinks,x
        and #%01111111
        sta RowLinks,x
        inx
        cpx #ROWS
        bcs linked
        lda RowLinks,x
        ora #%10000000
        sta RowLinks,x
linked: lda #0
        sta Column
        jmp FindLine
within: iny
        sty Column
        cpy #COLUMNS
        bne done
        inc Row
done:   rts
}

// NewLine - RETURN: to the start of the next line; ends quote, insert and reverse mode
//
// Clobbers: A, X, Y
NewLine: {
        lda #0
        sta QuoteMode
        sta InsertCount
        sta Reverse
        lda Column              // to the line's last row
        cmp #COLUMNS
        bcs NewRow
        lda LineEnd
        cmp #COLUMNS
        bcc NewRow
        inc Row
}                               // falls through

// NewRow - the cursor to the start of the next row
//
// Clobbers: A, X, Y
NewRow: lda #0
        sta Column
        beq BelowRow            // always

// CursorDown - one row down in the same column
//
// Clobbers: A, X, Y
CursorDown:
        jsr ColumnInRow         // falls through
BelowRow: {
        ldx Row
        cpx #ROWS - 1
        bcc room
        jsr ScrollUp
room:   inc Row
        jmp FindLine
}

// CursorUp - one row up, except from the top
//
// Clobbers: A, X, Y
CursorUp: {
        lda Row
        beq done
        jsr ColumnInRow
        dec Row
        jmp FindLine
done:   rts
}

// ColumnInRow - Column as it is in the row, 0-39
//
// Clobbers: A
ColumnInRow: {
        lda Column
        cmp #COLUMNS
        bcc done
        sbc #COLUMNS            // C is set
        sta Column
done:   rts
}

// CursorRight - one cell on, into the next row if need be
//
// Clobbers: A, X, Y
CursorRight: {
        ldy Column
        cpy LineEnd
        bcs NewRow
        iny
        sty Column
        cpy #COLUMNS
        bne done
        inc Row
done:   rts
}

// CursorLeft - one cell back, into the row above if need be
//
// Clobbers: A, X, Y
CursorLeft: {
        ldy Column
        beq above
        dey
        sty Column
        cpy #COLUMNS - 1
        bne done
        dec Row
done:   rts
above:  lda Row
        beq done
        dec Row
        lda #COLUMNS - 1
        sta Column
        jmp FindLine
}

// Delete - the character left of the cursor; the rest of the line moves up
//
// Clobbers: A, X, Y
Delete: {
        lda Column
        ora Row
        beq done                // there is nothing left of it
        lda Column
        beq join
        jsr CursorLeft
        ldy Column
next:   cpy LineEnd
        bcs last
        iny
        lda (LineLo),y
        pha
        lda (ColourLo),y
        dey
        sta (ColourLo),y
        pla
        sta (LineLo),y
        iny
        bne next                // always
join:   jsr CursorLeft          // the end of the line above
        ldy Column
last:   lda #SPACE
        sta (LineLo),y
        lda Colour
        sta (ColourLo),y
done:   rts
}

// Insert - open a cell at the cursor; the rest of the line moves on, into a second row if the first is full
//
// Clobbers: A, X, Y
Insert: {
        ldy LineEnd
        lda (LineLo),y
        cmp #SPACE
        beq room
        cpy #2 * COLUMNS - 1
        beq done                // the line is full
        ldx Row
        jsr OpenRow
        jsr FindLine            // Column is below 40 here: the line had one row
        ldy LineEnd
room:   cpy Column
        beq opened
        dey
        lda (ColourLo),y
        pha
        lda (LineLo),y
        iny
        sta (LineLo),y
        pla
        sta (ColourLo),y
        dey
        jmp room
opened: lda #SPACE
        sta (LineLo),y
        lda Colour
        sta (ColourLo),y
        inc InsertCount
done:   rts
}
