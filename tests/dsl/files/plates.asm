// plates.asm - a stack of sixteen plates, the example of the test language
//
// Provides: PushPlate, PopPlate, SumPlates
.const MAX_PLATES = 16

*=$1000

// PushPlate - put a plate on the stack
//
// In:       A = plate
// Out:      C = 0 stored; C = 1 the stack is full
// Clobbers: X
PushPlate: {
        ldx PlateCount
        cpx #MAX_PLATES
        bcs full                // C = 1 is the answer
        sta Plates,x
        inc PlateCount          // C is still 0 from cpx
full:   rts
}

// PopPlate - take the topmost plate
//
// Out:      A = plate, C = 0; C = 1 the stack is empty
// Clobbers: X
PopPlate: {
        ldx PlateCount
        beq empty
        dex
        stx PlateCount
        lda Plates,x
        clc
        rts
empty:  sec
        rts
}

// SumPlates - add up all plates, modulo 256
//
// Out:      A = sum
// Clobbers: X
SumPlates: {
        lda #0
        sta Sum
loop:   jsr PopPlate
        bcs done
        jsr AddPlate
        jmp loop
done:   lda Sum
        rts
}

AddPlate: {
        clc
        adc Sum
        sta Sum
        rts
}

#if DOUBLE
// TwiceTheSum - only in programs that define DOUBLE
TwiceTheSum:
        jsr SumPlates
        asl
        rts
#endif

PlateCount: .byte 0
Sum:        .byte 0
Plates:     .fill MAX_PLATES, 0
