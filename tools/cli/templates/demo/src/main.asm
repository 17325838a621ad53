// main.asm - the demo: one raster interrupt a frame, two effects in it
//
// Provides: Start, Interrupt
// Uses:     c64.asm, bars.asm, scroller.asm

#import "c64.asm"

        BasicUpstart2(Start)

#import "bars.asm"
#import "scroller.asm"

Start: {
        sei
        lda #BLACK
        sta BORDER
        sta BACKGROUND
        jsr ClearScreen
        lda #%01111111
        sta CIA1_IRQ            // no more interrupts of the timer
        lda CIA1_IRQ            // and none that waits
        lda #<Interrupt
        sta IrqVector
        lda #>Interrupt
        sta IrqVector + 1
        lda #FIRST_LINE
        sta RASTER
        lda CONTROL1
        and #%01111111
        sta CONTROL1
        lda #1
        sta VIC_ENABLE
        lda #$ff
        sta VIC_IRQ             // the beam may have passed the line before it was asked for
        cli
forever:
        jmp forever
}

// Interrupt - once a frame, above the bars
Interrupt: {
        lda #$ff
        sta VIC_IRQ             // seen
        inc Frames
        jsr DrawBars
        jsr Scroll
        jmp IrqReturn
}

Frames: .byte 0
