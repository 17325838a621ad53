.cpu _65c02
        BasicUpstart2(start)
        * = $0900
start:  lda #5
        sta $a000
        rts
