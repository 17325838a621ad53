1up:    rts
