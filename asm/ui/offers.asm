// offers.asm - a draw by agreement
//
// Provides: DoOffer
// Uses:     play.asm (End, SideIndex, Players), panel.asm (Message), record.asm (IsOver, GamePly), resign.asm (OwnValue)
#importonce

.const DRAW_PLIES  = 60                 // no draw is agreed before these
.const DRAW_BETTER = 20                 // ... by a side that stands better than this, in hundredths of a pawn

// DoOffer - the side to move offers a draw: another person is asked, the C64 thinks of its last search
//
// Clobbers: A, X, Y
DoOffer: {
        jsr IsOver
        bcs done
        jsr SideIndex
        txa
        eor #1
        tax
        lda Players,x
        beq ask
        lda GamePly
        cmp #DRAW_PLIES
        lda GamePly+1
        sbc #0
        bcc no
        lda OwnValue
        cmp #DRAW_BETTER
        lda OwnValue+1
        sbc #0
        bpl no
yes:    lda #ENDED_AGREED
        jmp End
ask:    lda #<question
        ldy #>question
        jsr Message
        jsr WaitKey
        cmp #'y'
        beq yes
no:     lda #<declined
        ldy #>declined
        jmp Message
done:   rts
question: Text("Agreed? Y/N")
declined: Text("Draw declined")
}
