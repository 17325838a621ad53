// Writes 256 bytes to the sector whose place is at $C080 and reads it again to $C100; the statuses are at $C082.
BasicUpstart2(start)
#import "../../asm/drive/host.asm"

start:  sei
        jsr OpenBus
        lda #<pattern
        sta zpHere
        lda #>pattern
        sta zpHere + 1
        lda #<Sector
        ldx #>Sector
        ldy #0
        jsr SendRange
        lda #WRITE
        jsr Place
        sta $c082
        lda #READ
        jsr Place
        sta $c083
        lda #PEEK
        jsr SendByte
        lda #<Sector
        jsr SendByte
        lda #>Sector
        jsr SendByte
        lda #0
        jsr SendByte
        ldy #0
!:      jsr ReceiveByte
        sta $c100,y
        iny
        bne !-
        lda #0
        sta $d7ff
        jmp *

Place:  jsr SendByte
        lda $c080
        jsr SendByte
        lda $c081
        jsr SendByte
        jmp ReceiveByte

.align $100
pattern:
        .fill 256, <(i * 7) ^ $3c
