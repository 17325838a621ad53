*=$1000
.import source "part.inc" nop
