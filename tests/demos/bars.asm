// Raster bars across the whole screen with a line of text in front: a colour for each raster line, from a stable interrupt.
BasicUpstart2(start)
.const FIRST = 80
.const TITLE = 21
start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        sta $dd0d
        lda $dc0d
        lda #1
        sta $d01a
        sta $d019
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        lda #FIRST
        sta $d012
        lda #$1b
        sta $d011
        lda #0
        sta $d020
        sta $d021
        ldx #0
!:      lda #$20
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $06e8,x
        inx
        bne !-
        ldx #TITLE-1
!:      lda text,x
        sta $0400+8*40+10,x
        lda #1
        sta $d800+8*40+10,x
        dex
        bpl !-
        lda #1
        sta $d019
        cli
        jmp *
text:   .text "raster bars, 96 lines"
irq:    pha
        txa
        pha
        lda #<second            // the second interrupt comes while nops run: one cycle of play is left
        sta $fffe
        lda #>second
        sta $ffff
        lda #FIRST+1
        sta $d012
        asl $d019
        tsx
        cli
        .fill 40, $ea
second: txs
        ldx #8
!:      dex
        bne !-
        bit $ea
        lda $d012
        cmp $d012
        beq !+
!:      ldx #0
next:   lda colours,x           // 63 cycles a line without a bad one: YSCROLL is moved away
        sta $d020
        sta $d021
        ldy $d012
        iny
        tya
        and #7
        eor #4
        ora #$18
        sta $d011
        .fill 9, $ea
        nop
        bit $ea
        bit $ea
        inx
        cpx #96
        bne next
        lda #0
        sta $d020
        sta $d021
        lda #$1b
        sta $d011
        lda #FIRST
        sta $d012
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        asl $d019
        pla
        tax
        pla
        rti
        .align 128
colours: .var bars = List().add(List().add(6,14,3,1), List().add(9,8,7,1), List().add(11,12,15,1), List().add(2,10,7,1), List().add(5,13,7,1), List().add(6,4,14,1))
.for (var b = 0; b < 6; b++) {
        .for (var n = 0; n < 16; n++) .byte bars.get(b).get(n < 8 ? floor(n / 2) : floor((15 - n) / 2))
}
