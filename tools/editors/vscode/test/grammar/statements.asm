#importonce
#import "lib.asm" // a file
#if DEBUG && !RELEASE
.filenamespace game
#endif
* = $0801 "Start"
.cpu _65c02
start:  lda #BLACK
        sta.abs $d020,x
!loop:  dex
        bne !loop-
!:      jmp (vector) // tempo: cycles 5
@global: .byte %1010, 10, $ff, 'a', "text"
        .text @"tab\t\$0a\q"
        slo ($fb),y
        bbr0 $12,start
.macro Set(where, what) { lda #what; sta where }
        Set(border, <colour)
.function area(w, h) { .return w * h }
.for (var i = 0; i < 8; i++) .fill 8, sin(toRadians(i * 360 / 256))
.var list = List().add(1, 2)
.eval list.add(list.size() + points.get(0).x)
.const WIDTH = 40 /* columns
   of text */
.pseudocommand mov a : b { lda a
 sta b }
:mov #1 : $d020
.segmentdef Data [start=$4000]
.segment Data
.label border = $d020
.struct Point { x, y }
.namespace sound { play: rts }
.if (WIDTH == 40) { nop } else { brk }
.import binary "music.bin"
.print "inc " + toHexString(border)
incident: jsr increment
