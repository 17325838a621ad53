// A film from a RAM expansion: 64 screens are stored there once; then one comes back in each frame by DMA, with its colours.
BasicUpstart2(start)
start:  sei
        lda #0
        sta $d020
        sta $d021
        sta number
        // Each screen: circles around the middle, their radius moved on.
make:   ldx #0
rows:   ldy #0
columns: lda squares,x
        clc
        adc across,y
        adc number
        adc number
        lsr
        lsr
        and #7
        sty column
        tay
        lda shades,y
pointer: sta $4000
        inc pointer + 1
        bne !+
        inc pointer + 2
!:      inc column
        ldy column
        cpy #40
        bne columns
        ldy #0
        sty column
        inx
        cpx #25
        bne rows
        lda #$40                // the screen to the expansion
        sta pointer + 2
        lda #0
        sta pointer + 1
        sta $df02
        sta $df0a
        lda #$40
        sta $df03
        jsr place
        lda #$90
        sta $df01
        inc number
        lda number
        cmp #64
        bne make
        lda #0
        sta number
        ldx #0                  // a block in every cell
!:      lda #$a0
        sta $0400,x
        sta $0500,x
        sta $0600,x
        sta $06e8,x
        inx
        bne !-
frame:  bit $d011
        bpl frame
!:      bit $d011
        bmi !-
        lda #0                  // the colours come straight from the expansion
        sta $df02
        lda #$d8
        sta $df03
        jsr place
        lda #$91
        sta $df01
        inc number
        lda number
        and #63
        sta number
        jmp frame
// Screen `number` of the expansion: 1,024 bytes each.
place:  lda #0
        sta $df04
        lda number
        asl
        asl
        sta $df05
        lda number
        lsr
        lsr
        lsr
        lsr
        lsr
        lsr
        sta $df06
        lda #<1000
        sta $df07
        lda #>1000
        sta $df08
        rts
number: .byte 0
column: .byte 0
shades: .byte 0, 6, 14, 3, 1, 3, 14, 6
squares: .for (var y = 0; y < 25; y++) .byte min(255, (y - 12) * (y - 12) / 2)
across: .for (var x = 0; x < 40; x++) .byte min(255, (x - 20) * (x - 20) / 4)
