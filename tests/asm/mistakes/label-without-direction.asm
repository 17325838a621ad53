*=$1000
!:
 dex
 bne !
