.namespace vic { .label border = $d020 }
*=$1000
 sta vic.boder
