// The same with the ROM switched off.
*=$0801
        lda #$35
        sta $01
        sta $a000
        rts
