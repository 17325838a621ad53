* = $1000
Under:  jsr Eat
        rts
Eat:    pla             // half of the return address
        rts
Twice:  jsr Deep
        rts
Deep:   jsr Three
        rts
Three:  pla
        pla
        pla
        rts
Move:   ldx #$10
        txs
        rts
Skip:   jsr Leave       // returns to the caller's caller, which is not a fault
Leave:  pla
        pla
        rts
