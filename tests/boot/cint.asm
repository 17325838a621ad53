// A ROM whose reset stores in the order of a C64's: variables cleared, the buffer's size set, the cursor switched off later,
// memory for programs emptied, and the cursor on only in the loop that waits for a key. The delay at its start moves all of
// it against the frames. A key ends the run with the first byte of the program.
* = $E000
reset:  sei
        ldx #$FF
        txs
        ldx delay
wait:   ldy #13
inner:  dey
        bne inner
        dex
        bne wait
        lda #0
clear:  sta $0002,x
        sta $0200,x
        inx
        bne clear
        lda #10
        sta $0289               // the cursor seems to blink over an empty buffer from here on
        ldx #200
slow:   nop
        dex
        bne slow
        lda #12
        sta $CD
        sta $CC                 // to here
        ldx #0
new:    lda #0
        sta $0801,x
        inx
        bne new
loop:   lda $C6
        sta $CC
        sta $0292
        beq loop
        lda $0801
        sta $D7FF
        jmp *
delay:  .byte 0
* = $FFFA
        .word reset, reset, reset
