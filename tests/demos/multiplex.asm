// A multiplexer: eight sprites are shown four times, moved by interrupts between their rows, 32 in all.
BasicUpstart2(start)
.const ROWS = 4
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
        lda #40
        sta $d012
        lda #$1b
        sta $d011
        lda #0
        sta $d020
        sta $d021
        sta row
        ldx #0
!:      lda #$20
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $06e8,x
        inx
        bne !-
        ldx #7
!:      lda #13
        sta $07f8,x
        dex
        bpl !-
        ldx #62
!:      lda ring,x
        sta 13*64,x
        dex
        bpl !-
        lda #$ff
        sta $d015
        lda #1
        sta $d019
        cli
        jmp *
row:    .byte 0
irq:    pha
        txa
        pha
        tya
        pha
        ldy row
        ldx #14
!:      lda first,y
        sta $d001,x
        lda left,y
        clc
        adc places,x
        sta $d000,x
        dex
        dex
        bpl !-
        lda colour,y
        ldx #7
!:      sta $d027,x
        clc
        adc #1
        dex
        bpl !-
        iny
        cpy #ROWS
        bne !+
        ldy #0
!:      sty row
        lda lines,y
        sta $d012
        asl $d019
        pla
        tay
        pla
        tax
        pla
        rti
lines:  .byte 40, 92, 142, 192
first:  .byte 60, 110, 160, 210
left:   .byte 30, 40, 30, 50
places: .for (var n = 0; n < 8; n++) { .byte n * 26, 0 }
colour: .byte 1, 3, 5, 7
ring:   .for (var y = 0; y < 21; y++) {
            .for (var b = 0; b < 3; b++) {
                .var bits = 0
                .for (var k = 0; k < 8; k++) {
                    .var x = b * 8 + k - 11.5
                    .var d = x * x + (y - 10) * (y - 10)
                    .if (d < 105 && d > 49) .eval bits = bits | (128 >> k)
                }
                .byte bits
            }
        }
