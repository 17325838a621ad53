// The upper and the lower border open, with eight sprites below the screen.
BasicUpstart2(start)
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
        lda #<back
        sta $fffa
        lda #>back
        sta $fffb
        lda #$f9
        sta $d012
        lda #$1b
        sta $d011
        lda #6
        sta $d020
        lda #0
        sta $d021
        sta $3fff
        lda #$ff
        sta $d015
        ldx #7
!:      lda #13
        sta $07f8,x
        txa
        adc #1
        sta $d027,x
        dex
        bpl !-
        ldx #62
!:      lda ball,x
        sta 13*64,x
        dex
        bpl !-
        ldx #0
        ldy #0
        clc
!:      lda place,y
        sta $d000,x
        lda #252
        sta $d001,x
        inx
        inx
        iny
        cpy #8
        bne !-
        lda #%11000000
        sta $d010
        lda #1
        sta $d019
        cli
        jmp *
back:   rti
// Line 249: RSEL goes to 0 before the lower edge of 24 rows is compared, and back after that of 25.
irq:    pha
        lda #$13
        sta $d011
        asl $d019
!:      lda $d012
        cmp #255
        bne !-
        lda #$1b
        sta $d011
        pla
        rti
place:  .byte 24, 60, 96, 132, 168, 204, 4, 40
ball:   .for (var y = 0; y < 21; y++) {
            .for (var b = 0; b < 3; b++) {
                .var bits = 0
                .for (var k = 0; k < 8; k++) {
                    .var x = b * 8 + k - 11.5
                    .if (x * x + (y - 10) * (y - 10) < 100) .eval bits = bits | (128 >> k)
                }
                .byte bits
            }
        }
