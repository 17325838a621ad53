// ask: calls
*=$1000
start:  jsr help‸er
        jmp start
helper: rts
        nop
