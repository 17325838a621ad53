// Bugs of the chip.
*=$1000
        jmp ($12ff)             // warning: W0304
        .byte 0
        jmp ($12fe)
.cpu _65c02
        .byte 0
        jmp ($12ff)
.cpu _6502
        .byte 0
        ane #1                  // warning: W0308
        lax #1                  // warning: W0308
        lax $10
        shx $1000,y             // warning: W0308
        las $1000,y
        rts
