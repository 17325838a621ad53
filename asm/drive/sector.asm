// sector.asm - sectors between the disk and memory
//
// Provides: ReadSector, WriteSector
// Uses:     names.asm, head.asm (Seek)
#importonce
#import "names.asm"
#import "head.asm"

.const CODES = List().add($0a, $0b, $12, $13, $0e, $0f, $16, $17, $09, $19, $1a, $1b, $0d, $1d, $1e, $15)

// The four bits of a code, or 0 for one that is never written
.function nibble(code) {
    .for (var i = 0; i < 16; i++) {
        .if (CODES.get(i) == code) .return i
    }
    .return 0
}

.const OK        = 0
.const NO_SYNC   = 1
.const NO_HEADER = 2
.const NO_DATA   = 3
.const BAD_DATA  = 4
.const PROTECTED = 5
.const TRIES     = 90           // headers: four turns

// ReadSector - the sector zpSector of track zpWanted to Sector
//
// Out:      A = 0, or the reason why not
// Clobbers: X, Y
ReadSector: {
        jsr Seek
        jsr FindHeader
        bne end
        jsr WaitSync
        bcs noSync
        ldy #0
low:    bvc low
        clv
        lda VIA2_PA
        sta Raw,y
        iny
        bne low
high:   bvc high
        clv
        lda VIA2_PA
        sta Raw + $100,y
        iny
        cpy #RAW_BYTES - $100
        bne high
        jsr DecodeBlock
        lda Block
        cmp #DATA_BLOCK
        bne noData
        jsr Sum
        cmp Checksum
        bne bad
        lda #OK
end:    rts
noSync: lda #NO_SYNC
        rts
noData: lda #NO_DATA
        rts
bad:    lda #BAD_DATA
        rts
}

// WriteSector - the bytes at Sector to the sector zpSector of track zpWanted
//
// Out:      A = 0, or the reason why not
// Clobbers: X, Y
WriteSector: {
        lda VIA2_PB
        and #NOTCH
        bne open
        lda #PROTECTED
        rts
open:   lda #DATA_BLOCK
        sta Block
        jsr Sum
        sta Checksum
        lda #0
        sta Checksum + 1
        sta Checksum + 2
        jsr EncodeBlock
        jsr Seek
        jsr FindHeader
        bne end
        ldx #4                  // the rest of the gap: looking at the header took ten bytes' time
gap:    bvc gap
        clv
        dex
        bne gap
        lda #$ff
        sta VIA2_DDRA
        sta VIA2_PA
        lda #WRITING
        sta VIA2_PCR
        ldx #5
sync:   bvc sync
        clv
        dex
        bne sync
        ldy #0
low:    lda Raw,y
!:      bvc !-
        clv
        sta VIA2_PA
        iny
        bne low
high:   lda Raw + $100,y
!:      bvc !-
        clv
        sta VIA2_PA
        iny
        cpy #RAW_BYTES - $100
        bne high
!:      bvc !-                  // the last byte is on its way
        clv
!:      bvc !-
        lda #READING
        sta VIA2_PCR
        lda #0
        sta VIA2_DDRA
end:    rts                     // A = OK
}

// FindHeader - wait until the header of zpSector has passed
//
// Out:      A = 0, or the reason why not; the flags are A's
// Clobbers: X, Y
FindHeader: {
        lda #TRIES
        sta zpTries
again:  jsr WaitSync
        bcs noSync
        ldy #0
byte:   bvc byte
        clv
        lda VIA2_PA
        sta zpGroup,y
        iny
        cpy #5
        bne byte
        jsr DecodeGroup
        lda zpFour              // block, checksum, sector, track
        cmp #HEADER_BLOCK
        bne next
        lda zpFour + 2
        cmp zpSector
        bne next
        lda zpFour + 3
        cmp zpWanted
        bne next
        lda #OK
        rts
next:   dec zpTries
        bne again
        lda #NO_HEADER
        rts
noSync: lda #NO_SYNC
        rts
}

// WaitSync - wait for the end of a sync; the next byte that is ready is the first after it
//
// Out:      C = 1 there is none within half a second
// Clobbers: A, X, Y
WaitSync: {
        ldx #0
        ldy #0
wait:   bit VIA2_PB
        bpl found
        inx
        bne wait
        iny
        bne wait
        sec
        rts
found:  bit VIA2_PB
        bpl found
        lda VIA2_PA
        clv
        clc
        rts
}

// Sum - exclusive or of the 256 bytes at Sector
//
// Out:      A = the sum
// Clobbers: Y
Sum: {
        ldy #0
        tya
loop:   eor Sector,y
        iny
        bne loop
        rts
}

// DecodeBlock - the groups at Raw to Block
DecodeBlock: {
        jsr SetPointers
loop:   ldy #0
    .for (var place = 0; place < 5; place++) {
        lda (zpIn),y
        sta zpGroup + place
        iny
    }
        jsr DecodeGroup
        ldy #0
    .for (var place = 0; place < 4; place++) {
        lda zpFour + place
        sta (zpOut),y
        iny
    }
        jsr Advance
        bne loop
        rts
}

// EncodeBlock - the bytes at Block to groups at Raw
EncodeBlock: {
        jsr SetPointers
loop:   ldy #3
copy:   lda (zpOut),y
        sta zpFour,y
        dey
        bpl copy
        jsr EncodeGroup
        ldy #4
store:  lda zpGroup,y
        sta (zpIn),y
        dey
        bpl store
        jsr Advance
        bne loop
        rts
}

SetPointers:
        lda #<Raw
        sta zpIn
        lda #>Raw
        sta zpIn + 1
        lda #<Block
        sta zpOut
        lda #>Block
        sta zpOut + 1
        lda #GROUPS
        sta zpCount
        rts

// Advance - to the next group
//
// Out:      Z = 1 after the last
Advance:
        clc
        lda zpIn
        adc #5
        sta zpIn
        bcc !+
        inc zpIn + 1
        clc
!:      lda zpOut
        adc #4
        sta zpOut
        bcc !+
        inc zpOut + 1
!:      dec zpCount
        rts

// DecodeGroup - zpGroup to zpFour
//
// Clobbers: A, X
DecodeGroup: {
        lda zpGroup             // 11111222
        lsr
        lsr
        lsr
        tax
        lda high,x
        sta zpFour
        lda zpGroup + 1         // 22333334
        asl
        sta zpTemp
        lda zpGroup
        and #%00000111
        rol
        asl zpTemp
        rol
        tax
        lda low,x
        ora zpFour
        sta zpFour
        lda zpGroup + 1
        lsr
        and #%00011111
        tax
        lda high,x
        sta zpFour + 1
        lda zpGroup + 1
        lsr                     // C = the first bit of the fourth code
        lda zpGroup + 2         // 44445555
        ror
        lsr
        lsr
        lsr
        tax
        lda low,x
        ora zpFour + 1
        sta zpFour + 1
        lda zpGroup + 3         // 56666677
        asl
        lda zpGroup + 2
        rol
        and #%00011111
        tax
        lda high,x
        sta zpFour + 2
        lda zpGroup + 3
        lsr
        lsr
        and #%00011111
        tax
        lda low,x
        ora zpFour + 2
        sta zpFour + 2
        lda zpGroup + 3
        and #%00000011
        sta zpTemp
        lda zpGroup + 4         // 77788888
        lsr zpTemp
        ror
        lsr zpTemp
        ror
        lsr
        lsr
        lsr
        tax
        lda high,x
        sta zpFour + 3
        lda zpGroup + 4
        and #%00011111
        tax
        lda low,x
        ora zpFour + 3
        sta zpFour + 3
        rts

high:   .fill 32, nibble(i) << 4
low:    .fill 32, nibble(i)
}

// EncodeGroup - zpFour to zpGroup
//
// Clobbers: A, X, Y
EncodeGroup: {
        ldy #0
byte:   lda zpFour,y
        lsr
        lsr
        lsr
        lsr
        jsr append
        lda zpFour,y
        and #%00001111
        jsr append
        iny
        cpy #4
        bne byte
        rts
append: tax                     // five bits from the right into all five bytes
        lda codes,x
        asl
        asl
        asl
        ldx #5
bit:    asl
        rol zpGroup + 4
        rol zpGroup + 3
        rol zpGroup + 2
        rol zpGroup + 1
        rol zpGroup
        dex
        bne bit
        rts
codes:  .fill 16, CODES.get(i)
}
