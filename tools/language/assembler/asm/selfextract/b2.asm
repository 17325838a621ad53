// b2.asm - a program that unpacks a B2 stream when it is RUN
//
// Holds:    the BASIC line, the mover, the unpacker: 215 bytes in all
// Uses:     settings.asm (made by the assembler: LOAD, ENTRY, and SIZE of the stream), packed.bin (the stream)
//
// The mover takes the unpacker to the zero page, which leaves all memory from $0200 on to the unpacked program, and the
// stream to the end of memory. All of memory is RAM meanwhile. It ends with the ROMs back and interrupts disabled.
#import "settings.asm"

.label CPU_PORT = $01
.label from   = $FB
.label count  = $FD
.const PAGES  = ceil(SIZE / 256)

* = $0801 "BASIC line"
        .word lineEnd, 0                // line 0
        .byte $9E                       // SYS
        .text "2059"
        .byte 0
lineEnd:                                // the pointer to the next line is the first instruction: its second byte is 0
        .errorif * != 2059, "the BASIC line starts something else"

// Move - the unpacker to the zero page, then the stream, from its last page to its first
Move:   ldx #0
        sei
copy:   lda UnpackerSource,x            // all of the zero page, its second byte last
        sta CPU_PORT-1,x
        dex
        bne copy
        ldy #PAGES
page:   lda source: Stream+SIZE-256,x   // X = 0; upwards within a page, because the places are a page apart
        sta target: $10000-256,x
        inx
        bne page
        dec source+1
        dec target+1
        dey
        bne page
        jmp flag

UnpackerSource:
        .byte $2F, $34                  // go to the port: all of memory is RAM
.pseudopc CPU_PORT+1 {
dst:    .word LOAD
buffer: .byte $80                       // no bits yet
// Twice the bits of a distance by class, for pairs and longer copies; bit 0: a byte follows them.
Widths: .byte 2*3, 2*6, 2*0+1, 2*2+1, 2*4, 2*7, 2*2+1, 2*5+1

// Y bytes were written; X = 0: a flag follows, else a copy.
tail:   tya
        clc
        adc dst
        sta dst
        bcc kept
        inc dst+1
kept:   txa
        bne match
flag:   jsr bit
        bcs match
        jsr length                      // X = 0 for 255 literals
literal:
        jsr byte
        sta (dst),y
        iny
        cpy count
        bne literal
        bcs tail                        // always

match:  jsr length
        beq end
        cpx #3                          // C = 1: three bytes and more, which have other widths
        sty from
        ldx #3
        jsr carry                       // C, then two bits: the class
        ldx from
        lda Widths,x
        lsr
        bcs far
        dey                             // $FF: the bits of near distances come inverted
far:    sty from
        sty from+1
        tax
        beq whole
        jsr bits
whole:  lda from
        iny
        beq found                       // near
        dey
        eor #$FF                        // far: high bits as they are, then the low byte inverted
        sta from+1
        jsr byte
found:  clc                             // from = dst - distance
        adc dst
        sta from
        lda dst+1
        adc from+1
        sta from+1
again:  lda (from),y
        sta (dst),y
        cpy count                       // one byte more than the number says
        iny
        bcc again
        bcs tail                        // always; X = 0

end:    lda #$37                        // ROMs and I/O
        sta CPU_PORT
        jmp ENTRY

// length - from the bits
//
// Out:      count, X = count+1, Z for X, Y = 0
length: ldy #1
        sty count
        dey
more:   jsr bit
        bcc counted
        jsr bit
        rol count
        bpl more
counted:
        ldx count
        inx
        rts

// bits - X bits into `from`; `carry` takes the first from C
bits:   jsr bit
carry:  rol from
        dex
        bne bits
        rts

// bit - the next one in C
//
// Keeps:    X, Y
bit:    asl buffer
        bne done
        jsr byte                        // C = 1, which marks the end of the next eight
        rol
        sta buffer
        rts

// byte - the next of the stream in A
//
// Keeps:    C, X, Y
byte:   lda next: $10000-SIZE
        inc next
        bne done
        inc next+1
done:   rts
}
UnpackerEnd:
        .errorif UnpackerEnd - UnpackerSource > 250, "the unpacker is too long for the zero page"
Stream: .import binary "packed.bin"
        .errorif Stream + SIZE > $FF00, "the packed program is too long to be moved"
