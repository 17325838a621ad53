*=$1000
        lda #300        // tempo: allow(W0101)
        lda #301        // tempo: allow(w0101, W0102)
        lda #302        // tempo: allow(W0110) // warning: W0101 // warning: W0205
        lda #303        // tempo: allow(E0203) // warning: W0101 // warning: W0205
        rts             // tempo: 120 beats a minute
