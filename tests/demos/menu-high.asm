// An EasyFlash menu, bank 0 at $E000: the start in Ultimax mode, which goes on in RAM.
* = $e000
start:  sei
        cld
        ldx #$ff
        txs
        ldx #0
!:      lda menu,x
        sta $0c00,x
        inx
        bne !-
        jmp $0c00
menu:   .pseudopc $0c00 {
        lda #$37
        sta $01
        lda #$2f
        sta $00
        lda #$04                // off: the KERNAL sets the machine up
        sta $de02
        jsr $ff84
        jsr $ff8a
        jsr $ff81
        lda #$06                // 8K: the banks at $8000
        sta $de02
        cli
        lda #1
        sta bank
list:   lda bank
        sta $de00
        clc
        adc #$30
        jsr $ffd2
        lda #$20
        jsr $ffd2
        ldx #0
!:      lda $8000,x
        beq !+
        jsr $ffd2
        inx
        bne !-
!:      lda #13
        jsr $ffd2
        inc bank
        lda bank
        cmp #5
        bne list
wait:   jsr $ffe4
        sec
        sbc #$30
        beq wait
        cmp #5
        bcs wait
        sta $de00
        ldx #0
!:      lda $8020,x             // the chosen program
        sta $1000,x
        inx
        bne !-
        jmp $1000
bank:   .byte 0
        }
* = $fffa
        .word start, start, start
