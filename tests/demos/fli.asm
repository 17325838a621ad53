// FLI: a new row of colours in every line, from eight screen matrices, in multicolour bitmap mode.
BasicUpstart2(start)
.const TOP = $32
start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #1
        sta $d01a
        sta $d019
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        lda #TOP-2
        sta $d012
        lda #$3b
        sta $d011
        lda #$18
        sta $d016
        lda #2                  // bank 1: matrices at $4000 to $5c00, bitmap at $6000
        sta $dd00
        lda #0
        sta $d020
        sta $d021
        jsr fill
        lda #1
        sta $d019
        cli
        jmp *
// The matrices hold line and column, the bitmap all four pairs.
fill:   ldx #0
columns: .for (var m = 0; m < 8; m++) {
            .for (var p = 0; p < 4; p++) {
                txa
                clc
                adc #m * 17 + p * 5
                sta $4000 + m * $400 + p * $100,x
            }
        }
        lda #5
        sta $d800,x
        sta $d900,x
        sta $da00,x
        sta $db00,x
        inx
        beq !+
        jmp columns
!:      ldy #0
        lda #$60
        sta $03
        lda #0
        sta $02
!:      lda #%00011011
        sta ($02),y
        iny
        bne !-
        inc $03
        bpl !-
        rts
irq:    pha
        txa
        pha
        tya
        pha
        lda #<second
        sta $fffe
        lda #>second
        sta $ffff
        lda #TOP-1
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
!:      ldx #7                  // until the first line of the window
!:      dex
        bne !-
        nop
        .for (var line = 0; line < 192; line++) {
            lda #((line & 7) << 4) | 8
            ldx #$38 | ((TOP + 1 + line) & 7)
            sta $d018
            stx $d011
            .if (line < 191) { nop
                nop
                nop
                nop
                bit $ea }
        }
        lda #$3b
        sta $d011
        lda #TOP-2
        sta $d012
        lda #<irq
        sta $fffe
        lda #>irq
        sta $ffff
        asl $d019
        pla
        tay
        pla
        tax
        pla
        rti
