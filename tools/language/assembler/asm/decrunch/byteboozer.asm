// byteboozer.asm - unpacks ByteBoozer 1
//
// Provides: DecrunchByteBoozer
// Memory:   ten bytes of the zero page from zp on
//
//     #import "<tempo/decrunch/byteboozer.asm>"
//             lda #<Packed;  sta $F0;  lda #>Packed;  sta $F1
//             jsr Unpack
//             ...
//     Unpack: DecrunchByteBoozer($F0)
//     Packed: .modify ByteBoozer() { ... }

// DecrunchByteBoozer - the data at zp to the address at its start
//
// In:       zp, zp+1 = the packed data
// Out:      zp = the end of the packed data, zp+2 = the end of the unpacked data
// Clobbers: A, X, Y, zp+4 to zp+9
// Size:     206 bytes
// Cycles:   698025 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchByteBoozer(zp) {
        .label src   = zp
        .label dst   = zp+2
        .label from  = zp+4
        .label count = zp+6
        .label bits  = zp+7             // those above the lowest 1
        .label group = zp+8
        .label width = zp+9

        ldy #0
        jsr byte                        // the first bits, above their marker
        sta bits
        jsr byte
        sta dst
        jsr byte
        sta dst+1
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
        sty from                        // Y = 0
        sty from+1
        sty group
        jsr bit                         // the class: the number of groups less one
        rol group
        jsr bit
        rol group
        ldx group
        lda count
        cmp #2                          // C = 1: three bytes and more
        bcc widths
        inx
        inx
        inx
        inx
widths: ldy Widths,x
        sty width
next:   jsr bit
        rol from
        rol from+1
        dec width
        bne next
        dec group
        bmi found
        inc from                        // a farther group starts one after the nearer ones
        bne carried
        inc from+1
carried:
        dex
        bpl widths                      // always
found:  sec                             // from = dst - distance
        lda dst
        sbc from
        sta from
        lda dst+1
        sbc from+1
        sta from+1
        ldy #0
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

// Widths of the groups, for pairs and longer copies.
Widths: .byte 4, 2, 2, 2, 5, 2, 2, 3
}
