// interrupt.asm - the clock, the STOP key, and the errors of calls, $F69B-$F72B
//
// Provides: UpdateTime, ReadStop, ReadTime, SetTime, StopPressed, and an Error... for each error
// Uses:     names.asm
#importonce

// UpdateTime - count a jiffy, and look at the STOP key
//
// Clobbers: A, X
        :To($F69B)
UpdateTime: {
        inc Clock + 2
        bne today
        inc Clock + 1
        bne today
        inc Clock
today:  lda Clock               // midnight is at 24 * 60 * 60 * 60 = $4F1A00
        cmp #$4F
        bcc stop
        bne midnight
        lda Clock + 1
        cmp #$1A
        bcc stop
midnight:
        ldx #0
        stx Clock
        stx Clock + 1
        stx Clock + 2
stop:   nop
}                               // falls through

// ReadStop - the STOP key's column, which the scan of the keyboard leaves selected
//
// Clobbers: A
        :To($F6BC)
ReadStop: {
        lda CIA1_B
        cmp CIA1_B
        bne ReadStop            // in motion
        sta StopKey
        rts
}

// ReadTime - the clock
//
// Out:      Y, X, A = its bytes, the highest first; interrupts are on
        :To($F6DD)
ReadTime:
        sei
        lda Clock + 2
        ldx Clock + 1
        ldy Clock               // falls through: the clock is set to what it is

// SetTime - set the clock
//
// In:       Y, X, A = its bytes, the highest first
// Out:      interrupts are on
        :To($F6E4)
SetTime:
        sei
        sta Clock + 2
        stx Clock + 1
        sty Clock
        cli
        rts

// StopPressed - is STOP held?
//
// Out:      Z = 1 and the channels are closed for use (CLRCHN) if so; A = the keyboard column
        :To($F6ED)
StopPressed: {
        lda StopKey
        cmp #$7F
        bne no
        php
        jsr $FFCC               // CLRCHN
        sta KeyCount
        plp
no:     rts
}

// The errors that calls end with: A = number, C = 1. The channels are closed for use first.
        :To($F6FB)
ErrorTooManyFiles:
        lda #1
        .byte $2C               // skips the next instruction, here and below
ErrorFileOpen:
        lda #2
        .byte $2C
ErrorFileNotOpen:
        lda #3
        .byte $2C
ErrorFileNotFound:
        lda #4
        .byte $2C
ErrorDeviceNotPresent:
        lda #5
        .byte $2C
ErrorNotInputFile:
        lda #6
        .byte $2C
ErrorNotOutputFile:
        lda #7
        .byte $2C
ErrorNameMissing:
        lda #8
        .byte $2C
ErrorIllegalDevice:
        lda #9
        pha
        jsr $FFCC               // CLRCHN
        pla
        sec
        rts
