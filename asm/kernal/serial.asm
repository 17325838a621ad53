// serial.asm - the serial bus at its addresses, $ED09-$EEBA: the calls byte by byte, and the lines of the bus
//
// Provides: Talk, Listen, Second, TalkSecond, SerialOut, Untalk, Unlisten, SerialIn
// Uses:     names.asm (HOST)
// The host is all devices of the bus: it takes commands and bytes, and gives bytes.
#importonce

// Talk, Listen - a device is to send, or to receive
//
// In:       A = device
        :To($ED09)
Talk:   ora #$40
        .byte $2C               // skips the next instruction
        :To($ED0C)
Listen: ora #$20
        :HOST(HOST_BUS_COMMAND)
        rts

// Second, TalkSecond - the secondary address after Listen and Talk
//
// In:       A = $60 + secondary address; $E0 closes, $F0 opens
        :To($EDB9)
Second: :HOST(HOST_BUS_COMMAND)
        rts
        :To($EDBE)
        lda $DD00               // ATN is released
        and #%11110111
        sta $DD00
        rts
        :To($EDC7)
TalkSecond:
        :HOST(HOST_BUS_COMMAND)
        rts
        :To($EDCC)
        rts                     // ATN is released, and the device sends

// SerialOut - a byte to the device that listens
        :To($EDDD)
SerialOut:
        :HOST(HOST_BUS_WRITE)
        clc
        rts
        :To($EDEF)
Untalk: lda #$5F
        .byte $2C               // skips the next instruction
        :To($EDFE)
Unlisten:
        lda #$3F
        :HOST(HOST_BUS_COMMAND)
        rts

// SerialIn - a byte from the device that talks
//
// Out:      A = byte, C = 0
        :To($EE13)
SerialIn:
        :HOST(HOST_BUS_READ)
        clc
        rts

// The lines of the bus: CLK released and pulled, DATA released and pulled
        :To($EE85)
        lda $DD00
        and #%11101111
        sta $DD00
        rts
        :To($EE8E)
        lda $DD00               // tempo: allow(W0302) an entry
        ora #%00010000
        sta $DD00
        rts
        :To($EE97)
        lda $DD00               // tempo: allow(W0302) an entry
        and #%11011111
        sta $DD00
        rts
        :To($EEA0)
        lda $DD00               // tempo: allow(W0302) an entry
        ora #%00100000
        sta $DD00
        rts

// SerialLines - DATA in C, CLK in N
        :To($EEA9)
SerialLines: {
steady: lda $DD00
        cmp $DD00
        bne steady              // in motion
        asl
        rts
}

// A millisecond
//
// Keeps:    X, Y
        :To($EEB3)
        txa                     // tempo: allow(W0302) an entry
        ldx #197                // 5 cycles a turn
wait:   dex
        bne wait
        tax
        rts
