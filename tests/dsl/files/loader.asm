// loader.asm - loads a file, and follows a joystick: for tests of disks and joysticks
//
// Provides: LoadScore, SaveScore, Follow
.const SETLFS = $ffba
.const SETNAM = $ffbd
.const LOAD = $ffd5
.const SAVE = $ffd8

        * = $1000

// LoadScore - SCORE from drive 8 to Score
//
// Out:      C = 1 if there is none, A = the KERNAL's error
LoadScore: {
        jsr Name
        lda #0                  // to the address in X and Y
        ldx #<Score
        ldy #>Score
        jmp LOAD
}

// SaveScore - Score to drive 8
//
// Out:      C = 0
SaveScore: {
        jsr Name
        lda #<Score
        sta $fb
        lda #>Score
        sta $fc
        lda #$fb
        ldx #<[Score + 2]
        ldy #>[Score + 2]
        jmp SAVE
}

Name: {
        lda #1
        ldx #8
        ldy #0
        jsr SETLFS
        lda #5
        ldx #<text
        ldy #>text
        jmp SETNAM
text:   .text "SCORE"
}

// Follow - one step of a cursor with the joystick in port 2
//
// Out:      Across, Down; Fired counts
Follow: {
        lda $dc00
        lsr
        bcs noUp
        dec Down
noUp:   lsr
        bcs noDown
        inc Down
noDown: lsr
        bcs noLeft
        dec Across
noLeft: lsr
        bcs noRight
        inc Across
noRight:
        lsr
        bcs noFire
        inc Fired
noFire: rts
}

Score:  .word 0
Across: .byte 10
Down:   .byte 10
Fired:  .byte 0
