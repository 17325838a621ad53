// Runs of code whose comments say what they cost.
*=$1000
start:  lda #0
        sta $d020               // tempo: cycles 6
        sta $d021               // tempo: cycles 11 // warning: W0401

// From the comment on, over labels and loops.
        // tempo: count
        ldx #5
wait:   dex
        bne wait
        nop                     // tempo: cycles 28
!:      dex
        bne !-                  // tempo: cycles 5 per loop
!:      lda $d012
        bne !-                  // tempo: cycles 6 per loop // warning: W0401

// The code of the line belongs to the run, and each comment closes its own.
        inc $d020               // tempo: count
        dec $d020               // tempo: cycles 12
late:   nop
        jsr delay               // tempo: cycles <= 27, and no more
        nop                     // tempo: cycles >= 30 // warning: W0401
        jmp late                // tempo: cycles 32 per loop

// Memory and nested loops.
memory: lda #2                  // tempo: count
        sta $02
outer:  ldy #3
inner:  dey
        bne inner
        dec $02
        bne outer               // tempo: cycles 52

// Both ways cost the same.
equal:  lda $dc01               // tempo: count
        bmi high
        nop
        jmp done
high:   nop
        nop
done:   rts                     // tempo: cycles 17

// One way is shorter, and it crosses a page if the index is high.
other:  lda $dc01               // tempo: count
        beq skip
        lda table,y
skip:   sta $d020               // tempo: cycles 15 // warning: W0401

// The index is small, and the table lies at the start of a page.
small:  and #7
        tay
        lda table,y             // tempo: cycles 8
        lda table+$fc,y         // tempo: cycles 12 // warning: W0401
        rts

// What cannot be known.
key:    lda $dc01
        bne key                 // tempo: cycles 7 // warning: W0402
        jsr $ffd2               // tempo: cycles 20 // warning: W0402
there:  jmp ($0314)             // tempo: cycles 5
writer: sta patch
        inc patch
patch:  nop
        rts                     // tempo: cycles 8 // warning: W0402
over:   nop                     // tempo: cycles 2
        // tempo: count
        jmp start
        // tempo: allow(W0302, W0402)
        nop                     // tempo: cycles 5

// Comments that say nothing.
bad:    nop                     // tempo: cycles // warning: W0403
        nop                     // tempo: cycles 4 per turn // warning: W0403
        nop                     // tempo: cycles 6 per loop // warning: W0403
        jmp (bad)
.text "// tempo: cycles 1"
/* // tempo: cycles 1 */

// Macros and loops are counted where they are written and where they are called.
.macro Delay(count) {
        ldx #count
!:      dex
        bne !-                  // tempo: cycles <= 5 per loop
        nop                     // tempo: cycles <= 30 // warning: W0402
}
.macro Pair() {
        nop
        .if (false) {
                nop             // tempo: cycles 99
        }
        nop                     // tempo: cycles 4
}
called: Pair()
        .for (var i = 0; i < 3; i++) {
                nop
                inx             // tempo: cycles 4
        }                       // tempo: cycles 16
        Delay(4)                // tempo: cycles 41 // warning: W0401
#if NTSC
        nop                     // tempo: cycles 65
#else
        nop                     // tempo: cycles 41
#endif
        jmp called

delay:  ldy #2
!:      dey
        bne !-
        nop
        rts

never:  nop                     // tempo: count // warning: W0403
        rts

.align $100
table:  .fill 260, 0
