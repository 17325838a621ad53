// Code for a drive that is written as it is stored: the jump goes to where it is copied.
        * = $2000
drive:  lda $02
        beq done
        jmp $0508
        nop
        nop
        lda $1800               // $0508 in the drive
done:   rts
