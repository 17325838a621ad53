// sid_ring_sync: area sid, pal
// Ring modulation turns voice 3's triangle over while the top bit of voice 2 is clear; synchronisation restarts voice 3 when it
// rises. Voice 2 has the highest frequency: its top bit is set 129 to 256 cycles after the test bit goes off.
BasicUpstart2(start)

*=$0c00
start:
    sei
    lda #$35
    sta $01
    lda #$0b
    sta $d011
!:  lda $d011
    bpl !-
!:  lda $d011
    bmi !-
    lda #$ff
    sta $d407
    sta $d408
    // Both stand still; voice 3 has frequency 0.
    lda #$08
    sta $d40b
    lda #0
    sta $d40e
    sta $d40f
    lda #$18
    sta $d412
    lda #$14
    sta $d412
    lda $d41b
    sta $c000
    lda #$20
    sta $d40b
    ldx #30
!:  dex
    bne !-
    lda $d41b
    sta $c001
    // Voice 3 as a sawtooth that would be at 100 after 200 cycles; it was restarted after 128.
    lda #$80
    sta $d40f
    lda #$08
    sta $d40b
    lda #$28
    sta $d412
    lda #$22
    sta $d412
    lda #$20
    sta $d40b
    ldx #38
!:  dex
    bne !-
    lda $d41b
    cmp #$40
    lda #0
    rol
    sta $c002
    // The same without synchronisation.
    lda #$08
    sta $d40b
    lda #$28
    sta $d412
    lda #$20
    sta $d412
    sta $d40b
    ldx #38
!:  dex
    bne !-
    lda $d41b
    cmp #$40
    lda #0
    rol
    sta $c003
    lda #0
    sta $d7ff
    jmp *
