// loader.asm - the part of a fast loader that runs in the drive
//
// Sends the sectors of a file from zpWanted and zpSector on: a status, and if it is 0 the 256 bytes. Four pairs of bits
// follow a change of ATN, 20 cycles apart; CLK is low while the drive is busy.
// Host: host.asm sends it to memory and calls Start
#importonce
#import "names.asm"

.label LOADER     = $0420
.label DriveRead  = $c00c
.const PAIR_TIME  = 20

.segmentdef Loader [start=LOADER]
.segment Loader
Start: {
        lda VIA1_PB
        ora #CLOCK_OUT          // busy
        sta VIA1_PB
next:   jsr DriveRead
        pha
        jsr Send
        pla
        bne end
        ldy #0
byte:   lda Sector,y
        jsr Send
        iny
        bne byte
        ldx Sector + 1
        lda Sector              // track of the next one, or 0
        beq end
        stx zpSector
        sta zpWanted
        bne next                // always
end:    lda VIA1_PB
        and #~CLOCK_OUT & $ff
        sta VIA1_PB
        rts
}

// Send - the byte A, as four pairs
//
// Clobbers: A, X            Keeps: Y
Send: {
        sta zpTemp
        lda zpPhase
        eor #ATN_ANSWER         // the answer to the change that is to come
        sta zpPhase
        lda zpTemp
        and #%00001111
        ora zpPhase
        tax
        lda highPairs,x
        sta zpPairs + 2
        lda lowPairs,x
        sta zpPairs + 3
        lda zpTemp
        lsr
        lsr
        lsr
        lsr
        ora zpPhase
        tax
        lda highPairs,x
        sta zpPairs
        lda lowPairs,x
        sta zpPairs + 1
        lda zpPhase
        eor #ATN_ANSWER         // ready: CLK goes high
        sta VIA1_PB
wait:   lda VIA1_PB
        eor zpAnswer
        bpl wait
        lda zpPairs
        sta VIA1_PB
    .for (var next = 1; next < 4; next++) {
        :Pause(PAIR_TIME - 7)
        lda zpPairs + next
        sta VIA1_PB
    }
        lda zpAnswer
        eor #$80
        sta zpAnswer
        lda zpPhase
        ora #CLOCK_OUT          // busy
        nop
        nop
        sta VIA1_PB
        rts
        // Nibbles as pairs, without ATN_ANSWER and with it
highPairs:
        .fill 32, pair(i >> 2) | (i & ATN_ANSWER)
lowPairs:
        .fill 32, pair(i) | (i & ATN_ANSWER)
}
LoaderEnd:
.segment Default

// Pause - let cycles pass
.macro Pause(cycles) {
    .var left = cycles
    .if ((left & 1) == 1) {
        bit zpTemp
        .eval left = left - 3
    }
        .fill left / 2, NOP
}

// A pair of bits as outputs: the first is DATA, the second CLK
.function pair(bits) {
    .return (bits & 2) + (bits & 1) * CLOCK_OUT
}
