// Prints the names of the parts; a loader for real would start them.
BasicUpstart2(start)
.encoding "petscii_upper"
start:      ldx #0
!:          lda text,x
            beq !+
            jsr $ffd2
            inx
            bne !-
!:          rts
text:       .text "LOAD" + '"' + "BARS" + '"' + ",8,1"
            .byte 0
