// What must stay in its page.
*=$10f0
start:  ldx #0
!:      nop
        bne !-                  // tempo: no-page-cross
        .fill 9, $ea
loop:   dex
        bne loop                // tempo: no-page-cross // warning: W0305
        beq loop
table:                          // tempo: no-page-cross
        .byte 1, 2
        .fill 4, i
other:  .text "HI"
*=$11fe
        .byte 1, 2, 3           // tempo: no-page-cross // warning: W0305
*=$12fc
wide:   .byte 1, 2              // tempo: no-page-cross // warning: W0305
        .byte 3, 4
        .byte 5, 6
free:   .fill 300, 0
*=$14fe
// tempo: no-page-cross

// A mark of its own line is for the next statement.
below:  .byte 1, 2, 3           // warning: W0305
