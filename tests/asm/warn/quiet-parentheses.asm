// Brackets that group.
        * = $1000
.label SCREEN = $0400
.const COLUMN = 5
        lda (SCREEN + 40 * 12 + COLUMN),x
        sta (SCREEN + 40) + 1,x
.macro Copy(from, to) {
        lda (from),x
        sta (to),x
}
        Copy(SCREEN, $d800)
        rts
