// disk.asm - games on disk, as PGN text
//
// Provides: DoSave, DoLoad; EnterKernal, LeaveKernal, AfterDialogue
// Uses:     names.asm (ChooseName), pgnwrite.asm, pgnread.asm, panel.asm (Message, DrawPanel), the KERNAL in ROM
//
// The text is made in, or read into, the RAM of the transposition table below the KERNAL; the
// KERNAL is switched in for its calls only, with every source of interrupts off.
#importonce

.const KERNAL_IO   = $36                // RAM, I/O, KERNAL
.const PAGES_MOST  = 18                 // 4.5 KB of text
.label TextStart   = TRANSPOSITIONS
.label TextLimit   = TRANSPOSITIONS + PAGES_MOST*$100
        .errorif TextLimit > TablePage(0, T_DEPTH), "a new game would erase a part of the text"
.label zpDisk      = $FB                // a pointer that the KERNAL leaves alone
.const DEVICE      = 8
.const FILE        = 2
.const BRACE       = 125                // the one that ends a comment of PGN
.const COMMANDS    = 15                 // the drive's channel for commands and its status; also its file number
.label K_SETLFS = $FFBA
.label K_SETNAM = $FFBD
.label K_OPEN   = $FFC0
.label K_CLOSE  = $FFC3
.label K_CHKIN  = $FFC6
.label K_CHKOUT = $FFC9
.label K_CLRCHN = $FFCC
.label K_CHRIN  = $FFCF
.label K_CHROUT = $FFD2
.label K_READST = $FFB7
.label K_RESTOR = $FF8A

.const NAME_MOST = 12                   // letters that fit beside the board
TextEnd: .word 0
NameLength: .byte 4
Scratch:    .text "S"
DriveZero:  .text "0:"
GameName:   .text "GAME"
            .fill NAME_MOST, 0          // the rest of a name, type and mode

// EnterKernal - switch it in
//
// Out:      C = 1: it is there
// Clobbers: A, X, Y
EnterKernal: {
        sei
        lda #0
        sta VIC_IRQ_MASK
        sta VIC_SPRITES                 // sprites would stretch the bits on the serial bus
        lda #KERNAL_IO
        sta CPU_PORT
        lda K_CHROUT                    // a jump, if a KERNAL is there
        cmp #$6C
        beq there
        cmp #$4C
        clc
        bne done
there:  lda #0
        sta $90                         // status
        sta $94                         // no byte waits for the bus
        sta $98                         // no open file
        sta $9D                         // no messages
        jsr K_RESTOR
        jsr K_CLRCHN
        sec
done:   rts
}

// LeaveKernal - switch it out
//
// Clobbers: A
LeaveKernal: {
        lda #ALL_RAM_IO
        sta CPU_PORT
        lda #1
        sta VIC_IRQ
        sta VIC_IRQ_MASK
        cli
        rts
}

// OpenCommands - the drive's command channel; the name is the command
//
// Out:      C = 1: failed
// Clobbers: A, X, Y
OpenCommands: {
        lda #COMMANDS
        ldx #DEVICE
        tay
        jsr K_SETLFS
        jmp K_OPEN
}

// OpenGame - the file of the game
//
// In:       A = R or W, to read or to write
// Out:      C = 0 open
// Clobbers: A, X, Y
OpenGame: {
        ldx NameLength
        sta GameName+3,x
        lda #','
        sta GameName,x
        sta GameName+2,x
        lda #'S'
        sta GameName+1,x
        txa
        clc
        adc #GameName+4 - DriveZero
        ldx #<DriveZero
        ldy #>DriveZero
        jsr K_SETNAM
        lda #FILE
        ldx #DEVICE
        ldy #FILE
        jsr K_SETLFS
        jmp K_OPEN
}

// AfterDialogue - the panel again, and what the KERNAL has overwritten
//
// Clobbers: A, X, Y
AfterDialogue: {
        jsr AfterDisk
        jmp DrawPanel
}

// DoSave - write the game to disk, under a name that is asked for
//
// Clobbers: A, X, Y, the transposition table
DoSave: {
        jsr ChooseName
        bcc AfterDialogue
        lda #'R'                        // a game of that name?
        jsr OpenGame
        bcs new
        jsr DriveStatus
        bcs new
        jsr CloseGame
        jsr LeaveKernal
        lda #<replace
        ldy #>replace
        jsr Message
        jsr WaitKey
        cmp #'y'
        bne AfterDialogue
        jsr EnterKernal
        lda NameLength
        clc
        adc #GameName - Scratch
        ldx #<Scratch
        ldy #>Scratch
        jsr K_SETNAM
        jsr OpenCommands
        lda #COMMANDS
        jsr K_CLOSE
new:    jsr CloseGame
        lda #ALL_RAM_IO
        sta CPU_PORT
        jsr ComposeGame
        lda #KERNAL_IO
        sta CPU_PORT
        lda #'W'
        jsr OpenGame
        bcs failed
        ldx #FILE
        jsr K_CHKOUT
        bcs failed
        lda #<TextStart
        sta zpDisk
        lda #>TextStart
        sta zpDisk+1
next:   lda zpDisk
        cmp TextEnd
        bne more
        lda zpDisk+1
        cmp TextEnd+1
        beq done
more:   lda #ALL_RAM_IO
        sta CPU_PORT
        ldy #0
        lda (zpDisk),y
        ldx #KERNAL_IO
        stx CPU_PORT
        jsr K_CHROUT
        inc zpDisk
        bne next
        inc zpDisk+1
        bne next
done:   jsr CloseGame
        jsr DriveStatus
        bcs failed
        jsr AfterDialogue
        lda #<saved
        ldy #>saved
        jmp Message
failed: jmp DiskFailed
saved:  Text("Saved")
replace: Text("Replace? Y/N")
}

// NoKernal, DiskFailed - say so, and go on with the game
//
// Clobbers: A, X, Y
NoKernal: {
        jsr AfterDialogue
        lda #<text
        ldy #>text
        jmp Message
text:   Text("No KERNAL")
}
DiskFailed: {
        jsr CloseGame
        jsr AfterDialogue
        lda #<text
        ldy #>text
        jsr Message
        ldx #SOUND_WRONG
        jmp PlaySound
text:   Text("Disk error")
}
CloseGame: {
        jsr K_CLRCHN
        lda #FILE
        jmp K_CLOSE
}

// DriveStatus - what the drive says of the last command
//
// Out:      C = 0 fine; C = 1 an error, or no drive
// Clobbers: A, X, Y
DriveStatus: {
        lda #0
        jsr K_SETNAM
        jsr OpenCommands
        bcs bad
        ldx #COMMANDS
        jsr K_CHKIN
        bcs close
        jsr K_CHRIN                     // 00, 01 and below 20: fine
        pha
        jsr K_CLRCHN
        lda #COMMANDS
        jsr K_CLOSE
        pla
        cmp #'2'                        // C = 1: 20 and more
        rts
close:  jsr K_CLRCHN
        lda #COMMANDS
        jsr K_CLOSE
bad:    sec
        rts
}

// AfterDisk - switch the KERNAL out, and rebuild what was overwritten
//
// Clobbers: A, X, Y
AfterDisk: {
        jsr LeaveKernal
        jsr ClearTable
        ldx SearchSide                  // zero page and the move list are no longer valid
        jsr GenerateLegalMoves
        jmp ShowMarks
}

// DoLoad - read a game from disk, by its name, and play it through
//
// Clobbers: A, X, Y, the transposition table
DoLoad: {
        jsr ChooseName
        bcs chosen
        jmp AfterDialogue
chosen: lda #'R'
        jsr OpenGame
        bcs failed
        ldx #FILE
        jsr K_CHKIN
        bcs failed
        lda #<TextStart
        sta zpDisk
        lda #>TextStart
        sta zpDisk+1
next:   jsr K_CHRIN
        tax
        jsr K_READST                    // a time-out: there is no such file
        and #%1000_0011
        bne failed
        txa
        ldy #0
        sta (zpDisk),y                  // goes to the RAM below the KERNAL
        inc zpDisk
        bne low
        inc zpDisk+1
        lda zpDisk+1
        cmp #>TextLimit
        beq failed                      // no game of ours is that long
low:    jsr K_READST
        beq next
        lda zpDisk
        sta TextEnd
        lda zpDisk+1
        sta TextEnd+1
        jsr CloseGame
        jsr DriveStatus
        bcs failed
        jsr LeaveKernal
        jmp TakeText
failed: jmp DiskFailed
}
