// start.asm - reset and everything that is set up then, parameters of calls, RESTORE and interrupts: $FCD1-$FF80
//
// Provides: Reset, InitIo, StartTimer, InitRam, Restor, Vector, SetName, SetLfs, ReadStatus, SetMsg, SetTimeout, MemTop,
//           MemBot, NmiEntry, NmiDefault, WarmStart, Irq
// Uses:     screen.asm (InitEditor, InitScreen), channels.asm, interrupt.asm (StopPressed), names.asm
#importonce

// Is the address at EndLo below the one at $AC? C = 0 if so.
        :To($FCD1)
        sec
        lda zpFromLo
        sbc EndLo
        lda zpFromHi
        sbc EndHi
        rts
        :To($FCDB)
NextByte: {                     // $AC on by one
        inc zpFromLo
        bne done
        inc zpFromHi
done:   rts
}

// Reset - from the reset vector
        :To($FCE2)
Reset: {
        ldx #$FF
        sei
        txs
        cld
        jsr FindCartridge
        bne bare
        jmp ($8000)
        :To($FCEF)
bare:   jsr InitIo
        jsr InitRam
        jsr Restor
        jsr InitEditor
        cli
        jmp ($A000)
}

// FindCartridge - is there a program at $8000 that wants to be started?
//
// Out:      Z = 1 yes
        :To($FD02)
FindCartridge: {
        ldx #5
next:   lda CartridgeMark - 1,x
        cmp $8003,x
        bne no
        dex
        bne next
no:     rts
}
        :To($FD10)
CartridgeMark:
        .byte $C3, $C2, $CD, $38, $30

// Restor - the vectors at $0314 as they were
        :To($FD15)
Restor: ldx #<Vectors
        ldy #>Vectors
        clc                     // falls through

// Vector - copy the vectors at $0314 from or to a table
//
// In:       C = 0 set them from the table, C = 1 write them to it; X, Y = its address
        :To($FD1A)
Vector: {
        stx LoadLo
        sty LoadHi
        ldy #VECTORS - 1
next:   lda VECTOR_IRQ,y
        bcs keep
        lda (LoadLo),y
keep:   sta (LoadLo),y          // into ROM if the table is ours: no effect
        sta VECTOR_IRQ,y
        dey
        bpl next
        rts
}
        :To($FD30)
Vectors:
        .word JiffyInterrupt, WarmStart, NmiDefault
        .word Open, Close, ChkIn, ChkOut, ClrChn, ChrIn, ChrOut, StopPressed, GetIn, ClAll
        .word WarmStart, LoadDevice, SaveDevice

// InitRam - clear pages 0, 2 and 3, and say where memory ends
//
// Clobbers: A, X, Y
        :To($FD50)
InitRam: {
        lda #0
        tay
clear:  sta $0002,y
        sta $0200,y
        sta $0300,y
        iny
        bne clear               // $0002-$0101: the stack is empty now but for this call, at its top
        ldx #<$0800
        ldy #>$0800
        stx MemoryBottom
        sty MemoryBottom + 1
        ldx #<$A000
        ldy #>$A000
        stx MemoryTop
        sty MemoryTop + 1
        lda #>$0400
        sta ScreenPage
        lda #<$033C             // the tape's buffer
        ldx #>$033C
        sta $B2
        stx $B3
        rts
}

// InitIo - the CIAs, the port of the CPU, and the SID's volume
//
// Clobbers: A, X
        :To($FDA3)
InitIo: {
        lda #$7F
        sta CIA1_ICR
        sta CIA2_ICR
        sta CIA1_A              // column 7, where STOP is
        lda #$08
        sta $DC0E               // timers stopped, one-shot
        sta $DD0E
        sta $DC0F
        sta $DD0F
        ldx #0
        stx $DC03               // the rows of the keyboard are inputs
        stx $DD03
        stx SID_VOLUME
        dex
        stx $DC02               // the columns are outputs
        lda #%00000111
        sta $DD00               // the VIC's bank 0, serial lines free
        lda #%00111111
        sta $DD02
        lda #%11100111
        sta $01
        lda #%00101111
        sta $00
        lda #<JIFFY             // a sixtieth of a second on PAL; NTSC is set by InitEditor
        ldx #>JIFFY
}                               // falls through

// StartTimer - the interrupts of CIA 1's timer A
//
// In:       A, X = cycles between them, low and high
StartTimer: {
        sta $DC04
        stx $DC05
        lda #$81
        sta CIA1_ICR
        lda #$11
        sta $DC0E
        rts
}

// SetName, SetLfs, ReadStatus - parameters and the status
        :To($FDF9)
SetName:
        sta NameLength
        stx NameLo
        sty NameHi
        rts
        :To($FE00)
SetLfs: sta LogicalFile
        stx Device
        sty SecondAddress
        rts
        :To($FE07)
ReadStatus:
        jmp GetStatus

// SetMsg - bit 7 of A: LOAD prints messages
        :To($FE18)
SetMsg: sta MessageFlags
        :To($FE1A)
GetStatus:
        lda Status
        :To($FE1C)
        ora Status
        sta Status
        rts

// SetTimeout - kept for programs that read it
        :To($FE21)
SetTimeout:
        sta SerialTimeout
        rts

// MemTop, MemBot - the ends of the memory that programs may use
//
// In:       C = 1 read, C = 0 set; X, Y = address
// Out:      X, Y = address
        :To($FE25)
MemTop: bcc setTop
        :To($FE27)
        ldx MemoryTop
        ldy MemoryTop + 1
        :To($FE2D)
setTop: stx MemoryTop
        sty MemoryTop + 1
        rts
        :To($FE34)
MemBot: bcc setBottom
        ldx MemoryBottom
        ldy MemoryBottom + 1
setBottom:
        stx MemoryBottom
        sty MemoryBottom + 1
        rts

        :To($FE43)
NmiEntry:
        sei
        jmp (VECTOR_NMI)

// NmiDefault - a cartridge may have RESTORE; with STOP it starts the machine again, the program stays in memory
        :To($FE47)
NmiDefault: {
        pha
        txa
        pha
        tya
        pha
        lda #$7F
        sta CIA2_ICR            // no more interrupts from there
        ldy CIA2_ICR
        bmi EndOfNmi            // it was the chip, not the key
        :To($FE56)
        jsr FindCartridge
        bne key
        jmp ($8002)
key:    jsr ReadStop
        jsr $FFE1               // STOP
        bne EndOfNmi
}                               // falls through

// WarmStart - STOP and RESTORE, or a brk
        :To($FE66)
WarmStart:
        jsr Restor
        jsr InitIo
        jsr InitScreen
        jmp ($A002)
        :To($FE72)
EndOfNmi:
        jmp $FEBC
        :To($FEBC)
        pla
        tay
        pla
        tax
        pla
        rti

// The cycles between the interrupt and the handler at $0314 are known to programs that wait for the beam: 29.
        :To($FF43)
        php                     // as if an interrupt had come
        pla
        and #%11101111
        pha
        :To($FF48)
Irq:    pha
        txa
        pha
        tya
        pha
        tsx
        lda $0104,x             // P as it was pushed
        and #%00010000          // B: a brk and no interrupt
        beq isIrq
        jmp (VECTOR_BRK)
isIrq:  jmp (VECTOR_IRQ)
        :To($FF5B)
        jmp InitEditor
