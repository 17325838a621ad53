; The sum of four bytes, for ACME: acme --vicelabels and -r
        * = $1000
!macro double {
        asl
        clc
}
start   lda #0
        ldx #3
next    clc
        adc data,x
        dex
        bpl next
        +double
        sta result
        rts
data    !byte 1, 2, 3, 4
result = $2000
