.segment Scroll "Scroll"
.namespace scroll {
start:      lda #<message
            sta read
            lda #>message
            sta read + 1
next:       ldx read:$ffff
            cpx #$ff
            beq start
            stx $0400 + 39
            .for (var column = 0; column < 3; column++) {
            lda $0400 + column + 1
            sta $0400 + column
            }
            inc read
            bne next
            inc read + 1
            jmp next
}

.segment ScrollData "Text"
.encoding "screencode_upper"
message:    .import text "message.txt"
            .byte $ff
