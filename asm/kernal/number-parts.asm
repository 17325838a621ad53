// number-parts.asm - parts of the arithmetic that have no room at the addresses of their entries
//
// Provides: ToInteger, RoundUp, LoadArg, CompareSigns, CompareRest, Differ, DivideMantissas, Times10
// Uses:     numbers.asm, basic-names.asm
#importonce

// ToInteger - Fac as a signed integer of 32 bits in Fac + 1 to Fac + 4, rounded down
//
// Clobbers: A, X, Y
ToInteger: {
        lda Fac
        beq zero
        lda #$A0
        sec
        sbc Fac
        beq sign
        bcc sign                // too large; as it is
        cmp #32
        bcc some
        lda #32
some:   tax
        ldy #0                  // bits that were lost
shift:  lsr Fac + 1
        ror Fac + 2
        ror Fac + 3
        ror Fac + 4
        bcc next
        iny
next:   dex
        bne shift
        lda FacSign
        bpl done
        tya
        beq sign
        ldx #3                  // a negative one with a fraction: rounded down
up:     inc Fac + 1,x
        bne sign
        dex
        bpl up
sign:   lda FacSign
        bpl done
        sec
        ldx #3
negate: lda #0
        sbc Fac + 1,x
        sta Fac + 1,x
        dex
        bpl negate
done:   rts
zero:   ldx #3
clear:  sta Fac + 1,x
        dex
        bpl clear
        rts
}
RoundUp: {
        lda Fac
        beq done
        inc Fac + 4
        bne done
        inc Fac + 3
        bne done
        inc Fac + 2
        bne done
        inc Fac + 1
        bne done
        sec
        ror Fac + 1             // 1.000: the other bytes are 0
        inc Fac
        beq over
done:   rts
over:   jmp Overflow
}
fromRest:
        inx
        stx FacRest
        lda Arg
        rts

// The bytes of two numbers from the second of the mantissa on, and what it means that they differ
CompareRest: {
        lda (CompareLo),y
        cmp Fac,y
        bne Differ
        iny
        cpy #5
        bne CompareRest
        lda #0
        rts
}
Differ: {
        lda FacSign
        bcc larger              // Fac, without regard to the sign
        eor #$FF
larger: jmp FacSignum.bySign
}

// LoadArg - a number from memory to Arg
//
// In:       A, Y = address
// Out:      A = Fac's exponent, Z = 1 it is 0; SignsDiffer
LoadArg: {
        sta PointerLo
        sty PointerHi
        ldy #4
next:   lda (PointerLo),y
        sta Arg,y
        dey
        bpl next
        lda Arg + 1
        sta ArgSign
        ora #%10000000
        sta Arg + 1
}                               // falls through

// CompareSigns - SignsDiffer of Arg and Fac
//
// Out:      A = Fac's exponent, Z = 1 it is 0
CompareSigns:
        lda ArgSign
        eor FacSign
        sta SignsDiffer
        lda Fac
        rts

// DivideMantissas - Arg / Fac as 40 bits in Product; the first is the one before the point
//
// Clobbers: A, X, Y, Arg
DivideMantissas: {
        ldy #0                  // 1: a bit of Arg was shifted out
        ldx #40
bit:    sec
        lda Arg + 4
        sbc Fac + 4
        sta Trial + 3
        lda Arg + 3
        sbc Fac + 3
        sta Trial + 2
        lda Arg + 2
        sbc Fac + 2
        sta Trial + 1
        lda Arg + 1
        sbc Fac + 1
        sta Trial
        bcs take
        cpy #1                  // C = 1 if Arg is larger all the same
        bcc less
take:   lda Trial
        sta Arg + 1
        lda Trial + 1
        sta Arg + 2
        lda Trial + 2
        sta Arg + 3
        lda Trial + 3
        sta Arg + 4
less:   rol Product + 4
        rol Product + 3
        rol Product + 2
        rol Product + 1
        rol Product
        ldy #0
        asl Arg + 4
        rol Arg + 3
        rol Arg + 2
        rol Arg + 1
        bcc next
        iny
next:   dex
        bne bit
        rts
}

// Times10 - ten times Fac, rounded
Times10: {
        jsr FacToArg
        tax
        beq done
        clc
        adc #2                  // times 4
        bcs over
        sta Fac
        lda #0
        sta SignsDiffer
        jsr Add                 // times 5
        inc Fac
        beq over
done:   rts
over:   jmp Overflow
}
