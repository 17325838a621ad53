.const A = "5"
 *=$1000
 lda #A
