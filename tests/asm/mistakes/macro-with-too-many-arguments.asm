 *=$1000
 SetBorderColor(1, 2)
.macro SetBorderColor(c) { lda #c; sta $d020 }
