// interrupt.asm - the jiffy interrupt, the clock, RESTORE
//
// Provides: JiffyInterrupt, UpdateTime, ReadTime, SetTime, StopPressed, NmiDefault
// Uses:     keyboard.asm (ScanKeyboard), screen.asm (BlinkCursor), prompt.asm (WarmStart), names.asm
#importonce

// JiffyInterrupt - the usual interrupt, 60 times a second: clock, cursor, keyboard
//
// In:       A, X, Y of the program on the stack, as $FF48 leaves them
JiffyInterrupt: {
        jsr $FFEA               // UDTIM
        jsr BlinkCursor
        jsr ScanKeyboard
        jmp $EA7E
}

// UpdateTime - count a jiffy, and look at the STOP key
//
// Clobbers: A, X
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
stop:   lda CIA1_B              // the scan leaves column 7 selected
        cmp CIA1_B
        bne stop                // in motion
        sta StopKey
        rts
}

// ReadTime - the clock
//
// Out:      Y, X, A = its bytes, the highest first
ReadTime: {
        php
        sei
        lda Clock + 2
        ldx Clock + 1
        ldy Clock
        plp
        rts
}

// SetTime - set the clock
//
// In:       Y, X, A = its bytes, the highest first
SetTime: {
        php
        sei
        sta Clock + 2
        stx Clock + 1
        sty Clock
        plp
        rts
}

// StopPressed - is STOP held?
//
// Out:      Z = 1 and the channels are closed for use (CLRCHN) if so; A = the keyboard column
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

// NmiDefault - RESTORE with STOP starts the machine again, the program stays in memory
NmiDefault: {
        pha
        txa
        pha
        tya
        pha
        lda #$7F
        sta CIA2_ICR            // no more interrupts from there
        ldy CIA2_ICR
        bmi done                // it was the chip, not the key
        jsr UpdateTime.stop
        jsr $FFE1               // STOP
        bne done
        jmp WarmStart
done:   jmp $FEBC
}
