// Sends 16 bytes to the drive's memory and gets them back at $C000; reads the sector whose place is at $C080, and one of
// another track, which comes to $C100 and $C200 with the statuses at $C082.
BasicUpstart2(start)
#import "../../asm/drive/host.asm"

start:  sei
        jsr OpenBus
        lda #<pattern
        sta zpHere
        lda #>pattern
        sta zpHere + 1
        lda #<$0500
        ldx #>$0500
        ldy #16
        jsr SendRange
        lda #<$0500
        ldx #>$0500
        ldy #16
        jsr Ask
        lda #>$c000
        jsr Receive
        ldx $c080
        ldy $c081
        jsr ReadPlace
        sta $c082
        jsr AskSector
        lda #>$c100
        jsr Receive
        ldx #35
        ldy #16
        jsr ReadPlace
        sta $c083
        jsr AskSector
        lda #>$c200
        jsr Receive
        lda #0
        sta $d7ff
        jmp *

ReadPlace:
        txa
        pha
        lda #READ
        jsr SendByte
        pla
        jsr SendByte
        tya
        jsr SendByte
        jmp ReceiveByte

AskSector:
        lda #<Sector
        ldx #>Sector
        ldy #0
Ask:    sty zpLeft
        pha
        txa
        pha
        lda #PEEK
        jsr SendByte
        pla
        tay
        pla
        jsr SendByte
        tya
        jsr SendByte
        lda zpLeft
        jmp SendByte

Receive:
        sta zpHere + 1
        ldy #0
        sty zpHere
!:      jsr ReceiveByte
        sta (zpHere),y
        iny
        cpy zpLeft
        bne !-
        rts

pattern:
        .fill 16, i * 17 ^ $5a
