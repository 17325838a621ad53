// analyse.asm - the three best moves, deeper and deeper
//
// Provides: Analyse
// Uses:     ai/root.asm (FindBestMove, RootListed), ai/clock.asm (SetLevel), bestlines.asm (FilterRoot,
//           ShowAnalysed), offers.asm (DoOffer), play.asm (DrawInput), storage.asm (NodeTotal)
#importonce

.const LINES_MOST  = 3
.const JSR_OPCODE  = $20
.const LDA_OPCODE  = $AD

// Analyse - until a key is pressed
//
// Each depth is searched once for every line, without the moves of the lines before it: the search calls
// FilterRoot when it has listed its moves.
//
// Clobbers: A, X, Y, what the search keeps
Analyse: {
        jsr IsOver
        bcs DoOffer.done                // a branch away
        lda MoveCount
        sta count
        ldy #ROW_MOVES+MOVE_ROWS-1
rows:   sty depth
        jsr ClearRow
        ldy depth
        dey
        cpy #ROW_MOVES
        bcs rows
        lda #JSR_OPCODE
        ldx #<FilterRoot
        ldy #>FilterRoot
        jsr patch
        lda #0
        sta Abandoned
        sta BookOn
        sta depth
        lda #1
        sta Thinking
deeper: inc depth
        lda #0
        sta AnalysedLines
line:   lda #LEVELS-1
        jsr SetLevel
        lda #$FF                        // hours
        sta SearchTime+2
        lda depth
        sta SearchLevel
        jsr FindBestMove
        lda SearchStop
        bne over
        jsr ShowAnalysed
        lda depth
        cmp #MAX_LEVEL
        bcs over
        lda AnalysedLines
        cmp count
        beq deeper
        cmp #LINES_MOST
        bcs deeper
        bcc line                        // always
over:   lda #0
        sta Thinking
        inc BookOn
        lda #LDA_OPCODE
        ldx #<NodeTotal
        ldy #>NodeTotal
        jsr patch
        ldx SearchSide
        jsr GenerateLegalMoves
        jmp DrawInput
patch:  sta RootListed
        stx RootListed+1
        sty RootListed+2
        rts
depth:  .byte 0
count:  .byte 0                         // legal moves
}
