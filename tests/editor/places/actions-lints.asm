// ask: actions problems

*=$1000
start:  ld‸a later
        js‸r start
        rts
unu‸sed: rts
.label later = $10
