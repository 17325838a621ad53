// stars.asm - a star to catch, and the points
//
// Provides: PlaceStar, CatchStar, ClearScore, Random, StarX, StarY, Seed
// Uses:     screen.asm, player.asm
#importonce
#import "screen.asm"
#import "player.asm"

// Where the two digits of the points are.
.label Score = SCREEN

// CatchStar - a point and another star if the player is at the star
//
// Clobbers: A, X, Y
CatchStar: {
        lda PlayerX
        cmp StarX
        bne done
        lda PlayerY
        cmp StarY
        bne done
        inc Score + 1
        lda Score + 1
        cmp #'9' + 1
        bne PlaceStar
        lda #'0'
        sta Score + 1
        inc Score
        jmp PlaceStar           // returns for this routine
done:   rts
}

// PlaceStar - a star anywhere in the field
//
// Clobbers: A, X, Y
PlaceStar: {
column: jsr Random
        and #%111111
        cmp #COLUMNS
        bcs column
        sta StarX
row:    jsr Random
        and #%11111
        cmp #TOP
        bcc row
        cmp #BOTTOM + 1
        bcs row
        sta StarY
        tay
        ldx StarX
        lda #STAR
        jmp Plot                // returns for this routine
}

// ClearScore - no points
//
// Clobbers: A
ClearScore: {
        lda #'0'
        sta Score
        sta Score + 1
        rts
}

// Random - the next of 255 numbers in no obvious order; 0 is not among them
//
// Out:      A = the number
// Clobbers: -
Random: {
        lda Seed
        lsr
        bcc done
        eor #$b8                // taps for the longest period of eight bits
done:   sta Seed
        rts
}

StarX:  .byte 0
StarY:  .byte TOP
Seed:   .byte 1
