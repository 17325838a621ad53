// What loses bits where it is put, and what does not.
*=$1000
.const MASK = %11110000
        lda #300                // warning: W0101
        lda #table              // warning: W0101
        lda #-129               // warning: W0101
        lda #-128
        lda #255
        and #~MASK
        lda #<table
        .byte 1, 256, 3         // warning: W0102
        .byte -128, 255, ~MASK
        .byte table             // warning: W0102
        .word 65536             // warning: W0102
        .word -32768, 65535, later
        .byte later             // warning: W0102
        .dword 4294967296       // warning: W0102
        .byte 4/0               // warning: W0102
        .fill 3, i*100          // fits: 0, 100, 200
        .fill 4, i*100          // warning: W0102
        lda ($1234),y           // warning: W0103
        lda ($fb),y
        lda.zp $1234            // warning: W0103
later:  rts
table:  .byte 0
trailing: lda #300              // tempo: allow(W0101)
        lda #301                // warning: W0101
        // tempo: allow(all)
        lda #302
