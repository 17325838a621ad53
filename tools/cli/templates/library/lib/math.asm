// math.asm - products and quotients
//
// Provides: Multiply, Divide, and the bytes they work on: Factor, Product, Dividend, Divisor, Remainder
#importonce

// Multiply - a product of two bytes
//
// In:       A = one factor, Factor = the other
// Out:      Product, 16 bits
// Clobbers: A, X
Multiply: {
        sta Product             // its bits leave to the right, those of the product come in from the left
        lda #0
        ldx #8
        lsr Product
next:   bcc shift
        clc
        adc Factor
shift:  ror
        ror Product
        dex
        bne next
        sta Product + 1
        rts
}

// Divide - a quotient of 16 bits by 8
//
// In:       Dividend, 16 bits; Divisor, not 0
// Out:      Dividend = the quotient, A and Remainder = what is left; C = 1 if the divisor is 0, nothing else done
// Clobbers: A, X
Divide: {
        lda Divisor
        beq zero
        lda #0
        ldx #16
next:   asl Dividend            // a bit of the dividend leaves, one of the quotient comes in
        rol Dividend + 1
        rol
        bcs fits                // nine bits are always enough
        cmp Divisor
        bcc tooSmall
fits:   sbc Divisor             // C = 1 on both ways to this line
        inc Dividend
tooSmall:
        dex
        bne next
        sta Remainder
        clc
        rts
zero:   sec
        rts
}

Factor: .byte 0
Product: .word 0
Dividend: .word 0
Divisor: .byte 0
Remainder: .byte 0
