// Eight expanded sprites over a text screen, moved in every frame, and a raster interrupt every sixteen lines that changes
// both colours and the scroll register. The main program works on memory.
BasicUpstart2(start)

start:
        sei
        lda #$35
        sta $01
        ldx #0
fill:   txa
        sta $0400, x
        sta $0500, x
        sta $0600, x
        sta $06e8, x
        sta $0340, x
        inx
        bne fill
        ldx #7
sprite: lda #$0d
        sta $07f8, x
        txa
        sta $d027, x
        asl
        tay
        lda places, x
        sta $d000, y
        lda heights, x
        sta $d001, y
        dex
        bpl sprite
        lda #$ff
        sta $d015
        sta $d017
        sta $d01d
        lda #$f0
        sta $d01c
        lda #$80
        sta $d010
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<split
        sta $fffe
        lda #>split
        sta $ffff
        lda #$30
        sta $d012
        lda #$1b
        sta $d011
        lda #$01
        sta $d01a
        sta $d019
        cli
again:
        ldx #0
        clc
copy:   lda $c000, x
        adc $c100, x
        sta $c100, x
        inx
        bne copy
        jmp again

split:  pha
        txa
        pha
        lda $d012
        tax
        sta $d020
        lsr
        sta $d021
        and #7
        ora #$08
        sta $d016
        txa
        clc
        adc #16
        bcc next
        ldx #14
move:   inc $d000, x
        dex
        dex
        bpl move
        lda #$30
next:   sta $d012
        lda #$01
        sta $d019
        pla
        tax
        pla
        rti

places: .byte 24, 60, 96, 132, 168, 204, 240, 20
heights: .byte 50, 60, 70, 80, 100, 130, 160, 190
