*=$1000
start:
        lda #nowhere
        rts
