// expressions.asm - numbers in BASIC's text: + - * / ( ) PEEK and constants, no variables, $AD8A-$B8xx
//
// Provides: Poke, SyntaxError, and the entries at their addresses
// Uses:     numbers.asm, number-text.asm, statements.asm (Error), basic-names.asm
#importonce

// A number from the text to Fac
        :To($AD8A)
        jmp Sum
        :To($AD8D)
        rts                     // tempo: allow(W0302) an entry
        :To($AD8F)
        sec
        jmp typeMismatch
typeMismatch:
        ldx #TYPE_MISMATCH
        jmp Error
        :To($AD9E)
        jmp Sum
        :To($AE83)
        jmp Operand
        :To($AEA8)
Pi:     .byte $82, $49, $0F, $DA, $A1
        :To($AEF1)
Brackets:
        jsr OpenBracket
        jsr Sum
        :To($AEF7)
CloseBracket:
        lda #')'
        .byte $2C               // skips the next instruction
        :To($AEFA)
OpenBracket:
        lda #'('
        .byte $2C
        :To($AEFD)
Comma:  lda #','
        :To($AEFF)
Expect: {                       // the character in A
        ldy #0
        cmp (TextLo),y
        bne SyntaxError
        jmp ChrGet
}
        :To($AF08)
SyntaxError:
        ldx #SYNTAX
        jmp Error

        :Absent($AF28)

// The number in Fac goes to the stack, and comes back to Arg
.macro PushFac() {
        jsr Round
        ldx #0
push:   lda Fac,x
        pha
        inx
        cpx #6
        bne push
}
.macro PullArg() {
        ldx #5
pull:   pla
        sta Arg,x
        dex
        bpl pull
        jsr CompareSigns
}

// Sum, Term, Operand - levels of an expression
//
// Out:      Fac; TextLo at what follows
// Clobbers: A, X, Y
Sum: {
        jsr Term
next:   jsr ChrGot
        cmp #TOKEN_PLUS
        beq operator
        cmp #TOKEN_MINUS
        beq operator
        lda #0
        sta ValueType
        rts
operator:
        pha
        :PushFac()
        jsr ChrGet
        jsr Term
        :PullArg()
        pla
        cmp #TOKEN_MINUS
        beq minus
        jsr Add
        jmp next
minus:  jsr Subtract
        jmp next
}
        :Absent($AFA7)
Term: {
        jsr Operand
next:   jsr ChrGot
        cmp #TOKEN_TIMES
        beq operator
        cmp #TOKEN_DIVIDE
        beq operator
        rts
operator:
        pha
        :PushFac()
        jsr ChrGet
        jsr Operand
        :PullArg()
        pla
        cmp #TOKEN_DIVIDE
        beq divide
        jsr Multiply
        jmp next
divide: jsr Divide
        jmp next
}
Operand: {
        jsr ChrGot
        bcc number
        cmp #'.'
        beq number
        cmp #TOKEN_MINUS
        beq minus
        cmp #TOKEN_PLUS
        beq plus
        cmp #'('
        beq brackets
        cmp #TOKEN_PEEK
        beq peek
        cmp #$FF                // pi
        beq pi
        cmp #'A'
        bcc wrong
        jmp $AF28               // a variable, a function or another operator
wrong:  jmp SyntaxError
number: jsr ChrGot
        jmp NumberFromText
minus:  jsr ChrGet
        jsr Operand
        jmp Negate
plus:   jsr ChrGet
        jmp Operand
brackets:
        jmp Brackets
pi:     lda #<Pi
        ldy #>Pi
        jsr LoadFac
        jmp ChrGet
peek:   jsr ChrGet
        jsr Brackets
        lda IntegerHi
        pha
        lda IntegerLo
        pha
        jsr ToAddress
        ldy #0
        lda (IntegerLo),y
        tay
        pla
        sta IntegerLo
        pla
        sta IntegerHi
        jmp ByteToFac
}

// A number between -32768 and 32767: Fac to an integer in Fac + 3 (the high byte) and Fac + 4
        :To($B1AA)
        jsr ToSigned
        lda Fac + 3
        ldy Fac + 4
        rts
        :To($B1BF)
ToSigned: {
        lda Fac
        cmp #$90
        bcc fits
        lda #<least
        ldy #>least
        jsr Compare
        bne IllegalQuantity
fits:   jmp ToInteger
least:  .byte $90, $80, $00, $00, $00   // -32768
}
        :To($B248)
IllegalQuantity:
        ldx #ILLEGAL_QUANTITY
        jmp Error
#import "number-parts.asm"

// A signed number in A (high byte) and Y to Fac
        :To($B391)
SignedToFac:
        ldx #0
        stx ValueType
        sta Fac + 1
        sty Fac + 2
        ldx #$90
        jmp WordToFac
        :To($B3A2)
ByteToFac:                      // Y
        lda #0
        beq SignedToFac         // always

// A byte from the text to X
        :To($B79B)
        jsr ChrGet
        :To($B79E)
ByteFromText:
        jsr Sum
        :To($B7A1)
FacToByte: {
        jsr ToSigned
        ldx Fac + 4
        lda Fac + 3
        bne TooLargeForByte
        jmp ChrGot
}
        :Absent($B7AD)
TooLargeForByte:
        jmp IllegalQuantity

// An address and a byte, with a comma between them
        :To($B7EB)
AddressAndByte:
        jsr Sum
        jsr ToAddress
        :To($B7F1)
        jsr Comma
        jmp ByteFromText

// ToAddress - Fac as an unsigned number
//
// Out:      A = high, Y = low byte, and IntegerLo
        :To($B7F7)
ToAddress: {
        lda FacSign
        bmi NoAddress
        lda Fac
        cmp #$91
        bcs NoAddress
        jsr ToInteger
        lda Fac + 3
        ldy Fac + 4
        sty IntegerLo
        sta IntegerHi
        rts
}
        :Absent($B80D)
NoAddress:
        jmp IllegalQuantity
        :To($B824)
Poke:   jsr AddressAndByte
        txa
        ldy #0
        sta (IntegerLo),y
        rts
