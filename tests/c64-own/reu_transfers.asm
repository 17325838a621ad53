// reu_transfers: area reu, pal
// The RAM expansion: stash, fetch, verify, swap, autoload, the trigger at $FF00, and what a transfer costs: one cycle a
// byte, two for a swap. The screen is off, so the VIC takes no cycle; the stop watch is timer A of CIA 1.
BasicUpstart2(start)

.const FROM = $2000
.const TO = $c100

.macro Place(here, there, length) {
    lda #<here
    sta $df02
    lda #>here
    sta $df03
    lda #<there
    sta $df04
    lda #>there
    sta $df05
    lda #0
    sta $df06
    lda #<length
    sta $df07
    lda #>length
    sta $df08
}

// The cycles of a command, as the count of the timer.
.macro Watch(command, result) {
    lda #$ff
    sta $dc04
    sta $dc05
    lda #$11
    sta $dc0e
    lda #command
    sta $df01
    lda $dc04
    sta result
    lda $dc05
    sta result + 1
}

*=$0c00
start:
    sei
    lda #$35
    sta $01
    lda #$7f
    sta $dc0d
    lda #$0b
    sta $d011
    // A new frame begins without bad lines.
!:  lda $d011
    bpl !-
!:  lda $d011
    bmi !-
    ldx #0
    lda #0
fill: sta FROM, x
    clc
    adc #3
    inx
    bne fill
    // $C000: stash and fetch.
    :Place(FROM, $1234, 16)
    lda #$90
    sta $df01
    :Place(TO, $1234, 16)
    lda $df00
    lda #$91
    sta $df01
    lda $df00
    and #$e0
    sta $c004
    ldx #3
!:  lda TO, x
    sta $c000, x
    dex
    bpl !-
    // $C005: verify, then with a difference in the third byte.
    :Place(TO, $1234, 16)
    lda #$93
    sta $df01
    lda $df00
    and #$e0
    sta $c005
    inc TO + 2
    :Place(TO, $1234, 16)
    lda #$93
    sta $df01
    lda $df00
    and #$e0
    sta $c006
    lda $df02
    sta $c007
    // $C008: 184 bytes more, and the same as a swap.
    :Place(FROM, 0, 16)
    :Watch($90, $c0f0)
    :Place(FROM, 0, 200)
    :Watch($90, $c0f2)
    lda $c0f0
    sec
    sbc $c0f2
    sta $c008
    :Place(FROM, 0, 16)
    :Watch($92, $c0f0)
    :Place(FROM, 0, 200)
    :Watch($92, $c0f2)
    lda $c0f0
    sec
    sbc $c0f2
    sta $c009
    lda $c0f1
    sbc $c0f3
    sta $c00a
    // $C00B: autoload brings the length back, without it 1 is left.
    :Place(FROM, 0, 16)
    lda #$b0
    sta $df01
    lda $df07
    sta $c00b
    :Place(FROM, 0, 16)
    lda #$90
    sta $df01
    lda $df07
    sta $c00c
    // $C00D: a fetch that waits for $FF00.
    lda #0
    sta $c20f
    :Place($c200, 0, 16)
    lda #$81
    sta $df01
    lda $c20f
    sta $c00d
    sta $ff00
    lda $c20f
    sta $c00e
    lda #0
    sta $d7ff
    jmp *
