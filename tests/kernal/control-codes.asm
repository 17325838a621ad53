// frames: 8
// Cursor, insert, delete, quote mode, reverse and case. Reversed characters show as plain ones.
BasicUpstart2(start)
start:  lda #<text
        sta $fb
        lda #>text
        sta $fc
loop:   ldy #0
        lda ($fb),y
        beq done
        jsr $ffd2
        inc $fb
        bne loop
        inc $fc
        bne loop
done:   jmp *
text:   .byte $93
        .text "ROW 0"
        .byte $11, $11
        .text "TWO DOWN"
        .byte $91
        .text "ONE UP"
        .byte $0d, $0d, $0d
        .text "DELETE THIS"
        .fill 5, $14
        .text "AND"
        .byte $9d, $9d, $9d, $94, $94
        .text "IN"
        .byte $0d, $22, $11, $93, $92, $22, $12
        .text "REVERSED"
        .byte $92, $0d, $1d, $1d
        .text "RIGHT"
        .byte $13
        .text "HOME"
        .byte 0
