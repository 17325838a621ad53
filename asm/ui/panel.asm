// panel.asm - the text beside the board
//
// Provides: DrawPanel, DrawMoves, DrawStatus, Message, ShowClocks, TickThinking, HelpOn, Abandoned, DrawTaken
// Uses:     screen.asm, clock.asm, record.asm, notation.asm, levels.asm, menu.asm (DrawHelp, LeaveHelp), play.asm (DoFlip),
//           ponder.asm
//
// What changes while the search runs (clocks, thinking) is written by the interrupt, which
// uses no zero page: those routines write to fixed places of the screen.
#importonce

.const ROW_TITLE   = 0
.const ROW_LEVEL   = 1
.const ROW_TOP     = 3                  // name and clock of the side at the top; taken pieces below
.const ROW_MOVES   = 6
.const MOVE_ROWS   = 10
.const ROW_THINK   = 17
.const ROW_LINE    = 18
.const ROW_BOTTOM  = 20
.const ROW_STATUS  = 22
.const ROW_INPUT   = 23
.const ROW_KEYS    = 24
.const CLOCK_COLUMN = 33
.const SAN_COLUMNS = 6

.label LevelText = SCREEN + ROW_LEVEL*COLUMNS + PANEL+1      // for hosts: the level's name, ten glyphs
ListBack: .byte 0                       // rows the list of moves is scrolled back

// DrawPanel - everything
//
// Clobbers: A, X, Y
DrawPanel: {
        jsr ClearPanel
        At(PANEL+1, ROW_TITLE)
        Say(title, YELLOW)
        At(PANEL+1, ROW_KEYS)
        Say(keys, CYAN)
        jsr DrawLevel
        jsr DrawMoves
        jsr DrawTaken
        jsr DrawNamesOfSides
        jsr ShowClocks
        jmp DrawStatus
title:  Text("Tempo Chess")
keys:   Text("F1 menu")
}

// DrawLevel - its name
//
// Clobbers: A, X, Y
DrawLevel: {
        ldy #ROW_LEVEL
        jsr ClearRow
        At(PANEL+1, ROW_LEVEL)
        jmp PrintLevel
}

// DrawNamesOfSides - White, Black, and who is to move
//
// Clobbers: A, X, Y
DrawNamesOfSides: {
        ldy #ROW_BOTTOM
        ldx Flipped
        beq below
        ldy #ROW_TOP
below:  ldx #PANEL+1
        jsr MoveTo
        Say(white, WHITE)
        ldy #ROW_TOP
        ldx Flipped
        beq above
        ldy #ROW_BOTTOM
above:  ldx #PANEL+1
        jsr MoveTo
        Say(black, CYAN)
        lda #YELLOW
        sta COLOURS + ROW_TOP*COLUMNS + PANEL
        sta COLOURS + ROW_BOTTOM*COLUMNS + PANEL
        ldx #0
        ldy #GLYPH_ARROW
        jsr AtBottom
        bcs bottom
        stx SCREEN + ROW_BOTTOM*COLUMNS + PANEL
        sty SCREEN + ROW_TOP*COLUMNS + PANEL
        rts
bottom: sty SCREEN + ROW_BOTTOM*COLUMNS + PANEL
        stx SCREEN + ROW_TOP*COLUMNS + PANEL
        rts
white:  Text("White         ")          // the blanks colour the clock
black:  Text("Black         ")
}

// AtBottom - is the side to move the one at the bottom?
//
// Out:      C = 1 yes
// Clobbers: A
AtBottom: {
        lda Flipped
        beq white
        lda SearchSide
        eor #WHITE_COLOR
        asl
        rts
white:  lda SearchSide
        asl
        rts
}

// DrawMoves - the last moves, two in a row with their number
//
// Clobbers: A, X, Y
DrawMoves: {
        lda GamePly                     // rows there are: (plies + 1 if Black began + 1) / 2
        clc
        adc #1
        sta ply
        lda GamePly+1
        adc #0
        sta ply+1
        ldx #0
        lda StartSide
        bmi white
        inx
        inc ply
        bne white
        inc ply+1
white:  stx odd
        lsr ply+1
        lda ply
        ror                             // at most 256 rows
        sec
        sbc #MOVE_ROWS
        bcs long
        lda #0
long:   sta top
        lda ListBack                    // no further back than the first row
        cmp top
        bcc inside
        lda top
        sta ListBack
inside: lda top
        sec
        sbc ListBack
        sta top
        lda #0
        sta row
next:   lda row
        clc
        adc #ROW_MOVES
        tay
        jsr ClearRow
        lda row
        clc
        adc top
        sta line
        asl                             // first ply of the row
        sta ply
        lda #0
        rol
        sta ply+1
        lda StartSide
        bmi even
        lda ply
        bne low
        dec ply+1
low:    dec ply
even:   jsr known                       // a row shows if its second ply could be there
        bcs number
        jsr second
        bcc skip
number: lda line
        clc
        adc #1
        sta Number
        lda #0
        rol
        sta Number+1
        jsr ThreeDigits
        lda row
        clc
        adc #ROW_MOVES
        tay
        ldx #PANEL
        jsr MoveTo
        lda #CYAN
        sta Ink
        ldx #0
        lda Digits
        bne digit
        inx                             // up to 99: the blank follows the number
digit:  lda Digits,x
        jsr PutChar
        inx
        cpx #3
        bne digit
        lda #WHITE
        sta Ink
        jsr known
        jsr name
        inc ply
        bne third
        inc ply+1
third:  jsr known
        jsr name
skip:   inc row
        lda row
        cmp #MOVE_ROWS
        beq done
        jmp next
done:   rts

second: lda ply                         // C = 1: the ply after it is known
        clc
        adc #1
        tax
        lda ply+1
        adc #0
        jmp compare
known:  ldx ply                         // C = 1: there is such a ply on the board
        lda ply+1
compare:
        bmi no                          // before the first one
        cmp GamePly+1
        bne high
        cpx GamePly
high:   bcs no
        sec
        rts
no:     clc
        rts

name:   php                             // C = 1: its name in six columns
        lda #0
        sta SanLength
        plp
        bcc pad
        lda ply
        ldx ply+1
        jsr LoadMove
        jsr SanText
        lda SanLength
        cmp #SAN_COLUMNS+1
        bcc fits
        inc SanPlain                    // without the cross it fits
        jsr SanText
        dec SanPlain
fits:   lda row                         // LoadMove used the pointers of the screen
        clc
        adc #ROW_MOVES
        tay
        lda ply
        eor odd
        and #1
        tax
        lda columns,x
        tax
        jsr MoveTo
pad:    ldx #0
letter: cpx SanLength
        bcs enough
        lda SanBuffer,x
        sec
        sbc #32
        jsr PutChar
        inx
        cpx #SAN_COLUMNS
        bcc letter
enough: rts
columns: .byte PANEL+3, PANEL+3+SAN_COLUMNS
odd:    .byte 0                         // 1: Black began, White's plies are odd
row:    .byte 0
top:    .byte 0
line:   .byte 0
ply:    .word 0
}

// LoadMove - a ply of the record to SanFrom, SanTo, SanInfo
//
// In:       A = low, X = high byte of its number
// Clobbers: A, X, Y
LoadMove: {
        jsr AimRecord
        lda (zpRecordFrom),y
        sta SanFrom
        lda (zpRecordTo),y
        sta SanTo
        lda (zpRecordInfo),y
        sta SanInfo
        rts
}

// DrawTaken - the pieces each side has lost, small, below the name of the other
//
// Clobbers: A, X, Y
DrawTaken: {
        ldx #0                          // count what is there: black types 0-7, white 8-15
        txa
        ldy #15
clear:  sta count,y
        dey
        bpl clear
next:   lda Board88,x
        beq skip
        ldy #0
        asl
        bcc black
        ldy #8
black:  sty color
        lda Board88,x
        and #TYPE_BITS
        ora color
        tay
        lda count,y
        clc
        adc #1
        sta count,y
skip:   jsr NextSquare
        bpl next
        ldy #ROW_TOP+1
        jsr ClearRow
        ldy #ROW_BOTTOM+1
        jsr ClearRow
        ldx #PANEL+1
        ldy #ROW_TOP+1                  // the side at the top has taken pieces of the one below
        jsr MoveTo
        lda Flipped
        eor #7
        jsr side
        ldx #PANEL+1
        ldy #ROW_BOTTOM+1
        jsr MoveTo
        lda Flipped
side:   tax                             // not 0: white pieces are listed
        lda #0
        ldy #CYAN
        cpx #0
        beq color1
        lda #8
        ldy #WHITE
color1: sta color
        sty Ink
        lda #PANEL_WIDTH-1
        sta free
        ldx #4
type:   ldy order,x
        lda set,y
        sta missing
        tya
        ora color
        tay
        lda missing
        sec
        sbc count,y
        beq none
        bcc none
        sta missing
one:    lda free
        beq none
        dec free
        txa
        pha
        lda order,x
        clc
        adc #GLYPH_SMALL
        jsr PutChar
        pla
        tax
        dec missing
        bne one
none:   dex
        bpl type
drawn:  rts
order:  .byte PAWN, KNIGHT, BISHOP, ROOK, QUEEN
set:    .byte 8, 2, 2, 1, 2             // by type: pawns, bishops, rooks, queen, knights
count:  .fill 16, 0
color:  .byte 0
missing: .byte 0
free:   .byte 0
}

.const ENDED_TEXTS = 9                  // texts by GameState, before those by GameDrawn

// DrawStatus - what the state of the game is
//
// Clobbers: A, X, Y
DrawStatus: {
        ldy #ROW_STATUS
        jsr ClearRow
        At(PANEL+1, ROW_STATUS)
        lda #YELLOW
        sta Ink
        lda GameDrawn
        beq open
        clc
        adc #ENDED_TEXTS-1
        tax
        bne clear                       // always
open:   ldx #GAME_FIVEFOLD+1
        lda HalfmoveClock
        cmp #150
        bcs clear
        ldx GameState
        beq DrawTaken.drawn             // nothing to say
clear:  lda #<StatusTexts
        ldy #>StatusTexts
        jmp PrintNth
}

// By GameState, and by GameDrawn after them
StatusTexts:
        Text("")
        Text("Check!")
        Text("Checkmate.")
        Text("Stalemate.")
        Text("Draw? 50 moves")
        Text("Draw? Repeated")
        Text("Draw: material")
        Text("Draw: 5 times")
        Text("Draw: 75 moves")
        Text("Draw claimed.")
        Text("Black: time up")
        Text("White: time up")
        Text("Black resigned")
        Text("White resigned")
        Text("Draw agreed.")

// Message - a line for the person at the keyboard
//
// In:       A, Y = text
// Clobbers: A, X, Y
Message: {
        pha
        tya
        pha
        ldy #ROW_INPUT
        jsr ClearRow
        At(PANEL, ROW_INPUT)
        lda #WHITE
        sta Ink
        pla
        tay
        pla
        jmp Print
}

// ShowClocks - both clocks. Interrupts may call it: no zero page
//
// Clobbers: A, X, Y
ShowClocks: {
        ldx #0
        lda Flipped
        beq black
        inx
black:  jsr digits                      // the side at the top
        ldy #6
top:    lda shown,y
        sta SCREEN + ROW_TOP*COLUMNS + CLOCK_COLUMN,y
        dey
        bpl top
        txa
        eor #1
        tax
        jsr digits
        ldy #6
bottom: lda shown,y
        sta SCREEN + ROW_BOTTOM*COLUMNS + CLOCK_COLUMN,y
        dey
        bpl bottom
        rts
digits: lda Hours,x
        jsr TwoDigits
        sta shown                       // the tens of hours have no room
        lda Minutes,x
        jsr TwoDigits
        sty shown+2
        sta shown+3
        lda Seconds,x
        jsr TwoDigits
        sty shown+5
        sta shown+6
        rts
shown:  .byte 0, ':'-32, 0, 0, ':'-32, 0, 0
}

// TickThinking - what the search has found so far; called by the interrupt
//
// Clobbers: A, X, Y
TickThinking: {
        ldx #KEY_NONE
        lda Thinking
        cmp #PONDERING
        bne moving
        lda Expecting                   // the search has taken the position: the board shows the game again
        beq taken
        lda SearchDoing
        beq taken
        lda zpBits
        pha
        jsr RetractExpected
        pla
        sta zpBits
taken:  lda HostCommand
        bne halt
        lda FlagFell
        bpl halt
        lda Key
        beq show
        cmp #KEY_RIGHT
        bcc halt
        cmp #KEY_UP+1
        bcs halt
        lda #<TakeKey                   // the cursor moves, and the search goes on
        ldy #>TakeKey
        bne Aside                       // always
moving:
        lda HelpOn
        beq board
        lda Key                         // any key leaves the page of help
        beq done
        stx HelpOn
        stx Key
        lda #<LeaveHelp
        ldy #>LeaveHelp
        bne Aside                       // always
board:  lda Key
        cmp #KEY_STOP                   // RUN/STOP and F6 make it move now
        beq take
        cmp #KEY_F6
        beq take
        cmp #KEY_F1                     // menu, take back, forward, new game: no move is played, and the
        beq leave                       // key is handled when the search is left
        cmp #KEY_F3
        beq leave
        cmp #KEY_F4
        beq leave
        cmp #KEY_F8
        beq leave
        cmp #KEY_F7
        beq turn
        cmp #KEY_F2
        bne show
        stx Key
        inc HelpOn
        lda #<DrawHelp
        ldy #>DrawHelp
        bne Aside                       // always
turn:   stx Key
        lda #<DoFlip
        ldy #>DoFlip
        bne Aside                       // always
leave:  inc Abandoned
        bne halt                        // always
take:   stx Key
halt:   lda #1
        sta SearchStop
show:   lda ClockMoved
        beq done
        lda #0
        sta ClockMoved
        jsr ShowClocks
        jmp ShowThinking
done:   rts
}
HelpOn:    .byte 0                      // not 0: the search runs behind the page of help
Abandoned: .byte 0                      // not 0: the search was left without a move

// Aside - call a routine that draws, while the search runs: its pointers are kept
//
// In:       A, Y = the routine
// Clobbers: A, X, Y
Aside: {
        sta call
        sty call+1
        ldx #5
keep:   lda zpPtrA,x
        pha
        dex
        bpl keep
        jsr call:$FFFF                  // patched
        ldx #0
back:   pla
        sta zpPtrA,x
        inx
        cpx #6
        bne back
        rts
        .errorif zpPtrB != zpPtrA+2 || zpPtrC != zpPtrA+4, "three pointers in a row"
}

// ShowThinking - depth, value, nodes and line at fixed places; no zero page
//
// Clobbers: A, X, Y
ShowThinking: {
        .const THINK = SCREEN + ROW_THINK*COLUMNS + PANEL
        .const LINE_AT = SCREEN + ROW_LINE*COLUMNS + PANEL
        ldx #PANEL_WIDTH-1
colour: lda #GREEN
        sta COLOURS + ROW_THINK*COLUMNS + PANEL,x
        sta COLOURS + ROW_LINE*COLUMNS + PANEL,x
        dex
        bpl colour
        lda SearchReached
        jsr TwoDigits
        sty THINK
        sta THINK+1
        cpy #'0'-32
        bne deep
        ldy #0
        sty THINK
deep:   ldy #'+'-32                     // value
        lda SearchValue
        sta rest
        lda SearchValue+1
        sta rest+1
        bpl positive
        ldy #'-'-32
        sec
        lda #0
        sbc SearchValue
        sta rest
        lda #0
        sbc SearchValue+1
        sta rest+1
positive:
        sty THINK+3
        lda rest+1
        cmp #>10000
        bcc pawns
        lda #'m'-32
        sta THINK+4
        lda #'a'-32
        sta THINK+5
        lda #'t'-32
        sta THINK+6
        lda #'e'-32
        sta THINK+7
        jmp nodes
pawns:  ldx #0                          // hundreds
        sec
hundred: lda rest
        sbc #100
        tay
        lda rest+1
        sbc #0
        bcc below
        sta rest+1
        sty rest
        inx
        bne hundred
below:  txa
        jsr TwoDigits
        cpy #'0'-32
        bne wide
        ldy #0
wide:   sty THINK+4
        sta THINK+5
        lda #'.'-32
        sta THINK+6
        lda rest
        jsr TwoDigits
        sty THINK+7
        sta THINK+8
nodes:  ldx #2
copy:   lda NodeCount,x
        sta rest,x
        dex
        bpl copy
        ldx #0
        stx seen
digit:  ldy #'0'-32
subtract:
        sec
        lda rest
        sbc tenLo,x
        sta less
        lda rest+1
        sbc tenMid,x
        sta less+1
        lda rest+2
        sbc tenHi,x
        bcc smaller
        sta rest+2
        lda less+1
        sta rest+1
        lda less
        sta rest
        iny
        bne subtract
smaller:
        tya
        cmp #'0'-32
        bne nonzero
        ldy seen
        bne put
        cpx #5
        beq put
        lda #0                          // a leading blank
        beq put
nonzero: inc seen
put:    sta THINK+9,x
        inx
        cpx #6
        bne digit

        ldx #0                          // the line: three moves, or the expected one and two
        ldy #0
        sty LINE_AT
        lda Thinking
        cmp #PONDERING
        bne move
        lda #'?'-32
        sta LINE_AT
        lda PonderFrom
        jsr square
        lda PonderTo
        jsr square
        iny
move:   cpx LineLength
        bcs rest1
        lda LineFrom,x
        jsr square
        lda LineTo,x
        jsr square
        iny
        inx
        cpy #PANEL_WIDTH-1
        bcc move
        rts
rest1:  cpy #PANEL_WIDTH-1
        bcs end
        lda #0
        sta LINE_AT+1,y
        iny
        bne rest1
end:    rts
square: pha
        and #FILE_BITS
        clc
        adc #'a'-32
        sta LINE_AT+1,y
        iny
        pla
        RankOf('1'-32)
        sta LINE_AT+1,y
        iny
        rts
rest:   .byte 0, 0, 0
less:   .byte 0, 0
seen:   .byte 0
tenLo:  .byte <100000, <10000, <1000, <100, <10, <1
tenMid: .byte >100000, >10000, >1000, >100, >10, >1
tenHi:  .byte 1, 0, 0, 0, 0, 0
}
