*=$1000 "Code"
        .fill 16, 0
*=$1008 "Data"
        .byte 1
