// player.asm - the player
//
// Provides: MovePlayer, DrawPlayer, PlayerX, PlayerY
// Uses:     screen.asm
#importonce
#import "screen.asm"

// The field; row 0 has the points.
.const TOP    = 1
.const BOTTOM = ROWS - 1
.const RIGHT  = COLUMNS - 1

// MovePlayer - one step, up to the walls
//
// In:       A = bit 0 up, 1 down, 2 left, 3 right
// Clobbers: A, X
MovePlayer: {
        ldx PlayerY
        lsr                     // C = up
        bcc notUp
        cpx #TOP
        beq notUp
        dex
notUp:  lsr                     // C = down
        bcc notDown
        cpx #BOTTOM
        beq notDown
        inx
notDown:
        stx PlayerY
        ldx PlayerX
        lsr                     // C = left
        bcc notLeft
        cpx #0
        beq notLeft
        dex
notLeft:
        lsr                     // C = right
        bcc notRight
        cpx #RIGHT
        beq notRight
        inx
notRight:
        stx PlayerX
        rts
}

// DrawPlayer - a character where the player is
//
// In:       A = screen code
// Clobbers: A, X, Y
DrawPlayer: {
        ldx PlayerX
        ldy PlayerY
        jmp Plot                // returns for this routine
}

PlayerX: .byte 0
PlayerY: .byte TOP
