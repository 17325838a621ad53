// A C64 program that writes below the ROM.
*=$0801
        sta $a000               // warning: W0309
        inc $e000,x             // warning: W0309
        sta $c000
        sta $d020
        lda $e000
        sta own
        rts
*=$a100 virtual
own:    .byte 0
