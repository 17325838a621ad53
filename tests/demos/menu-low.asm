// A program of the EasyFlash menu: its name, and at $8020 what is copied to $1000.
* = $8000
        .encoding "petscii_upper"
        .text NAME
        .byte 0
* = $8020
        .pseudopc $1000 {
        lda #COLOUR
        sta $d020
        lda #$0d
        jsr $ffd2
        lda #'*'
        jsr $ffd2
        jmp *
        }
