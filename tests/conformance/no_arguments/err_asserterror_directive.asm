*=$1000
 .asserterror
 nop
