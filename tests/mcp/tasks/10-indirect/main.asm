// vector.asm - jumps through a vector
.label Vector = $c0ff
.label Answer = $c200

*=$1000
// Dispatch - jumps to the routine that Vector names
Dispatch: {
        jmp (Vector)
}

// SetVector - X = 0: First, else Second
SetVector: {
        lda Low,x
        sta Vector
        lda High,x
        sta Vector + 1
        jmp Dispatch
}
First:  lda #1
        sta Answer
        rts
Second: lda #2
        sta Answer
        rts
Low:    .byte <First, <Second
High:   .byte >First, >Second
