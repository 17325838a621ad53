*=$1000
start:  .fill 126, 0
        bne start
