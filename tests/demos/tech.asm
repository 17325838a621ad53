// Tech-tech: every line of a row of letters is moved by another value of XSCROLL, along a sine that moves on.
BasicUpstart2(start)
.const FIRST = 100
start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #1
        sta $d01a
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        lda #$1b
        sta $d011
        lda #FIRST
        sta $d012
        lda #0
        sta $d020
        sta $d021
        sta phase
        ldx #0
!:      lda #$20
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $06e8,x
        inx
        bne !-
        ldx #0
!:      txa
        and #15
        clc
        adc #$66
        sta $0400 + 7 * 40,x
        txa
        and #7
        clc
        adc #1
        sta $d800 + 7 * 40,x
        inx
        cpx #240
        bne !-
        lda #1
        sta $d019
        cli
        jmp *
phase:  .byte 0
irq:    pha
        txa
        pha
        ldx phase
        lda #48
        sta left
line:   lda $d012
!:      cmp $d012
        beq !-
        lda sine,x
        sta $d016
        inx
        dec left
        bne line
        lda #8
        sta $d016
        inc phase
        asl $d019
        pla
        tax
        pla
        rti
left:   .byte 0
        .align $100
sine:   .fill 256, round(3.5 + 3.5 * sin(toRadians(i * 360 / 64))) | 8
