// cia_inputs: area cia-timer, pal
// Nothing is connected to CNT, which is high: a timer that counts its edges stands still, one that counts A's underflows
// while CNT is high counts them. A one-shot B behind a continuous A ends with its start bit off and its flag set.
BasicUpstart2(start)

*=$0c00
start:
    sei
    lda #$35
    sta $01
    lda #$7f
    sta $dc0d
    lda $dc0d
    lda #$0b
    sta $d011
!:  lda $d011
    bpl !-
!:  lda $d011
    bmi !-
    // A counts CNT: it stays at its latch.
    lda #$34
    sta $dc04
    lda #$12
    sta $dc05
    lda #$31
    sta $dc0e
    ldx #50
!:  dex
    bne !-
    lda $dc04
    sta $c000
    lda $dc05
    sta $c001
    // A underflows every 20 cycles, B takes three of them with CNT high, once.
    lda #0
    sta $dc0e
    lda #19
    sta $dc04
    lda #0
    sta $dc05
    lda #2
    sta $dc06
    lda #0
    sta $dc07
    lda $dc0d
    lda #$79
    sta $dc0f
    lda #$11
    sta $dc0e
    ldx #40
!:  dex
    bne !-
    lda $dc0f
    sta $c002
    lda $dc06
    sta $c003
    lda $dc0d
    sta $c004
    lda #0
    sta $d7ff
    jmp *
