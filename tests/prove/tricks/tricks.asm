* = $1000
.label Num = $20
.label Ptr = $30
.label Res = $40

// an opcode that is written: inx or dex
Opcode:
        lda #$e8
        cpy #$80
        bcc !+
        lda #$ca
!:      sta op
op:     nop
        rts

// a branch whose distance is written
Distance:
        and #1
        sta br + 1
        clc
br:     bcc * + 2
        inx
        inx
        rts

// one of four routines through a pointer
Pointer:
        and #3
        asl
        tay
        lda Table,y
        sta Ptr
        lda Table + 1,y
        sta Ptr + 1
        jmp (Ptr)
Table:  .word Ten, Twenty, Thirty, Forty
Ten:    lda #10
        rts
Twenty: lda #20
        rts
Thirty: lda #30
        rts
Forty:  lda #40
        rts

// the byte that was pushed, as memory
Pushed:
        tsx
        pha
        eor $0100,x
        tay
        pla
        rts

// parameters after the call
Inline:
        jsr sum
        .byte 7, 9
        rts
sum:    pla
        sta Ptr
        pla
        sta Ptr + 1
        ldy #1
        lda (Ptr),y
        iny
        clc
        adc (Ptr),y
        sta Res
        lda Ptr
        clc
        adc #2
        tay
        lda Ptr + 1
        adc #0
        pha
        tya
        pha
        lda Res
        rts

// plp may turn decimal mode on
Decimal:
        pha
        plp
        clc
        lda #9
        adc #1
        cld
        rts

// one of three ways ends with a brk
Breaks:
        cmp #$ff
        bne !+
        brk
!:      rts

// waits for itself
Waits:  cmp #77
        beq *
        rts

// the stack pointer somewhere else
Moved:  tsx
        stx Res
        ldx #$80
        txs
        pha
        ldx Res
        txs
        lda $0180
        rts

// rti as a jump that sets flags
Flags:  lda #>after
        pha
        lda #<after
        pha
        lda Num
        pha
        rti
after:  php
        cld
        pla
        rts
