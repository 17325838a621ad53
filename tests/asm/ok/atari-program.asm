// A program file of Atari DOS, as KickC asks for it: the labels come later.
.plugin "dk.camelot64.kickass.xexplugin.AtariXex"
.segmentdef Code [start=$2000]
.segmentdef Data [start=$3000]
*=$1000
.segmentout [segments="Code,Data", modify="XexFormat", _RunAddr=main, _InitAddr=init]
.segment Code
init:   rts
main:   jmp main
.segment Data
        .byte 1, 2
