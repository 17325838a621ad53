// names.asm - the name of a game on disk
//
// Provides: ChooseName; macro NameText
// Uses:     disk.asm (GameName, EnterKernal, LeaveKernal, NoKernal), screen.asm, panel.asm, input.asm, parts.asm
#importonce

.const ROW_FILES = 2
.const FILE_ROWS = 20
.const PAGES_OF_FILES = 4
        .errorif ROW_FILES + FILE_ROWS > ROW_STATUS, "the names reach the line of the status"

// GamesText - in the RAM below the I/O chips; main.asm places it
.macro NameText() {
@GamesText: Text("Games on disk")
        Text("SPACE: more")
}

// ChooseName - show the games on the disk, a page of them at a time, and ask for a name
//
// Out:      C = 1: GameName, NameLength, the KERNAL is in; C = 0: cancelled, the KERNAL is out
// Clobbers: A, X, Y; without a KERNAL it does not return
ChooseName: {
        jsr EnterKernal
        bcs there
        pla
        pla
        jmp NoKernal
there:  jsr ClearPanel
        jsr ShowDirectory
        jsr LeaveKernal
        At(PANEL+1, ROW_TITLE)
        Say(GamesText, YELLOW)
        At(PANEL+1, ROW_TITLE+1)
        jsr PrintNext
        lda #1
        sta fresh
draw:   ldy #ROW_INPUT
        jsr ClearRow
        At(PANEL, ROW_INPUT)
        lda #WHITE
        sta Ink
        lda #GLYPH_ARROW
        jsr PutChar
        ldx #0
next:   cpx NameLength
        beq shown
        lda GameName,x
        sec
        sbc #32
        jsr PutChar
        inx
        bne next                        // always
shown:  lda #'_'-32
        jsr PutChar
wait:   jsr WaitKey
        ldx NameLength
        cmp #KEY_STOP
        beq no
        cmp #KEY_DELETE
        beq shorter
        cmp #' '
        beq page
        cmp #KEY_RETURN
        bne letter
        txa
        beq wait
        jmp EnterKernal                 // C = 1: it was there before
no:     clc
        rts
shorter:
        txa
        beq wait
        dec NameLength
        lda #0
        sta fresh
        beq draw                        // always
page:   lda FirstFile
        adc #FILE_ROWS-1                // C = 1: it was a blank
        cmp #PAGES_OF_FILES*FILE_ROWS
        bcc turn
        lda #0
turn:   sta FirstFile
        jsr EnterKernal
        jmp there
letter: cmp #'a'                        // files have capitals, digits and -
        bcc upper
        and #%1101_1111
upper:  cmp #'-'
        beq fits
        cmp #'0'
        bcc wait
        cmp #'Z'+1
        bcs wait
        cmp #'9'+1
        bcc fits
        cmp #'A'
        bcc wait
fits:   lsr fresh                       // the first letter begins another name
        bcc more
        ldx #0
more:   cpx #NAME_MOST
        bcs wait
        sta GameName,x
        inx
        stx NameLength
        jmp draw
fresh:  .byte 0
}
FirstFile: .byte 0                      // of the page that is shown
        PartEnds(3)

* = PartAt(4) "Games on disk"
// ShowDirectory - the names of a page of the sequential files, from ROW_FILES on
//
// In:       the KERNAL
// Clobbers: A, X, Y
ShowDirectory: {
        .label line = NodeKey+$40       // the tape buffer: the KERNAL leaves it alone
        .const LONGEST = 32
        lda #1
        ldx #<dollar
        ldy #>dollar
        jsr K_SETNAM
        lda #FILE
        ldx #DEVICE
        ldy #0                          // as a program: a line a file
        jsr K_SETLFS
        jsr K_OPEN
        bcs none
        ldx #FILE
        jsr K_CHKIN
        bcc there
none:   jmp end
there:
        lda #ROW_FILES
        sec
        sbc FirstFile
        sta row
        jsr K_CHRIN                     // address
        jsr K_CHRIN
entry:  ldx #4                          // link and blocks
skip:   jsr K_CHRIN
        dex
        bne skip
        stx length
letter: jsr K_READST
        bne end
        jsr K_CHRIN
        ldx length
        sta line,x
        cpx #LONGEST
        bcs full
        inc length
full:   tax
        bne letter
        ldy #2                          // two quotes
        dex                             // X = $FF
quote:  inx
        cpx length
        bcs entry                       // blocks that are free
        lda line,x
        cmp #'"'
        bne quote
        dey
        beq type
        stx first
        bne quote                       // always
type:   inx
        lda line,x
        cmp #' '
        beq type
        cmp #'S'
        bne entry
        lda line+1,x                    // in the first line, with the disk's name, S could be the disk's number
        cmp #'E'
        bne entry
        ldy row
        inc row
        tya
        sec
        sbc #ROW_FILES
        cmp #FILE_ROWS
        bcs entry                       // on another page
        ldx #PANEL+1
        jsr MoveTo
        lda #CYAN
        sta Ink
        ldx first
put:    inx
        lda line,x
        cmp #'"'
        beq entry
        and #%0111_1111
        sec
        sbc #32
        jsr PutChar
        jmp put
end:    jmp CloseGame
row:    .byte 0
first:  .byte 0
length: .byte 0
dollar: .text "$"
}
