// host.asm - the C64's side of the ROM in drive.asm: bytes both ways, and a fast loader
//
// Provides: SendByte, ReceiveByte, SendRange, FastLoad
// Uses:     loader.asm (what it sends to the drive)
#importonce
#import "loader.asm"

.label PORT        = $dd00
.const ATN         = %00001000
.const CLOCK       = %00010000
.const CLOCK_IS_HIGH = %01000000

.label zpPort      = $f7        // the bits of PORT that are outputs
.label zpMoved     = $f8        // the byte on the bus
.label zpHere      = $f9        // 2: where bytes go to and come from
.label zpLeft      = $fb

.const POKE        = 0
.const PEEK        = 1
.const CALL        = 2
.const READ        = 3
.const WRITE       = 4

// OpenBus - the C64 pulls no line
OpenBus:
        lda PORT
        and #%00000111
        sta zpPort
        sta PORT
        rts

// SendByte - the byte A to the drive
//
// Clobbers: A, X            Keeps: Y
SendByte: {
        sta zpMoved
        ldx #8
bit:    lda zpPort
        and #~CLOCK & $ff
        lsr zpMoved
        bcc put
        ora #CLOCK
put:    jsr Change
        dex
        bne bit
        lda zpPort
        and #~CLOCK & $ff
        sta zpPort
        sta PORT
        rts
}

// ReceiveByte - a byte from the drive
//
// Out:      A = the byte
// Clobbers: X               Keeps: Y
ReceiveByte: {
        ldx #8
bit:    lda zpPort
        jsr Change
        lda PORT
        asl
        asl                     // C = 0: CLK is low, a 1
        ror zpMoved
        dex
        bne bit
        lda zpPort
        jsr Change              // read
        lda zpMoved
        eor #$ff
        rts
}

// Change - change ATN, with the bits in A, and wait for the drive's answer
Change: eor #ATN
        sta zpPort
        sta PORT
!:      bit PORT
        bpl !-                  // DATA is low until the drive has answered
        rts

// SendRange - bytes of memory to the drive
//
// In:       zpHere = source; A, X = target, low and high; Y = count, 0 is 256
SendRange: {
        sty zpLeft
        pha
        txa
        pha
        lda #POKE
        jsr SendByte
        pla
        tay
        pla
        jsr SendByte
        tya
        jsr SendByte
        lda zpLeft
        jsr SendByte
        ldy #0
loop:   lda (zpHere),y
        jsr SendByte
        iny
        cpy zpLeft
        bne loop
        rts
}

// FastLoad - the file whose first sector is X, Y (track, sector) to its load address
//
// The screen is off meanwhile: the VIC would take cycles between two pairs.
// Out:      A = 0, or the drive's reason why not
FastLoad: {
        stx place
        sty place + 1
        lda $d011
        sta screen
        and #%11101111
        sta $d011
        lda #<place
        ldx #>place
        jsr setHere
        lda #<zpWanted
        ldx #>zpWanted
        ldy #2
        jsr SendRange
        lda #<code
        ldx #>code
        jsr setHere
        lda #<LOADER
        ldx #>LOADER
        ldy #codeEnd - code
        jsr SendRange
        // The answer that the drive has given last is to ATN as it is now.
        lda zpPort
        and #ATN
        asl
        sta place
        lda #<place
        ldx #>place
        jsr setHere
        lda #<zpPhase
        ldx #>zpPhase
        ldy #1
        jsr SendRange
        lda #CALL
        jsr SendByte
        lda #<LOADER
        jsr SendByte
        lda #>LOADER
        jsr SendByte
        ldx #100
wait:   dex
        bne wait                // until the drive is busy
        lda #2
        sta skip                // the load address is not part of the first bytes
sector: jsr FastByte
        cmp #0
        bne end
        jsr FastByte
        sta track
        jsr FastByte
        sta last
        ldy #2
byte:   jsr FastByte
        jsr store
        iny
        bne byte
        lda track
        bne sector
        lda #0
end:    pha
!:      bit PORT
        bvc !-                  // the drive is back
        lda screen
        sta $d011
        pla
        rts

store:  ldx track
        bne use
        cpy last
        beq use
        bcs unused              // after the end of the file
use:    ldx skip
        bne address
        ldx #0
        sta (zpHere,x)
        inc zpHere
        bne unused
        inc zpHere + 1
unused: rts
address:
        dec skip
        cpx #2
        bne high
        sta zpHere
        rts
high:   sta zpHere + 1
        rts

setHere:
        sta zpHere
        stx zpHere + 1
        rts

place:  .byte 0, 0
screen: .byte 0
skip:   .byte 0
track:  .byte 0
last:   .byte 0
code:   .segmentout [segments="Loader"]
codeEnd:
    .errorif codeEnd - code > 255, "the loader is sent as one range"
}

// FastByte - a byte in four pairs of bits
//
// Out:      A = the byte
// Keeps:    X, Y
FastByte: {
        bit PORT
        bvc FastByte            // CLK is low: the drive is busy
        lda zpPort
        eor #ATN
        sta zpPort
        sta PORT
        :Pause(24)
    .for (var pair = 0; pair < 4; pair++) {
        lda PORT
        asl
        rol zpMoved
        asl
        rol zpMoved
        .if (pair < 3) {
            :Pause(PAIR_TIME - 18)
        }
    }
        lda zpMoved
        eor #$ff
        rts
}
