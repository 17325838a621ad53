.segmentdef A [start=$1000, min=$1002]
.segment A
 .fill 6, 0
