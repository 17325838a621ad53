// drive.asm - a ROM for the 1541: its map, the commands and the vectors
//
// It exercises the drive and takes code for fast loaders. The C64 has the other side in host.asm.
// Assemble: tempo asm --bin asm/drive/drive.asm -o drive.rom, for --drive-rom drive.rom
#import "names.asm"

.const COMMANDS = 5

* = $C000 "Drive"
        jmp Reset               // C000
        jmp GetByte             // C003
        jmp PutByte             // C006
        jmp Seek                // C009
        jmp ReadSector          // C00C
        jmp WriteSector         // C00F
        jmp Delay               // C012

// Reset - set up the ports, move the head to track 1 and serve commands
Reset:  sei
        cld
        ldx #$ff
        txs
        lda #0
        sta VIA1_PB
        sta zpAnswer
        lda #BUS_OUTPUTS
        sta VIA1_DDRB
        lda #READING
        sta VIA2_PCR
        lda #0
        sta VIA2_DDRA
        sta VIA2_PB
        lda #DISK_OUTPUTS
        sta VIA2_DDRB
        jsr Home

// Serve - carry out the command whose number comes over the bus, for ever
Serve:  jsr GetByte
        cmp #COMMANDS
        bcs Serve
        tax
        lda commandLo,x
        sta zpPointer
        lda commandHi,x
        sta zpPointer + 1
        jsr call
        jmp Serve
call:   jmp (zpPointer)

commandLo:
        .byte <Poke, <Peek, <Call, <Read, <Write
commandHi:
        .byte >Poke, >Peek, >Call, >Read, >Write

// Poke - 0: address, count (0 is 256), bytes: to memory
Poke: {
        jsr GetRange
loop:   jsr GetByte
        ldy #0
        sta (zpPointer),y
        jsr Next
        bne loop
        rts
}

// Peek - 1: address, count (0 is 256): bytes of memory come back
Peek: {
        jsr GetRange
loop:   ldy #0
        lda (zpPointer),y
        jsr PutByte
        jsr Next
        bne loop
        rts
}

// Call - 2: address: a routine is called
Call:   jsr GetAddress
        jmp (zpPointer)

// Read - 3: track, sector: a status comes back, and the bytes are at Sector
Read:   jsr GetPlace
        jsr ReadSector
        jmp PutByte

// Write - 4: track, sector: the bytes at Sector go to the disk, and a status comes back
Write:  jsr GetPlace
        jsr WriteSector
        jmp PutByte

GetPlace:
        jsr GetByte
        sta zpWanted
        jsr GetByte
        sta zpSector
        rts

GetRange:
        jsr GetAddress
        jsr GetByte
        sta zpCount
        rts

GetAddress:
        jsr GetByte
        sta zpPointer
        jsr GetByte
        sta zpPointer + 1
        rts

// Next - to the next byte of a range
//
// Out:      Z = 1 after the last
Next:   inc zpPointer
        bne !+
        inc zpPointer + 1
!:      dec zpCount
        rts

#import "bus.asm"
#import "head.asm"
#import "sector.asm"

// Ignore - no interrupt is in use
Ignore: rti

        .fill $fffa - *, $ff
        .word Ignore, Reset, Ignore
