// solve.asm - looking for a mate
//
// Provides: SolveMate
// Uses:     menu.asm (MateMoves), mate.asm (MateNode, MateFound), panel.asm (Message, Abandoned)
#importonce

// SolveMate - a mate in MateMoves moves at most, the shortest; RUN/STOP or F6 ends it
//
// Clobbers: A, X, Y, what the search keeps
SolveMate: {
        jsr IsOver
        bcs done
        lda #<LookingText
        ldy #>LookingText
        jsr Message
        lda #0
        sta SearchStop
        sta Abandoned
        sta moves
        lda #1
        sta Thinking
longer: inc moves
        lda moves
        asl
        sta zpDepth
        dec zpDepth                     // plies: the last one is the attacker's
        jsr SyncPosition
        lda #0
        sta NodeBaseLo
        sta NodeBaseHi
        jsr MateNode
        lda SearchStop
        bne over
        bcc none
        jmp MateFound
none:
        lda moves
        cmp MateMoves
        bne longer
over:   jsr StopLooking
        lda #<NoMateText
        ldy #>NoMateText
        jmp Message
done:   rts
moves:  .byte 0
}
