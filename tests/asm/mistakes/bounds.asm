.segmentdef A [start=$1000, max=$1003]
.segment A
 .fill 6, 0
