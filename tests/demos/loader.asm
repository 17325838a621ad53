// A loader: a picture's codes and colours come from the disk as two files, by name.
BasicUpstart2(start)
start:  lda #0
        sta $d020
        sta $d021
        lda #6
        ldx #<codes
        ldy #>codes
        jsr load
        lda #7
        ldx #<colours
        ldy #>colours
        jsr load
        jmp *
load:   jsr $ffbd
        lda #1
        ldx #8
        ldy #1
        jsr $ffba
        lda #0
        jsr $ffd5
        bcs failed
        rts
failed: sta $0400
        lda #2
        sta $d020
        jmp *
        .encoding "petscii_upper"
codes:  .text "CODES0"
colours: .text "COLOURS"
