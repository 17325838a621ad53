// numbers.asm - floating-point numbers, $B849-$BFB4: sums, products, comparison, and the ways to and from integers
//
// Provides: Add, Subtract, Multiply, Divide, Round, Normalise, LoadFac, Compare, WordToFac and others
// Uses:     number-parts.asm, statements.asm (Error), basic-names.asm
// A number in memory has five bytes: exponent + 128, then a mantissa below 1 whose first bit is 1 and holds the sign
// instead. Fac and Arg have the sign apart. An exponent of 0 is the number 0.
#importonce

// A constant in the five bytes of a number. It is positive.
.macro Number(value) {
        .var exponent = 0
        .var mantissa = value
        .while (mantissa >= 1) {
                .eval mantissa = mantissa / 2
                .eval exponent = exponent + 1
        }
        .while (mantissa < 0.5) {
                .eval mantissa = mantissa * 2
                .eval exponent = exponent - 1
        }
        .byte 128 + exponent
        .for (var place = 0; place < 4; place++) {
                .eval mantissa = mantissa * 256
                .byte place == 0 ? floor(mantissa) - 128 : floor(mantissa)
                .eval mantissa = mantissa - floor(mantissa)
        }
}

// Sums: Fac + 0.5, memory - Fac, Arg - Fac, Fac + memory, Fac + Arg. In: A, Y = address
        :To($B849)
AddHalf:
        lda #<Half
        ldy #>Half
        jmp AddMemory
        :To($B850)
        jsr LoadArg             // tempo: allow(W0302) an entry
        :To($B853)
Subtract:
        lda FacSign
        eor #$FF
        sta FacSign
        jsr CompareSigns
        jmp Add
        :To($B867)
AddMemory:
        jsr LoadArg
        :To($B86A)
Add: {
        lda Arg
        beq done
        lda Fac
        bne both
        jmp ArgToFac
both:   lda #0
        sta ArgRest
        lda Arg                 // Fac is to have the larger exponent
        cmp Fac
        bcc align
        ldx #5
swap:   lda Fac,x
        ldy Arg,x
        sta Arg,x
        sty Fac,x
        dex
        bpl swap
        lda FacRest
        ldx #0
        stx FacRest
        sta ArgRest
align:  lda Fac
        sec
        sbc Arg
        beq aligned
        cmp #40
        bcs done                // Arg is too small to count
        tax
shift:  lsr Arg + 1
        ror Arg + 2
        ror Arg + 3
        ror Arg + 4
        ror ArgRest
        dex
        bne shift
aligned:
        jmp AddMantissas
done:   rts
}
        :To($B8D2)
NormaliseSigned:                // C = 0: the mantissa is negative
        bcs Normalise
        jsr Complement
        :To($B8D7)
Normalise: {
        lda Fac + 1
        bmi done
        ora Fac + 2
        ora Fac + 3
        ora Fac + 4
        ora FacRest
        beq Zero
        asl FacRest
        rol Fac + 4
        rol Fac + 3
        rol Fac + 2
        rol Fac + 1
        dec Fac
        bne Normalise
        beq Zero                // always: it is too small
done:   rts
}
        :To($B8F7)
Zero:   lda #0
        :To($B8F9)
        sta Fac
        sta FacSign
        rts

AddMantissas: {
        lda FacSign
        eor ArgSign
        bmi minus
        clc
        lda FacRest
        adc ArgRest
        sta FacRest
        ldx #3
plus:   lda Fac + 1,x
        adc Arg + 1,x
        sta Fac + 1,x
        dex
        bpl plus
        bcc done
        jmp ShiftRight
minus:  sec
        lda FacRest
        sbc ArgRest
        sta FacRest
        ldx #3
less:   lda Fac + 1,x
        sbc Arg + 1,x
        sta Fac + 1,x
        dex
        bpl less
        jmp NormaliseSigned
done:   rts
}

// Complement - the mantissa and the sign turned over
//
// Clobbers: A, X
        :To($B947)
Complement: {
        lda FacSign
        eor #$FF
        sta FacSign
        sec
        lda #0
        sbc FacRest
        sta FacRest
        ldx #3
next:   lda #0
        sbc Fac + 1,x
        sta Fac + 1,x
        dex
        bpl next
        rts
}

// ShiftRight - the carry of a mantissa becomes its first bit
ShiftRight: {
        ror Fac + 1
        ror Fac + 2
        ror Fac + 3
        ror Fac + 4
        ror FacRest
        inc Fac
        beq Overflow
        rts
}
        :To($B97E)
Overflow:
        ldx #OVERFLOW
        jmp Error
        :To($B9BC)
One:    :Number(1)

// Products: Fac * memory, Fac * Arg
        :To($BA28)
MultiplyMemory:
        jsr LoadArg
        :To($BA2B)
Multiply: {
        lda Fac
        beq done
        jsr Round
        lda Arg
        beq zero
        clc
        adc Fac
        bcs large
        sbc #127                // C = 0: minus 128
        beq zero
        bcs fits
zero:   jmp Zero
large:  adc #127                // C = 1: plus 128
        bcc fits
        jmp Overflow
fits:   sta Fac
        jsr CompareSigns
        lda SignsDiffer
        and #%10000000
        sta FacSign
        lda #0
        ldx #4
clear:  sta Product,x
        dex
        bpl clear
        ldy #32
bit:    lsr Fac + 1             // its last bit
        ror Fac + 2
        ror Fac + 3
        ror Fac + 4
        bcc none
        jmp addArg
        :To($BA8C)
LoadArgAt:
        jmp LoadArg
addArg: clc
        ldx #3
add:    lda Product,x
        adc Arg + 1,x
        sta Product,x
        dex
        bpl add
none:   ror Product
        ror Product + 1
        ror Product + 2
        ror Product + 3
        ror Product + 4
        dey
        bne bit
        jmp ProductToFac
done:   rts
}

// Fac times ten, rounded
        :To($BAE2)
        jmp Times10
        :To($BAF9)
Ten:    :Number(10)
        :To($BAFE)
DividedBy10:
        jsr FacToArg
        lda #<Ten
        ldy #>Ten
        jsr LoadFac
        jmp divided
        :To($BB0F)
        jsr LoadArg
        :To($BB12)
divided:
        jsr CompareSigns        // falls through

// Divide - Arg / Fac
Divide: {
        jsr Round
        lda Fac
        bne possible
        ldx #DIVISION_BY_ZERO
        jmp Error
possible:
        lda Arg
        beq zero
        sec
        sbc Fac
        bcs up
        adc #129                // C = 0
        bcc zero
        bcs fits                // always
up:     adc #128                // C = 1
        bcc fits
        jmp Overflow
zero:   jmp Zero
fits:   beq zero
        sta Fac
        lda SignsDiffer
        and #%10000000
        sta FacSign
        jmp quotient
        :To($BB8A)
        ldx #DIVISION_BY_ZERO
        jmp Error
quotient:
        jsr DivideMantissas     // falls through
}
ProductToFac: {
        ldx #3
next:   lda Product,x
        sta Fac + 1,x
        dex
        bpl next
        lda Product + 4
        sta FacRest
        jmp Normalise
}

// LoadFac - a number from memory
//
// In:       A, Y = address
// Out:      Z = 1 it is 0
// Clobbers: A, X, Y
        :To($BBA2)
LoadFac: {
        sta PointerLo
        sty PointerHi
        ldy #4
next:   lda (PointerLo),y
        sta Fac,y
        dey
        bpl next
        lda Fac + 1
        sta FacSign
        ora #%10000000
        sta Fac + 1
        iny
        sty FacRest
        lda Fac
        rts
}

// StoreFac - Fac, rounded, to memory; first those to the places of BASIC's own
//
// In:       X, Y = address
        :To($BBC7)
        ldx #$5C
        .byte $2C               // skips the next instruction
        :To($BBCA)
        ldx #$57
        ldy #0
        beq StoreFac            // tempo: allow(W0310) always
        :To($BBD4)
StoreFac: {
        jsr Round
        stx PointerLo
        sty PointerHi
        ldy #4
next:   lda Fac,y
        sta (PointerLo),y
        dey
        bne next
        iny
        lda FacSign
        ora #%01111111
        and Fac + 1
        sta (PointerLo),y
        dey
        lda Fac
        sta (PointerLo),y
        sty FacRest
        rts
}

// ArgToFac, FacToArg - copies; the second rounds
//
// Out:      A = exponent
// Clobbers: X
        :To($BBFC)
ArgToFac: {
        ldx #5
next:   lda Arg,x
        sta Fac,x
        dex
        bpl next
        inx
        stx FacRest
        rts
}
        :To($BC0C)
FacToArg:
        jsr Round
        :To($BC0F)
FacToArgUnrounded: {
        ldx #5
next:   lda Fac,x
        sta Arg,x
        dex
        bpl next
        jmp fromRest
}

// Round - the fifth byte is rounded into the other four
//
// Keeps:    X, Y
        :To($BC1B)
Round: {
        asl FacRest
        lda #0
        sta FacRest             // keeps C
        bcc done
        jmp RoundUp
done:   rts
}

// FacSignum - 0, 1 or $FF for zero, positive, negative
        :To($BC2B)
FacSignum: {
        lda Fac
        beq done
        lda FacSign
bySign: asl
        lda #$FF
        bcs done
        lda #1
done:   rts
}
        :To($BC39)
        jsr FacSignum           // tempo: allow(W0302) an entry
        :To($BC3C)
SignedByteToFac:                // A
        sta Fac + 1
        lda #0
        sta Fac + 2
        ldx #$88
        :To($BC44)
WordToFac:                      // Fac + 1 and + 2, signed; X = exponent
        lda Fac + 1
        eor #$FF
        rol                     // C = 1: not negative
        :To($BC49)
UnsignedToFac:                  // the same with C = 1
        lda #0
        sta Fac + 3
        sta Fac + 4
        :To($BC4F)
        stx Fac
        sta FacRest
        sta FacSign
        jmp NormaliseSigned
        :To($BC58)
        lsr FacSign             // tempo: allow(W0302) an entry
        rts

// Compare - Fac with memory
//
// In:       A, Y = address
// Out:      A = 0 equal, 1 Fac is larger, $FF smaller
        :To($BC5B)
Compare: {
        sta CompareLo
        sty CompareHi
        ldy #0
        lda (CompareLo),y
        beq FacSignum           // with 0
        iny
        tax
        lda Fac
        bne both
        lda (CompareLo),y       // 0 with it
        eor #$FF
        jmp FacSignum.bySign
both:   lda (CompareLo),y
        eor FacSign
        bmi FacSignum
        cpx Fac
        bne differ
        lda (CompareLo),y
        ora #%10000000
        cmp Fac + 1
        bne differ
        iny
        jmp CompareRest
differ: jmp Differ
}

        :To($BC9B)
        jmp ToInteger

// The integer part of Fac
        :To($BCCC)
Int: {
        lda Fac
        cmp #$A0
        bcs done                // it has no other
        jsr ToInteger
        lda #0
        sta FacRest
        ldx #$A0
        stx Fac
        lda FacSign
        sta OutIndex
        lda #0
        sta FacSign
        lda OutIndex
        asl                     // C = 1: negative
        bcc positive
        jsr Complement
positive:
        jmp Normalise
done:   rts
}
