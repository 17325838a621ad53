.segmentdef Code [begin=$1000]
.segment Code
 rts
