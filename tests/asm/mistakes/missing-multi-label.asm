        bne !+
        rts
