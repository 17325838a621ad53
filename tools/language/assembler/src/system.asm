// The macros every program can use.

.macro BasicUpstart(address) {
    .word upstartEnd
    .word 10
    .byte $9e
    .text toIntString(address)
    .byte 0
upstartEnd:
    .word 0
}

.macro BasicUpstart2(address) {
    *=$0801 "Basic"
    BasicUpstart(address)
    *=$080e "Basic End"
}
