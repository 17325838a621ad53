// A scroller: a line of text that moves by a pixel in each frame with XSCROLL, under a still picture.
BasicUpstart2(start)
.const LENGTH = 52
start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #1
        sta $d01a
        lda #<lower
        sta $fffe
        lda #>lower
        sta $ffff
        lda #$1b
        sta $d011
        lda #226
        sta $d012
        lda #6
        sta $d020
        sta $d021
        ldx #0
!:      txa
        sta $0400,x
        sta $0500,x
        sta $0600,x
        lda #$20
        sta $06e8,x
        lda #14
        sta $d800,x
        sta $d900,x
        sta $da00,x
        lda #1
        sta $dae8,x
        inx
        bne !-
        lda #1
        sta $d019
        cli
        jmp *
fine:   .byte 7
next:   .byte 0
// Above the last rows: narrow, and moved.
lower:  pha
        txa
        pha
        lda #2
        sta $d020
        sta $d021
        lda fine
        sta $d016
        ldx #<upper
        lda #>upper
        ldy #251
        jmp leave
// Below the window: the next place.
upper:  pha
        txa
        pha
        lda #6
        sta $d020
        sta $d021
        lda #8
        sta $d016
        dec fine
        bpl !+++
        lda #7
        sta fine
        ldx #0
!:      lda $07c1,x
        sta $07c0,x
        inx
        cpx #39
        bne !-
        ldx next
        lda text,x
        sta $07e7
        inx
        cpx #LENGTH
        bne !+
        ldx #0
!:      stx next
!:      ldx #<lower
        lda #>lower
        ldy #226
leave:  stx $fffe
        sta $ffff
        sty $d012
        asl $d019
        pla
        tax
        pla
        rti
text:   .text "a line of text that moves by a pixel in each frame, "
