// main.asm - the game: catch the stars with the joystick in port 2
//
// Provides: Start, NewGame, ReadJoystick, WaitFrame
// Uses:     screen.asm, player.asm, stars.asm

.const BORDER     = $d020
.const BACKGROUND = $d021
.const RASTER     = $d012
.const JOYSTICK   = $dc00       // port 2; a bit is 0 while its switch is closed

// Frames for each step of the player.
.const PACE = 3

        BasicUpstart2(Start)

#import "screen.asm"
#import "player.asm"
#import "stars.asm"

Start: {
        lda #BLACK
        sta BORDER
        sta BACKGROUND
        jsr ClearScreen
        jsr NewGame
step:   ldy #PACE
wait:   jsr WaitFrame
        dey
        bne wait
        lda #BLANK
        jsr DrawPlayer
        jsr ReadJoystick
        jsr MovePlayer
        jsr CatchStar
        lda #PLAYER
        jsr DrawPlayer
        jmp step
}

// NewGame - the player in the middle, no points, the first star
//
// Clobbers: A, X, Y
NewGame: {
        lda #RIGHT / 2
        sta PlayerX
        lda #BOTTOM / 2
        sta PlayerY
        jsr ClearScore
        jmp PlaceStar           // returns for this routine
}

// ReadJoystick - what the player presses
//
// Out:      A = bit 0 up, 1 down, 2 left, 3 right, 4 fire
// Clobbers: -
ReadJoystick: {
        lda JOYSTICK
        eor #%11111
        and #%11111
        rts
}

// WaitFrame - wait until the beam has left the text
//
// Clobbers: A      Keeps: X, Y
WaitFrame: {
        lda #251
leave:  cmp RASTER              // a short step may end in the same line
        beq leave
reach:  cmp RASTER
        bne reach
        rts
}
