// The program that real editors open in tests.
#import "lib.inc"
*=$1000 "Main"
start:  ldx #5
loop:   dex
        bne loop
        /* ä€😀 */ jsr Border
        jmp start
