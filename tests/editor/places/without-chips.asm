// ask: hover completion actions on 6502

.label border = $d020
*=$1000
        lda $d0‸20
        sta bor‸der
        sta $d02‸
