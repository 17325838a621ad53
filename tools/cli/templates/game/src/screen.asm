// screen.asm - characters on the screen
//
// Provides: ClearScreen, Plot
#importonce

.const SCREEN  = $0400
.const COLOURS = $d800
.const COLUMNS = 40
.const ROWS    = 25

// Screen codes.
.const BLANK  = ' '
.const PLAYER = 0               // @
.const STAR   = '*'

// The address of a row; the KERNAL leaves these two bytes alone.
.label zpRow = $fb

// ClearScreen - blanks everywhere, in white
//
// Clobbers: A, X
ClearScreen: {
        ldx #0
next:   lda #BLANK
    .for (var page = 0; page < 4; page++) {
        sta SCREEN + page * 250,x
    }
        lda #WHITE
    .for (var page = 0; page < 4; page++) {
        sta COLOURS + page * 250,x
    }
        inx
        cpx #250
        bne next
        rts
}

// Plot - one character
//
// In:       A = screen code, X = column, Y = row
// Clobbers: A, Y       Keeps: X
Plot: {
        pha
        lda RowLo,y
        sta zpRow
        lda RowHi,y
        sta zpRow + 1
        txa
        tay
        pla
        sta (zpRow),y
        rts
}

RowLo:  .fill ROWS, <(SCREEN + i * COLUMNS)
RowHi:  .fill ROWS, >(SCREEN + i * COLUMNS)
