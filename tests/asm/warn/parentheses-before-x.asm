// Parentheses that look like a mode there is not.
*=$1000
.const zp = $fb
.pseudocommand load from { lda from }
        lda (zp),x              // warning: W0106
        sta ( zp ) , x          // warning: W0106
        lda ($20),x             // warning: W0106
        lda (zp,x)
        lda (zp),y
        lda (zp + 1) * 2,x
        lda [zp],x
        load (zp),x             // warning: W0106
        lda (zp),x              // tempo: allow(W0106)
        rts
