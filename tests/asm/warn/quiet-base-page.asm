// The base page of these processors is not the page at $0000.
.cpu _45gs02
        * = $2001
        lda #$12
        tab
        lda.zp $1234
        lda ($1234),y
        .dw table
table:  .byte 0
.cpu _huc6280
        lda.zp $2012
        lda ($2012),y
