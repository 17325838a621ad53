// sid_sustain_pal: area sid, pal
// ENV3 long after the phase of the rate counter matters: at the sustain level of $88 after attack and decay, still
// there later, at $55 when the sustain register is lowered, run down to 0 when it is raised because only an attack
// counts up, 0 after the release, and 255 with full sustain.
// Result: memory $c000-$c005, then exit by the debug cart.
#import "../c64/c64lib.asm"
BasicUpstart2(start)
*=$0c00 "main"
start: Begin()
    lda #0
    sta $ea          // BIT $EA of the waits clears V
    lda #$0b
    sta $d011
    Sync()
    Sync()
    ldx #$18
    lda #0
!: sta $d400, x
    dex
    bpl !-
    // The rate counter may have to wrap at 32768 before the first step.
    lda #$00
    sta $d413
    lda #$80
    sta $d414
    lda #$01
    sta $d412
    Wait(30000)
    Wait(30000)
    lda $d41c
    sta RES
    Wait(10000)
    lda $d41c
    sta RES + 1
    lda #$50
    sta $d414
    Wait(10000)
    lda $d41c
    sta RES + 2
    lda #$a0
    sta $d414
    Wait(10000)
    lda $d41c
    sta RES + 3
    lda #$00
    sta $d412
    Wait(30000)
    Wait(30000)
    lda $d41c
    sta RES + 4
    lda #$f0
    sta $d414
    lda #$01
    sta $d412
    Wait(20000)
    lda $d41c
    sta RES + 5
    Done()
