#import "level.asm"
.import source "resident.sym"
.filenamespace level1

* = $4000 "Level 1"
entry: {
            lda #colours.get(1)
            sta border
            .for (var row = 0; row < 25; row += 8) Stripe(row, row + 1)
frame:      jsr api.wait
            inc background
            dec count
            bne frame
            lda #$10
            jmp api.score
count:      .byte 50
}
