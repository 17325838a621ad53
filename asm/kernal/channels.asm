// channels.asm - files and devices at their addresses, $F13E-$F68F: OPEN, CLOSE, CHKIN, CHKOUT, CHRIN, CHROUT, GETIN,
// LOAD and SAVE
//
// Provides: GetIn, ChrIn, ChrOut, ChkIn, ChkOut, Close, FindFile, ClAll, ClrChn, Open, Load, LoadDevice, Save, SaveDevice
// Uses:     input.asm, screen.asm, interrupt.asm (errors), names.asm (HOST)
// Device 0 is the keyboard and 3 the screen. Devices 8 to 30 are drives, which the host serves; there are no others.
#importonce

// IsDrive - whether device A can be one of the host's
//
// Out:      C = 0 yes; C = 1: A = error
IsDrive: {
        cmp #8
        bcc no
        cmp #31
        bcc yes
no:     jmp ErrorDeviceNotPresent
yes:    clc
        rts
}

// FindFile - look up a logical file
//
// In:       A = number
// Out:      Z = 1 found: X = its index, LogicalFile, Device and SecondAddress are set
FindFile: {
        jsr LookUp
        bne none
        jsr FileParameters
        lda #0                  // Z = 1
none:   rts
}

// GetIn - a character from the input channel, without waiting at the keyboard
//
// Out:      A = character, 0 if no key; C = 0
// Clobbers: X, Y
        :To($F13E)
GetIn: {
        lda InputDevice
        bne ChrIn
        jmp KeyboardGet
}

// ChrIn - a character from the input channel
//
// Out:      A = character, C = 0; Status for files
// Keeps:    X, Y
        :To($F157)
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

// ChrOut - a character to the output channel
//
// In:       A = character
// Keeps:    A, X, Y
        :To($F1CA)
ChrOut: {
        pha
        lda OutputDevice
        cmp #3
        bne drive
        pla
        jmp ScreenOut
        :To($F1DD)
drive:  pla
        :HOST(HOST_WRITE)
        rts
}

// ChkIn, ChkOut - take input from a file, send output to it
//
// In:       X = logical file
// Out:      C = 1: A = error
        :To($F20E)
ChkIn: {
        txa
        jsr FindFile
        bne none
        lda Device
        sta InputDevice
        clc
        rts
none:   jmp ErrorFileNotOpen
}
        :To($F250)
ChkOut: {
        txa
        jsr FindFile
        bne none
        lda Device
        beq keys
        sta OutputDevice
        clc
        rts
keys:   jmp ErrorNotOutputFile
none:   jmp ErrorFileNotOpen
}

// Close - take a file out of the tables
//
// In:       A = logical file
        :To($F291)
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

// LookUp - the index of a logical file; the status is cleared
//
// In:       X = number
// Out:      Z = 1 found, X = its index
        :To($F30F)
        lda #0
        sta Status
        txa
        :To($F314)
LookUp: {                       // A = number, the status stays
        ldx OpenFiles
next:   dex
        bmi none                // Z = 0
        cmp FileNumbers,x
        bne next
none:   rts
}

// FileParameters - LogicalFile, Device and SecondAddress of the file with index X
//
// Clobbers: A
        :To($F31F)
FileParameters:
        lda FileNumbers,x
        sta LogicalFile
        lda FileDevices,x
        sta Device
        lda FileSeconds,x
        sta SecondAddress
        rts

// ClAll - forget all files without telling their devices
        :To($F32F)
ClAll:  lda #0
        sta OpenFiles           // falls through

// ClrChn - input from the keyboard, output to the screen again
        :To($F333)
ClrChn: {
        ldx #3
        stx OutputDevice
        lda #0
        sta InputDevice
        rts
}

// Open - enter a file into the tables, and tell its device
//
// Out:      C = 1: A = error
        :To($F34A)
Open: {
        lda LogicalFile
        jsr FindFile
        bne free
        jmp ErrorFileOpen
free:   ldx OpenFiles
        cpx #MAX_FILES
        bcc room
        jmp ErrorTooManyFiles
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

// Load - load or verify a file
//
// In:       A = 0 load, 1 verify; X, Y = address if the secondary address is 0
// Out:      C = 0: X, Y = end; C = 1: A = error
        :To($F49E)
Load:   stx LoadLo
        sty LoadHi
        jmp (VECTOR_LOAD)
        :To($F4A5)
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
        jmp ErrorNameMissing
}

// What LOAD prints when its messages are switched on; ours has none.
        :To($F5AF)
        rts
        :To($F5C1)
        rts
        :To($F5D2)
        rts

// Save - save memory
//
// In:       A = zero-page address of the start's address; X, Y = end + 1
// Out:      C = 1: A = error
        :To($F5DD)
Save:   stx EndLo
        sty EndHi
        tax
        lda $00,x
        sta StartLo
        lda $01,x
        sta StartHi
        jmp (VECTOR_SAVE)
        :To($F5ED)
SaveDevice: {
        lda #0
        sta Status
        lda Device
        jsr IsDrive
        bcs done
        lda NameLength
        beq nameless
        :HOST(HOST_SAVE)
done:   rts
nameless:
        jmp ErrorNameMissing
}
        :To($F68F)
        rts
