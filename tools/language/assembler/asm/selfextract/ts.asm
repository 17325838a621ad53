// ts.asm - a program that unpacks a TSCrunch stream when it is RUN
//
// Holds:    the BASIC line, the mover, the unpacker
// Uses:     settings.asm (made by the assembler: LOAD, ENTRY, and SIZE of the stream), packed.bin (the stream),
//           decrunch/tscrunch.asm (DecrunchTs)
//
// As b2.asm beside it: the unpacker is in the zero page, the stream at the end of memory, and all of memory is RAM
// meanwhile. It ends with the ROMs back and interrupts enabled.
#import "settings.asm"
#import "tscrunch.asm"

.label CPU_PORT = $01
.label SRC    = $F0
.label DST    = SRC+2
.const PAGES  = ceil(SIZE / 256)

* = $0801 "BASIC line"
        .word lineEnd, 10
        .byte $9E                       // SYS
        .text "2061"
        .byte 0
lineEnd: .word 0
        .errorif * != 2061, "the BASIC line starts something else"

// Move - the unpacker to the zero page, then the stream, from its last page to its first
Move:   sei
        ldx #UnpackerEnd-UnpackerSource
copy:   lda UnpackerSource-1,x
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
        jmp Start

UnpackerSource:
        .byte $34                       // goes to the port: all of memory is RAM
.pseudopc CPU_PORT+1 {
Start:  lda #<($10000-SIZE)
        sta SRC
        lda #>($10000-SIZE)
        sta SRC+1
        lda #<LOAD
        sta DST
        lda #>LOAD
        sta DST+1
        jsr unpack
        lda #$37
        sta CPU_PORT
        cli
        jmp ENTRY
unpack: DecrunchTs(SRC)
        .errorif * > SRC, "the unpacker is too long for the zero page"
}
UnpackerEnd:
Stream: .import binary "packed.bin"
        .errorif Stream + SIZE > $FF00, "the packed program is too long to be moved"
