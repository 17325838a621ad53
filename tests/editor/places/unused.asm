// ask: problems actions
#import "lib.asm"
*=$1000
.const us‸ed = 1
.const nev‸er = 2               // of no use
.const _kept = 3
.var counter = 4
.namespace colours { .const blue = 6 }
.define sum { .var sum = used }
start:  lda #used + sum
.for (var i = 0; i < 2; i++) nop
        rts
