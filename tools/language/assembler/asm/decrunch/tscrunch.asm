// tscrunch.asm - unpacks TSCrunch, also in place
//
// Provides: DecrunchTs, DecrunchTsInPlace
// Memory:   eight bytes of the zero page from zp on
//
//     #import "<tempo/decrunch/tscrunch.asm>"
//             lda #<Packed;  sta $F0;  lda #>Packed;  sta $F1
//             lda #<TARGET;  sta $F2;  lda #>TARGET;  sta $F3
//             jsr Unpack
//             ...
//     Unpack: DecrunchTs($F0)
//     Packed: .modify TS() { ... }

// DecrunchTs - the data at zp to the address at zp+2
//
// In:       zp, zp+1 = the packed data; zp+2, zp+3 = the destination
// Out:      zp = the end mark, zp+2 = the end of the unpacked data
// Clobbers: A, X, Y, zp+4 to zp+7
// Size:     206 bytes
// Cycles:   218391 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchTs(zp) {
        .label src  = zp
        .label zeros = zp+6
        ldy #0
        lda (src),y
        sta zeros
        lda #1
        DecrunchTsTokens(zp)
}

// DecrunchTsInPlace - the data at zp, whose last byte is the last of the unpacked data, to the address at its start
//
// In:       zp, zp+1 = the packed data
// Out:      zp+2 = the last byte that was written
// Clobbers: A, X, Y, zp+4 to zp+7
// Size:     227 bytes
// Cycles:   218165 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchTsInPlace(zp) {
        .label src  = zp
        .label dst  = zp+2
        .label zeros = zp+6
        ldy #0
        lda (src),y
        sta dst
        iny
        lda (src),y
        sta dst+1
        iny
        lda (src),y
        sta zeros
        iny
        lda (src),y                     // the byte that goes where the end mark is
        pha
        jsr tokens
        pla
        sta (dst),y                     // Y = 0
        rts
tokens: lda #4
        DecrunchTsTokens(zp)
}

// DecrunchTsTokens - what both share: tokens from A bytes after src on, up to the end mark
//
// Out:      Y = 0
.macro DecrunchTsTokens(zp) {
        .label src   = zp
        .label dst   = zp+2
        .label from  = zp+4
        .label zeros = zp+6             // the length of the run of zeros, less one
        .label count = zp+7

skip:   ldy #0                          // A bytes were read
        clc
        adc src
        sta src
        bcc token
        inc src+1
token:  lda (src),y                     // Y = 0
        bmi long
        cmp #$20
        bcs pair
        tax                             // literals: X of them
        inc src
        bne literal
        inc src+1
literal:
        lda (src),y
        sta (dst),y
        iny
        dex
        bne literal
        jsr advance
        tya
        bcc skip                        // always
pair:   beq finished
        sbc #127                        // C = 1: -distance
        clc
        adc dst
        sta from
        lda dst+1
        adc #$FF
        sta from+1
        lda (from),y
        sta (dst),y
        iny
        lda (from),y
        sta (dst),y
        iny
        jsr advance
        lda #1
        bcc skip                        // always
finished:
        rts

long:   lsr
        bcs run
        lsr
        and #$1F
        bcs near
        sta count                       // far: half the length, then a word: the odd byte and 32768 - distance
        iny
        lda (src),y
        clc
        adc dst
        sta from
        iny
        lda (src),y
        php
        asl                             // C = the odd byte
        rol count
        lsr
        plp
        adc dst+1
        eor #$80                        // less 32768
        sta from+1
        jsr copy
        lda #3
        bcc skip                        // always
near:   sta count
        iny
        sec
        lda dst
        sbc (src),y
        sta from
        lda dst+1
        sbc #0
        sta from+1
        jsr copy
        lda #2
        jmp skip

run:    and #$3F
        beq zeroRun
        tax
        iny
        lda (src),y
        dey
        jsr fill
        lda #2
        jmp skip
zeroRun:
        ldx zeros
        jsr fill
        lda #1
        jmp skip

// fill - X+1 times the byte in A
//
// In:       Y = 0
// Out:      C = 0
fill:   inx
next:   sta (dst),y
        iny
        dex
        bne next
        beq advance                     // always

// copy - count+1 bytes from `from`
//
// Out:      C = 0
copy:   ldy #0
again:  lda (from),y
        sta (dst),y
        cpy count
        iny
        bcc again

// advance - Y bytes were written, 1 to 256
//
// Out:      C = 0
// Keeps:    Y
advance:
        clc
        tya
        beq page
        adc dst
        sta dst
        bcc end
page:   inc dst+1
        clc
end:    rts
}
