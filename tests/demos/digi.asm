// A player of samples: four bits each, 8,000 a second by NMI, to the volume register. The border shows its time.
BasicUpstart2(start)
.const PERIOD = 123              // 985,248 Hz / 8,010
start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dd0d
        lda $dd0d
        lda #<nmi
        sta $fffa
        lda #>nmi
        sta $fffb
        lda #<PERIOD-1          // the timer takes a cycle more than its latch
        sta $dd04
        lda #>PERIOD-1
        sta $dd05
        lda #$81
        sta $dd0d
        lda #$11
        sta $dd0e
        lda #0
        sta $d020
        lda #$ff                // on an 8580 a voice with the test bit on carries them
        sta $d406
        lda #$49
        sta $d404
        jmp *
nmi:    pha
        txa
        pha
        inc $d020
        ldx place
        lda samples,x
        sta $d418
        inx
        cpx #20
        bne !+
        ldx #0
!:      stx place
        lda $dd0d
        dec $d020
        pla
        tax
        pla
        rti
place:  .byte 0
samples: .fill 20, round(7.5 + 7.4 * sin(toRadians(i * 360 / 20)))
