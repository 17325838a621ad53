// Noise in the VIC's bank from $4400 on, and colours made of it. Uses $fb-$fd.
#importonce
.macro Noise(seed) {
    lda #seed
    sta $fb
    lda #$44
    sta $fd
    lda #0
    sta $fc
    ldy #0
fill: lda $fb
    asl
    bcc !+
    eor #$1d
!:  sta $fb
    sta ($fc),y
    iny
    bne fill
    inc $fd
    lda $fd
    cmp #$80
    bne fill
    ldx #0
colours: txa
    eor $4480,x
    sta $d800,x
    sta $d900,x
    sta $da00,x
    sta $db00,x
    inx
    bne colours
}
