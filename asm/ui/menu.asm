// menu.asm - the menu beside the board, and the page of help
//
// Provides: Menu, Help, DrawHelp, LeaveHelp; macros MenuText, HelpText
// Uses:     screen.asm, input.asm, panel.asm, settings.asm, play.asm (what the entries do)
//
// Up and down choose, RETURN or fire does it, RUN/STOP goes back to the game. Entries that
// show a setting change it and stay; the others leave the menu.
#importonce

.label ROW_MENU = 2
.const ENTRY_LEVEL   = 2                // settings, from here to ENTRY_MATE
.const ENTRY_WHITE   = 3
.const ENTRY_BLACK   = 4
.const ENTRY_TIME    = 5
.const ENTRY_PONDER  = 6
.const ENTRY_SOUND   = 7
.const ENTRY_BLANK   = 8
.const ENTRY_MATE    = 10
.label MENU_ENTRIES  = 23
.const MATE_MOST     = 4                // moves of the longest mate to look for
.const HELP_LINES    = 7

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
        sta action+1
        cpx #ENTRY_LEVEL
        bcc once
        cpx #ENTRY_MATE+1
        bcs once
        jsr call
        jmp draw
once:   jsr DrawPanel
call:   jmp (action)
.var actions = List().add(DrawStatus, DoNewGame, NextLevel, NextWhite, NextBlack, NextClock, NextPonder, NextSound, NextBlank, NextColours, NextMate,
                          Analyse, DoHint, DoMoveNow, DoTakeBack, DoForward, DoFlip, DoOffer, DoResign, DoSetUp, DoSave, DoLoad, Help).lock()
        .errorif actions.size() != MENU_ENTRIES || actions.get(ENTRY_MATE) != NextMate, "an action for each entry"
actionLo: .fill MENU_ENTRIES, <actions.get(i)
action: .word 0
        .errorif (<action) == $FF, "the indirect jump cannot cross a page"
actionHi: .fill MENU_ENTRIES, >actions.get(i)
}
MenuKey: .byte 0
MateMoves: .byte 2

// DrawMenu - all entries with their settings
//
// Clobbers: A, X, Y
DrawMenu: {
        lda #<MenuTexts
        sta at
        lda #>MenuTexts
        sta at+1
        ldx #0
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
text:   lda at                          // the texts follow each other
        ldy at+1
        jsr Print
        lda zpText
        sta at
        lda zpText+1
        sta at+1
        lda #GREEN
        sta Ink
        lda entry
        cmp #ENTRY_LEVEL
        bne notLevel
        jsr PrintLevel
        jmp drawn
notLevel:
        ldx Players+1
        cmp #ENTRY_WHITE
        beq player
        ldx Players
        cmp #ENTRY_BLACK
        beq player
        ldx ScreenOn
        cmp #ENTRY_BLANK
        beq switch
        ldx SoundOn
        cmp #ENTRY_SOUND
        beq switch
        ldx PonderOn
        cmp #ENTRY_PONDER
        beq switch
        cmp #ENTRY_MATE
        beq mate
        cmp #ENTRY_TIME
        bne drawn
        ldx ClockMode
        lda #<ClockNames
        ldy #>ClockNames
        bne name                        // always
mate:   lda MateMoves
        adc #'0'-32-1                   // C = 1
        jsr PutChar
        jmp drawn
player: inx                             // after off and on
        inx
switch: lda #<settings
        ldy #>settings
name:   jsr PrintNth
drawn:  ldx entry
        inx
        cpx #MENU_ENTRIES
        beq done
        jmp next
done:   rts
at:     .word 0
entry:  .byte 0
settings:
        Text("off")
        Text("on")
        Text("person")
        Text("C64")
}

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
        sta zpText
        sty zpText+1
        ldx #0
next:   stx line                        // a colour, a text; blank lines are texts, too
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

// MenuText, HelpText - the entries, and the page, in the RAM below the I/O chips; main.asm places them
.macro MenuText() {
        Text("Back to game")
        Text("New game")
        Text("Lv ")
        Text("White: ")
        Text("Black: ")
        Text("Time: ")
        Text("Ponder: ")
        Text("Sound: ")
        Text("Screen: ")
        Text("Colours")
        Text("Mate in ")
        Text("Analyse")
        Text("Hint")
        Text("Move now")
        Text("Take back")
        Text("Forward")
        Text("Flip board")
        Text("Offer draw")
        Text("Resign")
        Text("Set up")
        Text("Save game")
        Text("Load game")
        Text("Help")
}
.macro HelpText() {
        HelpLine(YELLOW, "Tempo Chess")
        HelpLine(WHITE, "")
        HelpLine(WHITE, "Joystick 2, cursor keys, RETURN")
        HelpLine(WHITE, "or type e2e4 Nf3 O-O e8=N")
        HelpLine(CYAN, "F1 menu  F3 back  F5 hint")
        HelpLine(CYAN, "F2 help  F4 redo  F6 move")
        HelpLine(CYAN, "F7 flip  F8 new   y draw + - list")
}

.macro HelpLine(colour, text) {
        .byte colour
        Text(text)
}
