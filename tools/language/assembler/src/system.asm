// The macros every program can use.
//
// Debug dumps name the places of the statements below, and debuggers know them: lines and columns are those of the
// original built-in source. A test of the assembler holds them.
































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
 .word upstartEnd
    .word 10
    .byte $9e
 .text toIntString(address)
 .byte 0
upstartEnd:
    .word 0
    *=$080e "Basic End"
}
