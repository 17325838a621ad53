// Loads the file whose first sector is at $C080 to its load address; the status is at $C082.
BasicUpstart2(start)
#import "../../asm/drive/host.asm"

start:  sei
        jsr OpenBus
        lda #0                  // the drive has moved its head when it answers
        jsr SendByte
        lda #<$0500
        jsr SendByte
        lda #>$0500
        jsr SendByte
        lda #1
        jsr SendByte
        jsr SendByte
        inc $c083
        ldx $c080
        ldy $c081
        jsr FastLoad
        sta $c082
        lda #0
        sta $d7ff
        jmp *
