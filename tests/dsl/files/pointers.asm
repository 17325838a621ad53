// What the SID reads of the paddles in the ports that CIA 1 selects.
* = $1000
None:   lda #$00
        beq Read
Port1:  lda #$40
        bne Read
Port2:  lda #$80
        bne Read
Both:   lda #$c0
Read:   sei
        ldx $dc00
        sta $dc00
        lda $d419
        sta X
        lda $d41a
        sta Y
        stx $dc00
        cli
        rts
X:      .byte 0
Y:      .byte 0
