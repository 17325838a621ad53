.struct Point { x, y }
.var p = Point(1, 2)
        *=$1000
        lda #p.z
