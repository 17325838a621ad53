// The calls of a first program: print, and return to the prompt.
BasicUpstart2(start)
start:  ldx #0
loop:   lda message,x
        beq done
        jsr $ffd2
        inx
        bne loop
done:   rts
message: .text "HELLO, C64"
        .byte 0
