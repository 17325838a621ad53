// raster.asm - a bar of colour on a C64's screen
//
// Select lines to see their cycles in the status bar.
// F5 starts the program in the debugger; its toolbar has buttons to step back.
.const BORDER = $d020
.const LINE   = $d012

        BasicUpstart2(Start)

Start:  sei
wait:   lda LINE
        cmp #$80
        bne wait
        jsr Bar
        jmp wait

// Bar - eight lines of colour
//
// Clobbers: A, X, Y
Bar: {
        // tempo: count
        ldx #7
next:   txa
        sta BORDER
        Delay(10)
        dex
        bpl next
        lda #BLACK
        sta BORDER              // tempo: cycles 503
        rts
}

// Delay - loops for 5 * turns + 1 cycles
.macro Delay(turns) {
        ldy #turns
loop:   dey
        bne loop                // tempo: cycles 5 per loop
}

// Sum - adds the bytes of a list
//
// In:  X = number of bytes
// Out: A = the sum
Sum: {
        lda #0
        clc
next:   adc list-1,x
        dex
        bne next
        rts
}
list:   .byte 1, 2, 3, 4
