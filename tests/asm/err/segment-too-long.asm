.segmentdef Small [start=$1000, max=$1003]
.segment Small
        .fill 5, 0
