// zx0.asm - unpacks ZX0 (version 2, forward)
//
// Provides: DecrunchZx0
// Memory:   eleven bytes of the zero page from zp on
//
//     #import "<tempo/decrunch/zx0.asm>"
//             lda #<Packed;  sta $F0;  lda #>Packed;  sta $F1
//             lda #<TARGET;  sta $F2;  lda #>TARGET;  sta $F3
//             jsr Unpack
//             ...
//     Unpack: DecrunchZx0($F0)
//     Packed: .import binary "data.zx0"       // tempo pack --format zx0

// DecrunchZx0 - the data at zp to the address at zp+2
//
// In:       zp, zp+1 = the packed data; zp+2, zp+3 = the destination
// Out:      zp = the end of the packed data, zp+2 = the end of the unpacked data
// Clobbers: A, X, Y, zp+4 to zp+10
// Size:     195 bytes
// Cycles:   435462 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchZx0(zp) {
        .label src    = zp
        .label dst    = zp+2
        .label minus  = zp+4            // the distance, negative
        .label length = zp+6
        .label from   = zp+8
        .label bits   = zp+10           // those above the lowest 1

        lda #$80                        // no bits yet
        sta bits
        lda #$FF
        sta minus
        sta minus+1
literals:
        jsr number
        lda src
        sta from
        lda src+1
        sta from+1
        jsr copy
        tya                             // Y = low byte of the length, C = 0
        adc from
        sta src
        lda from+1
        adc #0
        sta src+1
        jsr bit
        bcs new
        jsr number                      // again from the last distance
again:  clc
        lda dst
        adc minus
        sta from
        lda dst+1
        adc minus+1
        sta from+1
        jsr copy
        jsr bit
        bcc literals
new:    lda #$FE                        // inverted bits come in: becomes -n
        jsr numberInA
        ldy #0
        ldx length
        inx
        beq end                         // 256 ends the data
        stx minus+1
        jsr byte
        sec                             // the sign
        ror minus+1
        ror
        sta minus
        lda #1
        sta length
        sty length+1
        bcs one                         // C = the first bit of the length
        jsr moreBits
one:    inc length
        bne again
        inc length+1
        bne again                       // always

// number - from the bits
//
// Out:      length
number: lda #1
numberInA:
        sta length
        lda #0
        sta length+1
nextBit:
        jsr bit
        bcs end
moreBits:
        jsr bit
        rol length
        rol length+1
        jmp nextBit

// bit - the next one in C
bit:    asl bits
        bne end
        ldy #0                          // C = 1, which marks the end of the next eight
        jsr byte
        rol
        sta bits
end:    rts

// byte - the next of the data; Y = 0, keeps C
byte:   lda (src),y
        inc src
        bne end
        inc src+1
        rts

// copy - length bytes from `from` to `dst`; moves `dst`, and `from` by whole pages
//
// Out:      Y = low byte of the length, C = 0
copy:   ldy #0
        ldx length+1
        beq rest
page:   lda (from),y
        sta (dst),y
        iny
        bne page
        inc from+1
        inc dst+1
        dex
        bne page
rest:   ldx length
        beq done
tail:   lda (from),y
        sta (dst),y
        iny
        dex
        bne tail
done:   tya
        clc
        adc dst
        sta dst
        bcc kept
        inc dst+1
kept:   clc
        rts
}
