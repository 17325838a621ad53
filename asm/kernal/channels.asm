// channels.asm - files and devices: OPEN, CLOSE, CHKIN, CHKOUT, CHRIN, CHROUT, GETIN, LOAD, SAVE and the serial calls
//
// Provides: the routines behind $FF93-$FFE7 that are not elsewhere
// Uses:     input.asm, screen.asm, names.asm (HOST)
// Device 0 is the keyboard and 3 the screen. Devices 8 to 30 are drives, which the host serves; there are no others.
#importonce

// ReadStatus, SetLfs, SetName - parameters
ReadStatus:
        lda Status
        rts
SetLfs: sta LogicalFile
        stx Device
        sty SecondAddress
        rts
SetName:
        sta NameLength
        stx NameLo
        sty NameHi
        rts

// FindFile - look up a logical file
//
// In:       A = number
// Out:      Z = 1 found: X = its index, LogicalFile, Device and SecondAddress are set
FindFile: {
        ldx OpenFiles
next:   dex
        bmi none                // Z = 0
        cmp FileNumbers,x
        bne next
        sta LogicalFile
        lda FileDevices,x
        sta Device
        lda FileSeconds,x
        sta SecondAddress
        lda #0                  // Z = 1
none:   rts
}

// Open - enter a file into the tables, and tell its device
//
// Out:      C = 1: A = error
Open: {
        lda LogicalFile
        jsr FindFile
        bne free
        lda #FILE_OPEN
        bne fail                // always
free:   ldx OpenFiles
        cpx #MAX_FILES
        bcc room
        lda #TOO_MANY_FILES
        bne fail                // always
room:   lda #0
        sta Status
        lda Device
        beq enter
        cmp #3
        beq enter
        jsr IsDrive
        bcs fail
        :HOST(HOST_OPEN)
        bcs fail
enter:  ldx OpenFiles
        inc OpenFiles
        lda LogicalFile
        sta FileNumbers,x
        lda Device
        sta FileDevices,x
        lda SecondAddress
        ora #$60
        sta FileSeconds,x
        clc
        rts
fail:   sec
        rts
}

// IsDrive - whether device A can be one of the host's
//
// Out:      C = 0 yes; C = 1: A = error
IsDrive: {
        cmp #8
        bcc no
        cmp #31
        bcc yes
no:     lda #DEVICE_NOT_PRESENT
        sec
yes:    rts
}

// Close - take a file out of the tables
//
// In:       A = logical file
Close: {
        jsr FindFile
        bne done                // closed already
        txa
        pha
        lda Device
        jsr IsDrive
        bcs shift
        :HOST(HOST_CLOSE)
shift:  pla
        tax
        dec OpenFiles
next:   cpx OpenFiles
        bcs done
        lda FileNumbers + 1,x
        sta FileNumbers,x
        lda FileDevices + 1,x
        sta FileDevices,x
        lda FileSeconds + 1,x
        sta FileSeconds,x
        inx
        bne next                // always
done:   lda #0
        clc
        rts
}

// ClAll - forget all files without telling their devices
ClAll:  lda #0
        sta OpenFiles           // falls through

// ClrChn - input from the keyboard, output to the screen again
ClrChn: {
        ldx #3
        stx OutputDevice
        lda #0
        sta InputDevice
        rts
}

// ChkIn, ChkOut - take input from a file, send output to it
//
// In:       X = logical file
// Out:      C = 1: A = error
ChkIn: {
        txa
        jsr FindFile
        bne NotOpen
        lda Device
        sta InputDevice
        clc
        rts
}
NotOpen:
        lda #FILE_NOT_OPEN
        sec
        rts
ChkOut: {
        txa
        jsr FindFile
        bne NotOpen
        lda Device
        beq keys
        sta OutputDevice
        clc
        rts
keys:   lda #NOT_OUTPUT_FILE
        sec
        rts
}

// ChrIn - a character from the input channel
//
// Out:      A = character, C = 0; Status for files
// Keeps:    X, Y
ChrIn: {
        lda InputDevice
        bne other
        jmp KeyboardLine
other:  cmp #3
        bne drive
        jmp ScreenIn
drive:  :HOST(HOST_READ)
        rts
}

// GetIn - a character from the input channel, without waiting at the keyboard
//
// Out:      A = character, 0 if no key; C = 0
// Clobbers: X, Y
GetIn: {
        lda InputDevice
        bne other
        jmp KeyboardGet
other:  jmp ChrIn
}

// ChrOut - a character to the output channel
//
// In:       A = character
// Keeps:    A, X, Y
ChrOut: {
        pha
        lda OutputDevice
        cmp #3
        bne drive
        pla
        jmp ScreenOut
drive:  pla
        :HOST(HOST_WRITE)
        rts
}

// Load - load or verify a file
//
// In:       A = 0 load, 1 verify; X, Y = address if the secondary address is 0
// Out:      C = 0: X, Y = end; C = 1: A = error
Load: {
        stx LoadLo
        sty LoadHi
        jmp (VECTOR_LOAD)
}
LoadDevice: {
        sta Verify
        lda #0
        sta Status
        lda Device
        jsr IsDrive
        bcs done
        lda NameLength
        beq nameless
        :HOST(HOST_LOAD)
        bcs done
        ldx EndLo
        ldy EndHi
done:   rts
nameless:
        lda #NAME_MISSING
        sec
        rts
}

// Save - save memory
//
// In:       A = zero-page address of the start's address; X, Y = end + 1
// Out:      C = 1: A = error
Save: {
        stx EndLo
        sty EndHi
        tax
        lda $00,x
        sta StartLo
        lda $01,x
        sta StartHi
        jmp (VECTOR_SAVE)
}
SaveDevice: {
        lda #0
        sta Status
        lda Device
        jsr IsDrive
        bcs done
        lda NameLength
        beq LoadDevice.nameless
        :HOST(HOST_SAVE)
done:   rts
}

// The calls that speak to the serial bus byte by byte: the same files, named by device and secondary address.
Talk:
Listen: sta zpTalker
        lda #0
        sta Status
        rts
TalkSecond:
Second: sta zpTalkSecond
        pha
        and #$F0
        cmp #$E0                // close; after $F0, open, the name follows as bytes
        bne named
        jsr borrow
        :HOST(HOST_CLOSE)
        jsr giveBack
named:  pla
        rts
SerialIn:
        jsr borrow
        :HOST(HOST_READ)
        jmp giveBack
SerialOut:
        jsr borrow
        :HOST(HOST_WRITE)
        jmp giveBack
Unlisten:
        jsr borrow
        :HOST(HOST_UNLISTEN)
        jmp giveBack
Untalk: rts

// The host finds the file by Device and SecondAddress.
borrow: pha
        lda Device
        sta zpScratch
        lda zpTalker
        sta Device
        lda zpTalkSecond
        sta SecondAddress
        pla
        rts
giveBack:
        pha
        lda zpScratch
        sta Device
        pla
        rts
