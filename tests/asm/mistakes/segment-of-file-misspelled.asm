.file [name="a.prg", segments="Cod"]
.segmentdef Code [start=$1000]
.segment Code
 rts
