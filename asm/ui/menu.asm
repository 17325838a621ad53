// menu.asm - the menu beside the board, and the page of help
//
// Provides: Menu, Help, DrawHelp, LeaveHelp; macros MenuText, HelpTop, HelpBottom
// Uses:     screen.asm, input.asm, panel.asm, play.asm (what the entries do)
//
// Up and down choose, RETURN or fire does it, RUN/STOP goes back to the game. Entries that
// show a setting change it and stay; the others leave the menu.
#importonce

.label ROW_MENU = 4
.const PLAYER_PERSON = 0
.const PLAYER_C64    = 1

.label MENU_ENTRIES = 17

MenuLine: .byte 0

// Menu - choose and do
//
// Clobbers: A, X, Y
Menu: {
        lda #0
        sta MenuLine
draw:   jsr DrawMenu
wait:   jsr WaitKey
        ldx MenuLine
        cmp #KEY_UP
        beq up
        cmp #KEY_DOWN
        beq down
        cmp #KEY_RETURN
        beq do
        cmp #' '
        beq do
        cmp #KEY_LEFT
        beq do
        cmp #KEY_RIGHT
        beq do
        cmp #KEY_STOP
        beq leave
        cmp #KEY_F1
        bne wait
leave:  jmp DrawPanel
up:     dex
        bpl moved
        ldx #MENU_ENTRIES-1
        bne moved
down:   inx
        cpx #MENU_ENTRIES
        bcc moved
        ldx #0
moved:  stx MenuLine
        jmp draw
do:     sta MenuKey
        lda actionLo,x
        sta action
        lda actionHi,x
        ora #$80                        // all of them are in the upper half
        sta action+1
        lda actionHi,x
        bmi once
        jsr call
        jmp draw
once:   jsr DrawPanel
call:   jmp (action)
.var stays = List().add(0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1).lock()     // of the high byte, bit 7 is left out
.var actions = List().add(DrawStatus, DoNewGame, NextLevel, NextWhite, NextBlack, DoFlip, DoTakeBack, DoForward, DoHint, DoMoveNow,
                          DoSetUp, DoSave, DoLoad, NextSound, Help, NextClock, NextPonder).lock()
        .errorif actions.size() != MENU_ENTRIES || stays.size() != MENU_ENTRIES, "an action for each entry"
actionLo: .fill MENU_ENTRIES, <actions.get(i)
action: .word 0
        .errorif (<action) == $FF, "the indirect jump cannot cross a page"
actionHi: .fill MENU_ENTRIES, (>actions.get(i)) ^ (stays.get(i) * $80)
}
MenuKey: .byte 0

// DrawMenu - all entries with their settings
//
// Clobbers: A, X, Y
DrawMenu: {
        ldx #MENU_ENTRIES-1
next:   stx entry
        txa
        clc
        adc #ROW_MENU
        tay
        jsr ClearRow
        lda entry
        clc
        adc #ROW_MENU
        tay
        ldx #PANEL
        jsr MoveTo
        lda #YELLOW
        ldx entry
        cpx MenuLine
        beq here
        lda #WHITE
        sta Ink
        lda #0
        jsr PutChar
        jmp text
here:   sta Ink
        lda #GLYPH_ARROW
        jsr PutChar
text:   lda #<MenuTexts
        ldy #>MenuTexts
        ldx entry
        jsr PrintNth
        lda #GREEN
        sta Ink
        lda entry
        cmp #2
        bne notLevel
        jsr PrintLevel
        jmp drawn
notLevel:
        ldx Players+1
        cmp #3
        beq player
        ldx Players
        cmp #4
        beq player
        ldx SoundOn
        cmp #13
        beq switch
        ldx PonderOn
        cmp #16
        beq switch
        cmp #15
        bne drawn
        ldx ClockMode
        beq switch                      // off
        lda ClockMinutes,x
        jsr TwoDigits
        pha
        tya
        jsr PutChar
        pla
        jsr PutChar
        jmp drawn
player: inx                             // after off and on
        inx
switch: lda #<settings
        ldy #>settings
        jsr PrintNth
drawn:  ldx entry
        dex
        bmi done
        jmp next
done:   rts
entry:  .byte 0
settings:
        Text("off")
        Text("on")
        Text("person")
        Text("C64")
}

// NextLevel, NextWhite, NextBlack, NextSound, NextPonder - change a setting; cursor left goes back
//
// Clobbers: A, X, Y
NextLevel: {
        ldx ChosenLevel
        lda MenuKey
        cmp #KEY_LEFT
        beq back
        inx
        cpx #LEVELS
        bcc set
        ldx #0
        beq set
back:   dex
        bpl set
        ldx #LEVELS-1
set:    stx ChosenLevel
        jmp DrawLevel
}
NextWhite: {
        lda Players+1
        eor #1
        sta Players+1
        rts
}
NextBlack: {
        lda Players
        eor #1
        sta Players
        rts
}
NextSound: {
        lda SoundOn
        eor #1
        sta SoundOn
        rts
}
NextPonder: {
        lda PonderOn
        eor #1
        sta PonderOn
        rts
}

// NextClock - another time for the game: both clocks begin anew
//
// Clobbers: A, X, Y
NextClock: {
        ldx ClockMode
        inx
        cpx #CLOCKS
        bcc set
        ldx #0
set:    stx ClockMode
        jsr ResetClocks
        jmp SetClock
}

.const HELP_LINES = 7
.const HELP_SPLIT = 5                   // lines of the first part

// Help - a page of text, until a key is pressed
//
// Clobbers: A, X, Y
Help: {
        jsr DrawHelp
        jsr WaitKey
}
// LeaveHelp - the board again
//
// Clobbers: A, X, Y
LeaveHelp: {
        jsr DrawBoard
        jmp DrawPanel
}

// DrawHelp - the page
//
// Clobbers: A, X, Y
DrawHelp: {
        lda #0
        sta VIC_SPRITES
        jsr ClearScreen
        lda #<HelpTexts
        ldy #>HelpTexts
        ldx #0
        beq aim                         // always
next:   cpx #HELP_SPLIT
        bne on
        lda #<HelpTexts2
        ldy #>HelpTexts2
aim:    sta zpText
        sty zpText+1
on:     stx line                        // a colour, a text; blank lines are texts, too
        txa
        tay
        ldx #1
        jsr MoveTo
        jsr NextText
        sta Ink
        jsr PrintNext
        ldx line
        inx
        cpx #HELP_LINES
        bne next
        rts
line:   .byte 0
}

// MenuText, HelpTop, HelpBottom - the entries, and the page in two parts, in the RAM below the I/O chips; main.asm places them
.macro MenuText() {
        Text("Back to game")
        Text("New game")
        Text("Lv ")
        Text("White: ")
        Text("Black: ")
        Text("Flip board")
        Text("Take back")
        Text("Forward")
        Text("Hint")
        Text("Move now")
        Text("Set up")
        Text("Save game")
        Text("Load game")
        Text("Sound: ")
        Text("Help")
        Text("Time: ")
        Text("Ponder: ")
}
.macro HelpTop() {
        HelpLine(YELLOW, "Tempo Chess")
        HelpLine(WHITE, "")
        HelpLine(WHITE, "Joystick 2, cursor keys, RETURN")
        HelpLine(WHITE, "or type e2e4 Nf3 O-O e8=N")
        HelpLine(CYAN, "F1 menu  F3 back  F5 hint")
}
.macro HelpBottom() {
        HelpLine(CYAN, "F2 help  F4 redo  F6 move")
        HelpLine(CYAN, "F7 flip  F8 new   y draw + - list")
}

.macro HelpLine(colour, text) {
        .byte colour
        Text(text)
}
