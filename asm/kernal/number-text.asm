// number-text.asm - text to numbers and back, $BCF3-$BFFF
//
// Provides: NumberFromText, NumberToText, PrintInteger, AddDigit, Half
// Uses:     numbers.asm, statements.asm (PrintText), basic-names.asm
#importonce

// NumberFromText - the number at TextLo to Fac
//
// In:       A = its first character, C = 0 if that is a digit: as ChrGot leaves them
// Out:      TextLo at what follows, A and C as ChrGot leaves them
// Clobbers: X, Y
        :To($BCF3)
NumberFromText: {
        ldx #0
        stx NumberSign
        stx Decimals
        stx Power
        stx PointSeen
        stx PowerSign
        stx Fac
        stx FacSign
        stx FacRest
        bcc digit
        cmp #'-'
        beq minus
        cmp #TOKEN_MINUS
        beq minus
        cmp #'+'
        beq next
        cmp #TOKEN_PLUS
        bne other
        beq next                // always
minus:  dec NumberSign
next:   jsr ChrGet
        bcc digit
other:  cmp #'.'
        beq point
        cmp #'E'
        bne end
        jsr ChrGet
        bcc power
        cmp #'-'
        beq minusPower
        cmp #TOKEN_MINUS
        beq minusPower
        cmp #'+'
        beq nextPower
        cmp #TOKEN_PLUS
        beq nextPower
        bne powered             // always
minusPower:
        dec PowerSign
nextPower:
        jsr ChrGet
        bcs powered
power:  sbc #$2F                // C = 0: minus $30
        ldx Power
        cpx #10
        bcs nextPower           // 100 and above: far out of range already
        pha
        txa
        asl
        asl
        adc Power               // C = 0
        asl
        sta Power
        pla
        adc Power               // C = 0
        sta Power
        jmp nextPower
point:  lda PointSeen
        bne end
        dec PointSeen
        bne next                // always
digit:  pha
        lda PointSeen
        beq whole
        inc Decimals
whole:  jsr Times10
        pla
        sec
        sbc #'0'
        jsr AddDigit
        jmp next
powered:
        lda PowerSign
        beq end
        lda #0
        sec
        sbc Power
        sta Power
end:    lda Power
        sec
        sbc Decimals
        sta Power
        beq scaled
        bmi down
up:     jsr Times10
        dec Power
        bne up
        beq scaled              // always
down:   jsr DividedBy10
        inc Power
        bne down
scaled: lda NumberSign
        beq positive
        jsr Negate
positive:
        jmp ChrGot
}

        :To($BDB3)
NineDigits:                     // what is above has nine digits before the point
        :Number(99999999.9)
        :To($BDB8)
        :Number(999999999)
        :To($BDBD)
Billion:
        :Number(1000000000)

// PrintInteger - print an unsigned number
//
// In:       A = high, X = low byte
        :To($BDC2)
        lda LineNumber + 1      // "IN" is the caller's
        ldx LineNumber
        :To($BDCD)
PrintInteger:
        sta Fac + 1
        stx Fac + 2
        ldx #$90
        sec
        jsr UnsignedToFac
        :To($BDD7)
        jmp printPlain
        :To($BDDD)
NumberToText:
        ldy #1

// The text of Fac from $FF + Y on, with a space or a minus before it
//
// Out:      A, Y = $0100; the text ends with a zero
// Clobbers: X, Fac
        :To($BDDF)
ToText: {
        lda #SPACE
        bit FacSign
        bpl sign
        lda #'-'
sign:   sta NumberText - 1,y
        iny
        sty OutIndex
        lda #0
        sta FacSign
        sta Decimals
        sta Power
        ldx Fac
        bne scale
        lda #'0'
        jsr put
        jmp end
scale:  cpx #$81                // below 1: a billion times as much
        bcs large
        lda #<Billion
        ldy #>Billion
        jsr MultiplyMemory
        lda #<-9
        sta Decimals
large:  lda #<(NineDigits + 5)
        ldy #>(NineDigits + 5)
        jsr Compare
        cmp #1
        bne small
        jsr DividedBy10
        inc Decimals
        jmp large
small:  lda #<NineDigits
        ldy #>NineDigits
        jsr Compare
        cmp #1
        beq scaled
        jsr Times10
        dec Decimals
        jmp small
scaled: jsr AddHalf
        jsr ToInteger
        lda Decimals            // digits before the point
        clc
        adc #9
        sta Decimals
        clc
        adc #1                  // -1 to 9 are shown as they are
        cmp #11
        bcc plain
        ldx Decimals            // else one digit and a power of ten
        dex
        stx Power
        lda #1
        sta Decimals
plain:  lda Decimals
        bmi fraction
        bne digits
fraction:
        jsr point
zeros:  lda Decimals
        beq digits
        lda #'0'
        jsr put
        inc Decimals
        jmp zeros
digits: ldx #0
digit:  lda #'0' - 1
        sta PointSeen
power:  inc PointSeen
        sec
        lda Fac + 4
        sbc powers + 3,x
        sta Fac + 4
        lda Fac + 3
        sbc powers + 2,x
        sta Fac + 3
        lda Fac + 2
        sbc powers + 1,x
        sta Fac + 2
        lda Fac + 1
        sbc powers,x
        sta Fac + 1
        bcs power
        lda Fac + 4             // once too often
        adc powers + 3,x
        sta Fac + 4
        lda Fac + 3
        adc powers + 2,x
        sta Fac + 3
        lda Fac + 2
        adc powers + 1,x
        sta Fac + 2
        lda Fac + 1
        adc powers,x
        sta Fac + 1
        lda PointSeen
        jsr put
        dec Decimals
        bne more
        cpx #powersEnd - powers - 4
        beq end                 // nine digits and no point
        jsr point
more:   inx
        inx
        inx
        inx
        cpx #powersEnd - powers
        bne digit
        ldy OutIndex            // drop trailing zeros, and a point without digits after it
strip:  dey
        lda NumberText - 1,y
        cmp #'0'
        beq strip
        cmp #'.'
        beq stripped
        iny
stripped:
        sty OutIndex
        jmp exponent
end:    lda #0
        jsr put
        lda #<NumberText
        ldy #>NumberText
        rts
point:  lda #'.'
put:    ldy OutIndex
        sta NumberText - 1,y
        inc OutIndex
        rts
powers: .for (var power = 8; power >= 0; power--) {
        .var value = round(pow(10, power))
        .byte value >> 24, value >> 16 & $FF, value >> 8 & $FF, value & $FF
}
powersEnd:
}
        :To($BF11)
Half:   :Number(0.5)

// AddDigit - add a signed byte
//
// In:       A
AddDigit: {
        pha
        jsr FacToArg
        pla
        jsr SignedByteToFac
        jsr CompareSigns
        jmp Add
}

// The power of ten after a number
exponent: {
        lda Power
        beq done
        lda #'E'
        jsr ToText.put
        lda #'+'
        ldx Power
        bpl sign
        lda #0
        sec
        sbc Power
        sta Power
        lda #'-'
sign:   jsr ToText.put
        lda Power
        ldx #'0' - 1
        sec
tens:   inx
        sbc #10
        bcs tens
        adc #$3A                // C = 0: 10 + '0'
        pha
        txa
        jsr ToText.put
        pla
        jsr ToText.put
done:   jmp ToText.end
}

// printPlain - print Fac, which is not negative, without a space before it
printPlain:
        jsr NumberToText
        lda #<(NumberText + 1)
        jmp PrintText

        :To($BFB4)
Negate: {
        lda Fac
        beq done
        lda FacSign
        eor #$FF
        sta FacSign
done:   rts
}
