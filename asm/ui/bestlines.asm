// bestlines.asm - the lines of an analysis
//
// Provides: FilterRoot, ShowAnalysed, AnalysedLines
// Uses:     panel.asm (ShowThinking), screen.asm (MoveTo), storage.asm (NodeFrom, NodeTotal, BestMoveFrom), setup.asm (AfterCheckBoard, AfterSetUpPage), parts.asm
#importonce

* = AfterCheckBoard "Root of an analysis"
// FilterRoot - take the first moves of the lines so far off the root's list
//
// Out:      A = NodeTotal
// Clobbers: X, Y
FilterRoot: {
        ldy AnalysedLines
next:   dey
        bmi done
        ldx #0
find:   lda NodeFrom,x
        cmp AnalysedFrom,y
        bne other
        lda NodeTo,x
        cmp AnalysedTo,y
        beq found
other:  inx
        cpx NodeTotal
        bne find
        beq next                        // always
found:  dec NodeTotal
close:  lda NodeFrom+1,x                // those after it move up
        sta NodeFrom,x
        lda NodeTo+1,x
        sta NodeTo,x
        inx
        cpx NodeTotal
        bcc close
        bcs next                        // always
done:   lda NodeTotal
        rts
}
        PartEnds(1)

* = AfterSetUpPage "Lines of an analysis"
AnalysedLines: .byte 0                  // lines of this depth so far
AnalysedFrom:  .fill LINES_MOST, 0
AnalysedTo:    .fill LINES_MOST, 0

// ShowAnalysed - value and line of the search that has ended; its move is known from here on
//
// Clobbers: A, X, Y
ShowAnalysed: {
        sei                             // the interrupt shows them, too
        jsr ShowThinking
        cli
        ldx AnalysedLines
        inc AnalysedLines
        lda BestMoveFrom
        sta AnalysedFrom,x
        lda BestMoveTo
        sta AnalysedTo,x
        ldy rows,x
        ldx #PANEL
        jsr MoveTo
        ldy #PANEL_WIDTH+COLUMNS-1      // the line, and the value above it
copy:   lda SCREEN + ROW_THINK*COLUMNS + PANEL,y
        sta (zpScreen),y
        lda #GREEN
        sta (zpColour),y
        dey
        cpy #COLUMNS-1
        bne more
        ldy #PANEL_WIDTH-1              // the board is between them
more:   tya
        bpl copy
        rts
rows:   .byte ROW_MOVES, ROW_MOVES+3, ROW_MOVES+6
}
        PartEnds(2)
