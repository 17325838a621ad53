// claims.asm - draws that the rules allow to claim
//
// Provides: ClaimIfWorse, DoClaim
// Uses:     record.asm (GameState), resign.asm (OwnValue), play.asm (End)
#importonce

// ClaimIfWorse - the C64 claims a draw when it does not stand better
//
// Out:      C = 1 claimed
// Clobbers: A, X, Y
ClaimIfWorse: {
        lda GameState
        cmp #GAME_DRAW_50
        bcc done                        // nothing to claim
        lda OwnValue+1
        bmi claim
        ora OwnValue
        beq claim
        clc
done:   rts
claim:  jsr DoClaim
        sec
        rts
}

// DoClaim - a draw, where the rules allow to claim it
//
// Clobbers: A, X, Y
DoClaim: {
        lda GameState
        cmp #GAME_DRAW_50
        bcc done
        lda #ENDED_CLAIMED
        jmp End
done:   rts
}
