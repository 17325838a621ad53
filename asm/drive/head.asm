// head.asm - the motor, the place of the head, the density
//
// Provides: Home, Seek, Delay
// Uses:     names.asm
#importonce
#import "names.asm"

.const STEP_TIME = 6000         // cycles of a half track
.const HALF_TRACKS = 84

// Home - the head to track 1, where its stop is, from anywhere
Home: {
        ldy #HALF_TRACKS
out:    jsr StepOut
        dey
        bne out
        lda #1
        sta zpTrack
        rts
}

// Seek - the motor on, the head to zpWanted, the density of that track
//
// Clobbers: A, X
Seek: {
        lda VIA2_PB
        ora #MOTOR | LAMP
        sta VIA2_PB
move:   lda zpTrack
        cmp zpWanted
        beq there
        bcs out
        jsr StepIn
        jsr StepIn
        inc zpTrack
        bne move                // always: tracks are above 0
out:    jsr StepOut
        jsr StepOut
        dec zpTrack
        bne move                // always
there:  ldx #3
next:   cmp zones,x
        bcs found
        dex
        bne next
found:  lda VIA2_PB
        and #~DENSITY & $ff
        ora densities,x
        sta VIA2_PB
        rts

zones:  .byte 0, 18, 25, 31
densities:
        .byte 3 << 5, 2 << 5, 1 << 5, 0 << 5
}

// StepIn, StepOut - the head by half a track
//
// Clobbers: A, X
StepIn: ldx VIA2_PB
        inx
        jmp Step
StepOut:
        ldx VIA2_PB
        dex
Step:   txa
        and #STEPPER
        sta zpTemp
        lda VIA2_PB
        and #~STEPPER & $ff
        ora zpTemp
        sta VIA2_PB
        lda #<STEP_TIME
        ldx #>STEP_TIME

// Delay - wait by timer 1
//
// In:       A, X = cycles, low and high
// Clobbers: A
Delay:  sta VIA2_T1LO
        stx VIA2_T1HI
!:      bit VIA2_IFR
        bvc !-
        lda VIA2_T1LO           // takes the flag back
        rts
