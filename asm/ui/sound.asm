// sound.asm - short sounds on one voice
//
// Provides: InitSound, PlaySound, TickSound, SoundOn; SOUND_...
// Uses:     nothing
#importonce

.label SID = $D400
.const SOUND_MOVE    = 0
.const SOUND_CAPTURE = 1
.const SOUND_CHECK   = 2
.const SOUND_END     = 3
.const SOUND_WRONG   = 4

SoundOn:     .byte 1
SoundFrames: .byte 0                    // until the voice is let go
SoundWave:   .byte 0

// InitSound - silence, full volume
//
// Clobbers: A, X
InitSound: {
        lda #0
        ldx #$18
next:   sta SID,x
        dex
        bpl next
        lda #15
        sta SID+$18
        rts
}

// PlaySound - one of SOUND_...
//
// In:       X
// Clobbers: A
PlaySound: {
        lda SoundOn
        beq done
        lda #0
        sta SID+4
        sta SID+6                       // no sustain, quick release
        lda pitchLo,x
        sta SID
        lda pitchHi,x
        sta SID+1
        lda #$08
        sta SID+3                       // pulse width
        lda attack,x
        sta SID+5
        lda frames,x
        sta SoundFrames
        lda wave,x
        sta SoundWave
        ora #1
        sta SID+4
done:   rts
        //     move capture check end wrong
pitchLo: .byte $00, $80, $00, $A0, $00
pitchHi: .byte $0C, $05, $22, $08, $03
wave:    .byte $10, $80, $10, $40, $20
attack:  .byte $06, $07, $08, $0B, $07
frames:  .byte 6, 8, 12, 40, 8
}

// TickSound - let the voice go when its time is over
//
// Clobbers: A
TickSound: {
        lda SoundFrames
        beq done
        dec SoundFrames
        bne done
        lda SoundWave
        sta SID+4
done:   rts
}
