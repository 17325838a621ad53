// ask: actions problems

*=$1000
start:  bne f‸ar
        beq far // twice
        .fill 200, 0
far:    rts
