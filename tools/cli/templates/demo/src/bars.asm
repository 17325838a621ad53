// bars.asm - bars of colour that swing on a sine
//
// Provides: DrawBars, Phase, FIRST_LINE, BARS
// Uses:     c64.asm
#importonce
#import "c64.asm"

.const FIRST_LINE = 60
.const BARS       = cmdLineVars.containsKey("bars") ? cmdLineVars.get("bars").asNumber() : 3
.const BAR_LINES  = 9
.const LINES      = BARS * BAR_LINES + 1
.const SWING      = 80          // lines between the highest place and the lowest

.errorif BARS < 1 || BARS > 8, "bars is a number from 1 to 8"

// DrawBars - wait for the beam, then a colour for each line
//
// Clobbers: A, X, Y
DrawBars: {
        inc Phase
        ldx Phase
        lda Sine,x
        clc
        adc #FIRST_LINE + 2
top:    cmp RASTER
        bne top
        ldx #0
line:   lda Colours,x
        ldy RASTER
next:   cpy RASTER              // the next line
        beq next
        sta BORDER
        sta BACKGROUND
        inx
        cpx #LINES
        bne line
        rts
}

Phase:  .byte 0

.align $100
Sine:   .fill 256, round(SWING / 2 - SWING / 2 * cos(toRadians(i * 360 / 256)))

.const HUES = List().add(BLUE, RED, GREEN, PURPLE, BROWN, ORANGE, CYAN, GREY)
Colours:
.for (var bar = 0; bar < BARS; bar++) {
    .var hue = HUES.get(bar)
        .byte hue, hue, LIGHT_GREY, WHITE, WHITE, WHITE, LIGHT_GREY, hue, hue
}
        .byte BLACK
