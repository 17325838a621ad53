// ask: signature

// Sets a colour.
.macro Set(index, colour) { .byte index, colour }
.pseudocommand mov source : target { lda source; sta target }
.function area(w, h) { .return w * h }
        Set(‸)
        Set(1, ‸2)
        mov #1 : ‸$d020
        .byte area(1, area(2, ‸3))
        .byte toHexString(‸
        .var l = List().add(‸)
        lda (‸$fb),y
        Set(1,‸
