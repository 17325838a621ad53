// ask: actions problems

*=$1000
start:  bne f‸ar
        beq far // twice
        stx‸ $1000,x
        .fill 200, 0
far:    rts
