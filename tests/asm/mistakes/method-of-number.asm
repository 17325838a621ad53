.var l = 5
 *=$1000
 .byte l.get(0)
