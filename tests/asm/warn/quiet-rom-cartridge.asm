        BasicUpstart2(start)
        * = $0900
start:  lda #5
        sta $de02
        sta $e000
        sta $a000
        rts
