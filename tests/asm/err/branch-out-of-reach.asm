*=$1000
start:  .fill 129, 0
        bne start               // error: relative address is illegal (jump distance is too far: -131).
