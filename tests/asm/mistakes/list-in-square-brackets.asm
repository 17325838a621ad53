.var l = List().add(1,2)
 *=$1000
 .byte l[0]
