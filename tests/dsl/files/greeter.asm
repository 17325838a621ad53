// greeter.asm - asks for a name and greets; the example of tests on a whole C64
//
// Provides: Greet, Print, CountFrames, Add, Handler, Careless
.const CHROUT = $ffd2
.const GETIN = $ffe4
.const RETURN = 13

BasicUpstart2(Greet)

// Greet - ask, and answer when RETURN is pressed
//
// Out:      back at the prompt
Greet: {
        lda #<question
        ldy #>question
        jsr Print
wait:   jsr GETIN
        beq wait
        cmp #RETURN
        beq answer
        ldx Length
        sta Name,x
        inc Length
        jsr CHROUT
        jmp wait
answer: ldx Length
        lda #0
        sta Name,x
        lda #<hello
        ldy #>hello
        jsr Print
        lda #<Name
        ldy #>Name
        jmp Print

question:
        .byte $93               // clear the screen
        .text "WHO?"
        .byte RETURN, 0
hello:  .byte RETURN
        .text "HELLO "
        .byte 0
}

// Print - print a text that ends with 0
//
// In:       A, Y = its address
// Clobbers: A, X, Y
Print: {
        sta load + 1
        sty load + 2
        ldx #0
load:   lda $ffff,x
        beq done
        jsr CHROUT
        inx
        bne load
done:   rts
}

// CountFrames - let a raster interrupt at line 100 count the frames in Frames
CountFrames: {
        sei
        lda #<Tick
        sta $0314
        lda #>Tick
        sta $0315
        lda #$7f
        sta $dc0d               // the KERNAL's timer is quiet
        lda $dc0d
        lda #100
        sta $d012
        lda #$1b
        sta $d011
        asl $d019               // forget what came before
        lda #1
        sta $d01a
        cli
        rts
}

Tick: {
        asl $d019
        inc Frames
        inc $d020
        jmp $ea81
}

// Add - Sum = Sum + A, which an interrupt between its two bytes must not disturb
//
// In:       A
// Clobbers: A
Add: {
        clc
        adc Sum
        sta Sum
        bcc done
        inc Sum + 1
done:   rts
}

// Handler - an interrupt that keeps to the rules
Handler: {
        inc Ticks
        rti
}

// Careless - an interrupt that does not
Careless: {
        inc Ticks
        lda Ticks
        rti
}

Frames: .byte 0
Ticks:  .byte 0
Sum:    .word 0
Length: .byte 0
Name:   .fill 40, 0
