// A routine that saves registers for its caller below the return address, and one that jumps by rts with a byte for the
// code there.
        * = $1000
start:  jsr Save
        jsr Restore
        lda #1
        jsr Dispatch
        rts
Save:   sta a1
        pla
        sta r1
        pla
        sta r2
        lda a1
        pha
        txa
        pha
        tya
        pha
        lda r2
        pha
        lda r1
        pha
        rts
Restore:
        pla
        sta r1
        pla
        sta r2
        pla
        tay
        pla
        tax
        pla
        sta a1
        lda r2
        pha
        lda r1
        pha
        lda a1
        rts
Dispatch:
        asl
        tax
        php
        lda high,x
        pha
        lda low,x
        pha
        rts
First:  plp
        rts
low:    .byte <(First - 1)
high:   .byte >(First - 1)
a1:     .byte 0
r1:     .byte 0
r2:     .byte 0
