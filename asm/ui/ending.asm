// ending.asm - the result of a game that was read
//
// Provides: EndAsRecorded
// Uses:     record.asm (GamePly, GameLength, GameResult, GameDrawn, IsOver)
#importonce

// EndAsRecorded - after all of its moves the game has the result that was read with it
//
// Clobbers: A
EndAsRecorded: {
        jsr IsOver                      // the board has the first word
        bcs done
        lda GamePly
        cmp GameLength
        bne done
        lda GamePly+1
        cmp GameLength+1
        bne done
        lda GameResult
        sta GameDrawn
done:   rts
}
