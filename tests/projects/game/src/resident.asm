// What stays in memory: the frame loop, and the calls that every level makes.
#import "hardware.asm"

* = $0c00 "Resident"

// The jump table is all that a level may call.
api: {
wait:       jmp waitFrame
paint:      jmp paintRow
score:      jmp addScore
}

waitFrame: {
!:          lda vic.raster
            cmp #250
            bne !-
            rts
}

// In: A = character, X = row
paintRow: {
            ldy rows.lo,x
            sty target
            ldy rows.hi,x
            sty target + 1
            ldy #39
loop:       sta target:SCREEN,y
            dey
            bpl loop
            rts
}

addScore: {
            sed
            clc
            adc points
            sta points
            cld
            rts
}

points:     .byte 0
rows:       .lohifill 25, SCREEN + 40 * i

.assert "the table has three entries", * - * + 9, waitFrame - api
