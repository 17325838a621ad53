// frames: 30
// A handler at $0314 that goes on to $EA31, one that ends at $EA81, and a brk through $0316.
BasicUpstart2(start)
start:  sei
        lda #<chained
        sta $0314
        lda #>chained
        sta $0315
        cli
first:  lda count
        cmp #5
        bcc first
        lda $a2
        beq wrong               // the clock goes on
        sei
        lda #<alone
        sta $0314
        lda #>alone
        sta $0315
        lda #<broken
        sta $0316
        lda #>broken
        sta $0317
        cli
second: lda count
        cmp #10
        bcc second
        brk
        nop
        lda #'B'
        jsr $ffd2
        jmp *
wrong:  lda #'W'
        jsr $ffd2
        jmp *
chained:
        inc count
        jmp $ea31
alone:  inc count
        lda $dc0d
        jmp $ea81
broken: lda #'!'
        jsr $ffd2
        pla
        tay
        pla
        tax
        pla
        rti
count:  .byte 0
