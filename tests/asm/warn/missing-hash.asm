// A constant that is a number in one line and an address in another.
*=$1000
.const COUNT = 5
.const POINTER = $fb
.const PORT = 1
.const BIG = 300
        ldx #COUNT
        cpx COUNT               // warning: W0104
        lda #POINTER
        lda POINTER             // written below: an address
        sta POINTER
        lda PORT                // nowhere a number
        lda #<BIG
        lda BIG
        lda RED                 // warning: W0104
        lda #RED
        sta RED                 // nobody writes to a colour, but it is an address
        .byte RED
        rts
