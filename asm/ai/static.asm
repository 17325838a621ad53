// static.asm - the value of a full node whose moves are not searched
//
// Provides: QuiesceNode, Static
// Uses:     search.asm (LoadBeta), quiesce.asm, terms.asm, endgame.asm (ModeStatic), storage.asm
//
// search.asm asks for the static value to prune a node, and for that of the captures
// where no depth is left.
#importonce

// QuiesceNode - the value of a full node without depth
//
// In:       zpPly, its window
// Out:      zpValueLo/Hi
QuiesceNode: {
        lda zpState             // en passant, for the first capture only
        pha
        lda zpSide
        bpl black
        lda NodeAlphaLo,x
        sta zpAlphaLo
        lda NodeAlphaHi,x
        sta zpAlphaHi
        lda NodeBetaLo,x
        sta zpBetaLo
        lda NodeBetaHi,x
        sta zpBetaHi
        jsr QuiesceWhite.counted
        bcs toBeta
        lda zpAlphaLo
        sta zpValueLo
        lda zpAlphaHi
        sta zpValueHi
        pla
        sta zpState
        rts
toBeta: pla
        sta zpState
        ldx zpPly
        jmp LoadBeta
black:  sec
        lda #0
        sbc NodeBetaLo,x
        sta zpAlphaLo
        lda #0
        sbc NodeBetaHi,x
        sta zpAlphaHi
        sec
        lda #0
        sbc NodeAlphaLo,x
        sta zpBetaLo
        lda #0
        sbc NodeAlphaHi,x
        sta zpBetaHi
        jsr QuiesceBlack.counted
        bcs toBeta
        sec
        lda #0
        sbc zpBetaLo
        sta zpValueLo
        lda #0
        sbc zpBetaHi
        sta zpValueHi
        pla
        sta zpState
        rts
}

// Static - the static value for the side to move; the terms only near the window
//
// In:       zpPly, its window
// Out:      zpValueLo/Hi
// Clobbers: A, X, Y, zpStaticLo/Hi
// Cycles:   435 near the window, 86 far from it
Static: {
        lda zpMode
        bne special
        ldx zpPly
        lda zpSide
        bpl black
        clc
        lda zpScoreLo
        adc TermTempo
        sta zpValueLo
        lda zpScoreHi
        adc #0
        sta zpValueHi
        jmp window
black:  sec
        lda TermTempo
        sbc zpScoreLo
        sta zpValueLo
        lda #0
        sbc zpScoreHi
        sta zpValueHi
window: sec                     // value - beta >= LAZY?
        lda zpValueLo
        sbc NodeBetaLo,x
        tay
        lda zpValueHi
        sbc NodeBetaHi,x
        bmi below
        bne far
        tya
        bmi far
        bpl near                // always
below:  sec                     // alpha - value >= LAZY?
        lda NodeAlphaLo,x
        sbc zpValueLo
        tay
        lda NodeAlphaHi,x
        sbc zpValueHi
        bmi near
        bne far
        tya
        bmi far
near:   lda #0
        sta zpStaticLo
        sta zpStaticHi
        jsr AddTerms
add:    lda zpSide
        bpl other
        clc
        lda zpValueLo
        adc zpStaticLo
        sta zpValueLo
        lda zpValueHi
        adc zpStaticHi
        sta zpValueHi
far:    rts
other:  sec
        lda zpValueLo
        sbc zpStaticLo
        sta zpValueLo
        lda zpValueHi
        sbc zpStaticHi
        sta zpValueHi
        rts
special:
        lda #0
        sta zpValueLo
        sta zpValueHi
        lda zpSide
        jsr ModeStatic
        jmp add
}
