.segmentdef Code [strat=$1000]
.segment Code
        rts
