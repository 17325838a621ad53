// exomizer.asm - unpacks Exomizer (streams of version 2), forward or backward
//
// Provides: DecrunchExomizer
// Memory:   twelve bytes of the zero page from zp on, 156 bytes of RAM at tables
//
//     #import "<tempo/decrunch/exomizer.asm>"
//             lda #<PackedEnd;  sta $F0;  lda #>PackedEnd;  sta $F1
//             jsr Unpack
//             ...
//     Unpack: DecrunchExomizer($F0, $0334, true)
//             .modify MemExomizer() { ... }   // backward is the default
//     PackedEnd:

// DecrunchExomizer - the data at zp to the address in it; literal runs are allowed
//
// In:       zp, zp+1 = the packed data, or backward the address after it
// Out:      zp+2 = the end of the unpacked data, or backward its start
// Clobbers: A, X, Y, zp+4 to zp+11, tables
// Size:     344 bytes
// Cycles:   859993 for tests/crunchers/mixed8k.bin (8192 bytes)
.macro DecrunchExomizer(zp, tables, isBackward) {
        .label src    = zp
        .label dst    = zp+2
        .label from   = zp+4
        .label length = zp+6
        .label value  = zp+8
        .label bits   = zp+10           // those below the highest 1
        .label count  = zp+11
        .label Widths = tables
        .label BasesLo = tables+52
        .label BasesHi = tables+104

        jsr byte
        sta dst+1
        jsr byte
        sta dst
        jsr byte
        sta bits

// The table: every interval starts where the one before it ends, four of them at 1.
        ldx #0
entry:  txa
        and #$0F
        bne after
        lda #1
        sta from
        lda #0
        sta from+1
after:  lda from
        sta BasesLo,x
        lda from+1
        sta BasesHi,x
        ldy #4
        jsr field
        lda value
        sta Widths,x
        tay
        lda #0                          // from += 2^width
        sta length+1
        lda #1
power:  dey
        bmi reached
        asl
        rol length+1
        bne power                       // always: one of both is not 0
        bcc power
reached:
        clc
        adc from
        sta from
        lda length+1
        adc from+1
        sta from+1
        inx
        cpx #52
        bne entry

next:   jsr bit
        bcc special
        ldy #0                          // a literal
        sty length+1
        iny
        sty length
literals:
        jsr byte
        jsr store
        lda length
        bne low
        dec length+1
low:    dec length
        lda length
        ora length+1
        bne literals
        beq next                        // always

special:
        ldx #$FF
zero:   inx
        jsr bit
        bcc zero
        cpx #16
        bcc copy
        beq finished
        ldy #16                         // a run of literals
        jsr field
        lda value
        sta length
        lda value+1
        sta length+1
        jmp literals
finished:
        rts

copy:   jsr interval
        lda value
        sta length
        ldy value+1
        sty length+1
        bne many
        cmp #3
        bcs many
        cmp #2
        beq pair
        ldy #2                          // one byte
        lda #48
        bne distance
pair:   ldy #4
        lda #32
        bne distance
many:   ldy #4
        lda #16
distance:
        pha
        jsr field
        pla
        clc
        adc value
        tax
        jsr interval

// Copies run in pieces of a page at most, in the order of the output.
        .if (isBackward) {
        ldx length+1
        ldy length
        beq pages
        jsr piece
pages:  txa
        beq next
        dec dst+1
        jsr locate
        ldy #0
        jsr bytes
        dex
        jmp pages

piece:  sty from                        // Y bytes
        sec
        lda dst
        sbc from
        sta dst
        bcs bytesAt
        dec dst+1
bytesAt:
        jsr locate
bytes:  dey
        lda (from),y
        sta (dst),y
        tya
        bne bytes
        rts

locate: clc                             // from = dst + distance
        lda dst
        adc value
        sta from
        lda dst+1
        adc value+1
        sta from+1
        rts
        } else {
        sec                             // from = dst - distance
        lda dst
        sbc value
        sta from
        lda dst+1
        sbc value+1
        sta from+1
        ldy #0
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
        beq copied
tail:   lda (from),y
        sta (dst),y
        iny
        dex
        bne tail
        tya
        clc
        adc dst
        sta dst
        bcc copied
        inc dst+1
copied: jmp next
        }

// interval - a value of interval X
//
// Out:      value
interval:
        ldy Widths,x
        jsr field
        clc
        lda value
        adc BasesLo,x
        sta value
        lda value+1
        adc BasesHi,x
        sta value+1
end:    rts

// field - Y bits
//
// Out:      value
// Keeps:    X
field:  lda #0
        sta value
        sta value+1
        tya
        beq end
        sta count
nextBit:
        jsr bit
        rol value
        rol value+1
        dec count
        bne nextBit
        rts

// bit - the next one in C
//
// Keeps:    X
bit:    lsr bits
        bne end
        jsr byte                        // C = 1, which marks the end of the next eight
        ror
        sta bits
        rts

// byte - the next of the data in A
//
// Keeps:    C, X
byte:   ldy #0
        .if (isBackward) {
        lda src
        bne within
        dec src+1
within: dec src
        lda (src),y
        rts
        } else {
        lda (src),y
        inc src
        bne read
        inc src+1
read:   rts
        }

// store - A to the output
//
// In:       Y = 0
store:
        .if (isBackward) {
        pha
        lda dst
        bne below
        dec dst+1
below:  dec dst
        pla
        sta (dst),y
        rts
        } else {
        sta (dst),y
        inc dst
        bne written
        inc dst+1
written: rts
        }
}
