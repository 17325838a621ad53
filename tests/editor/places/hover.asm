// ask: hover definition references

.var xy = 5
.const BORDER = $d020
.macro Set(value) {
        l‸da #val‸ue
        sta BOR‸DER
}
*=$1000 "Main"
// Counts down.
// Uses X.
start:  ldx #$41‸
!loop:  Set(x‸y + 1)
        dex
        bne !lo‸op-
        lda table,x‸
        lda tab‸le,x
        S‸et(2)
        js‸r sta‸rt
        rts
.for (var i = 0; i < 4; i++) { .byte i‸ * 2 }
ta‸ble: .fi‸ll 16, si‸n(i)
/* ä€😀 */ lda ta‸ble
