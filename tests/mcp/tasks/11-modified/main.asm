// print.asm - writes bytes one after the other by changing its own operand
.label Start = $2000

*=$1000
// Reset - the next byte goes to Start
Reset: {
        lda #<Start
        sta Put.target + 1
        lda #>Start
        sta Put.target + 1
        rts
}

// Put - A is stored, and the next byte goes after it
Put: {
target: sta Start
        inc target + 1
        bne done
        inc target + 2
done:   rts
}
