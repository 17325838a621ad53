// ask: actions problems

*=$1000
start:  lda late‸r
        js‸r start
        rts
unu‸sed: rts
.label later = $10
