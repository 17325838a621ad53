// cia_dummy_read_pal: area memory, pal
// Dummy reads that hit the interrupt register: LDA $DC90,X with X = $7D crosses the page and first reads $DC0D;
// STA and INC read it too; without crossing nothing else is read. After each, a second read shows whether the flag
// is gone.
// Result: memory $c000-$c006, then exit by the debug cart.
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
    .macro Arm() { lda #2
        sta $dc04
        lda #0
        sta $dc05
        lda #$19
        sta $dc0e
        WaitS(14) }
    Arm()
    ldx #$7d
    lda $dc90, x
    lda $dc0d
    sta RES
    Arm()
    ldx #$0d
    lda $dc00, x
    sta RES + 1
    lda $dc0d
    sta RES + 2
    Arm()
    ldx #$0d
    lda #0
    sta $dc00, x
    lda $dc0d
    sta RES + 3
    Arm()
    ldx #$7d
    sta $dc90, x
    lda $dc0d
    sta RES + 4
    Arm()
    lda #$90
    sta $20
    lda #$dc
    sta $21
    ldy #$7d
    lda ($20), y
    lda $dc0d
    sta RES + 5
    Arm()
    ldx #$0d
    inc $dc00, x
    lda $dc0d
    sta RES + 6
    Done()
