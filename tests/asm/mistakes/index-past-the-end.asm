*=$1000
.var l = List().add(1,2)
 .byte l.get(3)
 .byte "ab".charAt(2)
 .byte List().get(0)
