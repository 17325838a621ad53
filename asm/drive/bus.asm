// bus.asm - bytes over the serial bus, a bit with every change of ATN
//
// The C64 changes ATN; the gate pulls DATA until the drive has answered, which it does by ATN_ANSWER. So both sides may
// take as long as they like, and CLK has the bit: a low line is a 1.
//
// Provides: GetByte, PutByte
// Uses:     names.asm
#importonce
#import "names.asm"

// GetByte - a byte from the C64
//
// Out:      A = the byte
// Clobbers: X
GetByte: {
        ldx #8
wait:   lda VIA1_PB
        eor zpAnswer
        bpl wait                // ATN is as it was answered last
        lsr
        lsr
        lsr                     // CLOCK_IN
        ror zpByte              // low bits come first
        jsr Answer
        dex
        bne wait
        lda zpByte
        rts
}

// PutByte - a byte to the C64
//
// In:       A = the byte
// Clobbers: A, X
PutByte: {
        sta zpByte
        ldx #8
wait:   lda VIA1_PB
        eor zpAnswer
        bpl wait
        lda VIA1_PB
        and #~CLOCK_OUT & $ff
        lsr zpByte
        bcc put
        ora #CLOCK_OUT
put:    jsr AnswerWith
        dex
        bne wait
last:   lda VIA1_PB             // the last bit has been read: CLK is the C64's again
        eor zpAnswer
        bpl last
        lda VIA1_PB
        and #~CLOCK_OUT & $ff
        jmp AnswerWith
}

// Answer - tell the C64 that its change of ATN was seen
//
// Clobbers: A
Answer: lda VIA1_PB
AnswerWith:
        eor #ATN_ANSWER
        sta VIA1_PB
        lda zpAnswer
        eor #$80
        sta zpAnswer
        rts
