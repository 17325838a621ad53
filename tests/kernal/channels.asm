// frames: 100
// Files through channels: written, read back, refused twice, renamed, scratched; what the command channel says each time;
// the directory as a program reads it, and devices and files that are not there.
BasicUpstart2(start)

.macro Open(file, device, second, name, length) {
        lda #length
        ldx #<name
        ldy #>name
        jsr $ffbd
        lda #file
        ldx #device
        ldy #second
        jsr $ffba
        jsr $ffc0
}

start:  jsr write               // 00, OK
        jsr status
        :Open(3, 8, 3, read, 3)
        ldx #3
        jsr $ffc6
        jsr copy                // FIRST LINE, SECOND
        lda #3
        jsr $ffc3
        jsr return
        jsr write               // 63, FILE EXISTS
        jsr status
        :Open(15, 8, 15, rename, 9)
        lda #15
        jsr $ffc3
        jsr status              // 00, OK
        :Open(3, 8, 3, read, 3) // it has another name now
        ldx #3
        jsr $ffc6
        jsr $ffcf
        jsr $ffb7
        pha
        jsr $ffcc
        lda #3
        jsr $ffc3
        pla
        jsr hex                 // 42: the end, and nobody sent
        jsr return
        jsr status              // 62, FILE NOT FOUND
        jsr directory
        // A command that is printed to the channel.
        :Open(15, 8, 15, read, 0)
        ldx #15
        jsr $ffc9
        ldy #0
send:   lda scratch,y
        beq sent
        jsr $ffd2
        iny
        bne send
sent:   jsr $ffcc
        lda #15
        jsr $ffc3
        jsr status              // 01, FILES SCRATCHED,01
        :Open(4, 9, 0, read, 3) // no such device
        jsr error               // 05
        ldx #7                  // not open
        jsr $ffc6
        jsr error               // 03
        :Open(5, 8, 5, read, 3)
        :Open(5, 8, 5, read, 3) // open already
        jsr error               // 02
        jsr $ffe7
        jmp *

/// Writes two lines.
write:  :Open(2, 8, 2, log, 7)
        ldx #2
        jsr $ffc9
        ldy #0
next:   lda text,y
        beq done
        jsr $ffd2
        iny
        bne next
done:   jsr $ffcc
        lda #2
        jmp $ffc3

/// Prints what the command channel says.
status: :Open(15, 8, 15, read, 0)
        ldx #15
        jsr $ffc6
        jsr copy
        lda #15
        jmp $ffc3

/// Prints the input up to its end.
copy:   jsr $ffcf
        jsr $ffd2
        jsr $ffb7
        beq copy
        jmp $ffcc

/// Prints the directory: a BASIC program, with the line numbers as blocks.
directory:
        :Open(3, 8, 0, dollar, 1)
        ldx #3
        jsr $ffc6
        jsr $ffcf               // the load address
        jsr $ffcf
line:   jsr $ffcf               // the link
        sta $fb
        jsr $ffcf
        ora $fb
        beq last
        jsr $ffcf               // the number
        sta $fb
        jsr $ffcf
        jsr hex
        lda $fb
        jsr hex
        lda #' '
        jsr $ffd2
char:   jsr $ffcf
        cmp #0
        beq eol
        cmp #$12
        beq char                // not in reverse
        jsr $ffd2
        jmp char
eol:    jsr return
        jmp line
last:   jsr $ffcc
        lda #3
        jmp $ffc3

error:  bcs hexline
        lda #$ff
hexline:
        jsr hex
#import "print.inc"

log:    .text "LOG,S,W"
read:   .text "LOG"
rename: .text "R:OLD=LOG"
scratch:
        .text "S:OLD"
        .byte 13, 0
dollar: .text "$"
text:   .text "FIRST LINE"
        .byte 13
        .text "SECOND"
        .byte 0
