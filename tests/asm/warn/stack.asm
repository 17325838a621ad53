// Routines that do not leave things as they found them.
*=$1000
        jsr pushes
        jsr pulls
        jsr balanced
        jsr jumps
        jsr skips
        jsr decimal
        jsr restores
        jsr loops
        jsr past
        jsr paired
        jsr ends
        jmp *
pushes: pha
        lda $10
        beq out
        pla
        rts
out:    rts                     // warning: W0306
pulls:  pla
        rts                     // warning: W0306
balanced:
        php
        pha
        bcc !+
        inx
!:      pla
        plp
        rts
jumps:  lda #>balanced-1
        pha
        lda #<balanced-1
        pha
        rts
skips:  pla
        pla
        rts
decimal:
        sed                     // warning: W0307
        adc #1
        rts
restores:
        php
        sed
        adc #1
        plp
        rts
loops:  pha                     // pushes in a loop cannot be counted
        dex
        bne loops
        rts
past:   pha
        beq !+                  // past the pla
        pla
!:      rts                     // warning: W0306
paired: bcc !+                  // the carry tells both ways apart
        pha
!:      lda $10
        bcc !+
        pla
!:      rts
ends:   sed
        jsr binary
        nop
        rts
binary: cld
        rts
