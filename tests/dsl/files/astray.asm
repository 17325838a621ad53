.label CHROUT = $ffd2

* = $1000
Keep:   pha             // nobody pulls it
        lda #1
        rts
Outer:  jsr Keep
        rts
Table:  lda #>Ok - 1    // jumps by RTS, which is not a fault
        pha
        lda #<Ok - 1
        pha
        rts
Print:  lda #65
        jsr CHROUT
Ok:     rts
Patch:  lda #$18
        sta Patched
        jsr Patched
        rts
Patched: sec
        rts
Data:   .byte 8, 9, $81, $20
