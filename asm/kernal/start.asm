// start.asm - reset, and everything that is set up then
//
// Provides: Reset, InitIo, InitRam, Restor, Vector, MemTop, MemBot, SetMsg, SetTimeout, IoBase
// Uses:     screen.asm (InitEditor), channels.asm, interrupt.asm (StopPressed), names.asm
#importonce

// Reset - from the reset vector
Reset: {
        ldx #$FF
        sei
        txs
        cld
        ldx #5
match:  lda $8003,x             // a program at $8000 that wants to be started has this mark
        cmp mark - 1,x
        bne bare
        dex
        bne match
        jmp ($8000)
bare:   jsr InitIo
        jsr InitRam
        jsr Restor
        jsr InitEditor
        cli
        jmp COLD_START
mark:   .byte $C3, $C2, $CD, $38, $30
}

// InitRam - clear pages 0, 2 and 3, and say where memory ends
//
// Clobbers: A, X, Y
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
        rts
}

// InitIo - the CIAs, the port of the CPU, and the SID's volume
//
// Clobbers: A, X
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
        jmp StartTimer
}

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

// Restor - the vectors at $0314 as they were
Restor: {
        ldx #<Vectors
        ldy #>Vectors
        clc
}                               // falls through

// Vector - copy the vectors at $0314 from or to a table
//
// In:       C = 0 set them from the table, C = 1 write them to it; X, Y = its address
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

Vectors:
        .word $EA31, $FE66, $FE47
        .word Open, Close, ChkIn, ChkOut, ClrChn, ChrIn, ChrOut, StopPressed, GetIn, ClAll
        .word $FE66, LoadDevice, SaveDevice

// MemTop, MemBot - the ends of the memory that programs may use
//
// In:       C = 1 read, C = 0 set; X, Y = address
// Out:      X, Y = address
MemTop: {
        bcc set
        ldx MemoryTop
        ldy MemoryTop + 1
set:    stx MemoryTop
        sty MemoryTop + 1
        rts
}
MemBot: {
        bcc set
        ldx MemoryBottom
        ldy MemoryBottom + 1
set:    stx MemoryBottom
        sty MemoryBottom + 1
        rts
}

// SetMsg - bit 7 of A: LOAD prints messages
SetMsg: sta MessageFlags
        rts

// SetTimeout - kept for programs that read it
SetTimeout:
        sta SerialTimeout
        rts

// IoBase - where the CIAs are
IoBase: ldx #<$DC00
        ldy #>$DC00
        rts
