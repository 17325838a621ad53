// b2.asm - unpacks B2 (ByteBoozer 2)
//
// Provides: DecrunchB2
// Memory:   eight bytes of the zero page from zp on
//
//     #import "<tempo/decrunch/b2.asm>"
//             lda #<Packed;  sta $F0;  lda #>Packed;  sta $F1
//             jsr Unpack
//             ...
//     Unpack: DecrunchB2($F0)
//     Packed: .modify B2() { ... }

// DecrunchB2 - the data at zp to the address at its start
//
// In:       zp, zp+1 = the packed data
// Out:      zp = the end of the packed data, zp+2 = the end of the unpacked data
// Clobbers: A, X, Y, zp+4 to zp+7
// Size:     207 bytes
// Cycles:   507241 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchB2(zp) {
        .label src   = zp
        .label dst   = zp+2
        .label from  = zp+4
        .label count = zp+6
        .label bits  = zp+7             // those above the lowest 1

        ldy #0
        jsr byte
        sta dst
        jsr byte
        sta dst+1
        lda #$80                        // no bits yet
        sta bits
flag:   jsr bit
        bcs match
        jsr length
literal:
        lda (src),y
        sta (dst),y
        iny
        cpy count
        bne literal
        tya
        clc
        adc src
        sta src
        bcc kept
        inc src+1
kept:   jsr advance
        iny                             // 255 literals: a flag follows
        beq flag
match:  jsr length
        lda count
        cmp #255
        beq end
        cmp #2                          // C = 1: three bytes and more
        lda #0
        rol
        sta from
        jsr bit
        rol from
        jsr bit
        rol from
        ldx from
        ldy #$FF                        // the bits of near distances come inverted
        lda Widths,x
        bpl near
        iny
        and #$7F
near:   sty from
        sty from+1
        tax
        beq whole
next:   jsr bit
        rol from
        dex
        bne next
whole:  ldy #0
        lda from+1
        bne found
        lda from                        // far: high bits as they are, then the low byte inverted
        eor #$FF
        sta from+1
        jsr byte
        sta from
found:  clc                             // from = dst - distance
        lda dst
        adc from
        sta from
        lda dst+1
        adc from+1
        sta from+1
again:  lda (from),y
        sta (dst),y
        cpy count                       // one byte more than the number says
        iny
        bcc again
        jsr advance
        jmp flag

// length - from the bits
//
// Out:      count, Y = 0
length: ldy #0
        lda #1
        sta count
more:   jsr bit
        bcc end
        jsr bit
        rol count
        bpl more
end:    rts

// bit - the next one in C
//
// Keeps:    X
bit:    asl bits
        bne end
        ldy #0                          // C = 1, which marks the end of the next eight
        jsr byte
        rol
        sta bits
        rts

// byte - the next of the data; Y = 0, keeps C
byte:   lda (src),y
        inc src
        bne end
        inc src+1
        rts

// advance - Y bytes were written
//
// Keeps:    Y
advance:
        tya
        clc
        adc dst
        sta dst
        bcc end
        inc dst+1
        rts

// Bits of a distance by class, for pairs and longer copies; bit 7: a byte follows them.
Widths: .byte 3, 6, $80, $82, 4, 7, $82, $85
}
