// example.asm - the library in use: prints 12 * 34
//
// Provides: Start, PrintWord
// Uses:     math.asm

.label CHROUT = $ffd2

        BasicUpstart2(Start)

#import "math.asm"

Start: {
        lda #34
        sta Factor
        lda #12
        jsr Multiply
        lda Product
        sta Dividend
        lda Product + 1
        sta Dividend + 1
        jmp PrintWord           // returns for this routine
}

// PrintWord - a number in decimal
//
// In:       Dividend, 16 bits
// Clobbers: A, X, Y
PrintWord: {
        lda #10
        sta Divisor
        ldy #0                  // digits on the stack
digit:  jsr Divide
        ora #'0'
        pha
        iny
        lda Dividend
        ora Dividend + 1
        bne digit
print:  pla
        jsr CHROUT
        dey
        bne print
        rts
}
