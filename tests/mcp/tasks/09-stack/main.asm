// save.asm - calls a routine and keeps the registers
.label Count = $c000

*=$1000
// Quiet - counts in Count; keeps A, X and Y
Quiet: {
        pha
        txa
        pha
        tya
        pha
        inc Count
        ldx Count
        ldy #0
        pla
        tax
        pla
        tay
        pla
        rts
}
