// menu.asm - the menu beside the board, and the page of help
//
// Provides: Menu, Help
// Uses:     screen.asm, input.asm, panel.asm, play.asm (what the entries do)
//
// Up and down choose, RETURN or fire does it, RUN/STOP goes back to the game. Entries that
// show a setting change it and stay; the others leave the menu.
#importonce

.const ROW_MENU = 4
.const PLAYER_PERSON = 0
.const PLAYER_C64    = 1

.const ENTRIES = 15

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
        ldx #ENTRIES-1
        bne moved
down:   inx
        cpx #ENTRIES
        bcc moved
        ldx #0
moved:  stx MenuLine
        jmp draw
do:     sta MenuKey
        lda actionLo,x
        sta action
        lda actionHi,x
        sta action+1
        lda stays,x
        beq once
        jsr call
        jmp draw
once:   jsr DrawPanel
call:   jmp (action)
action: .word 0
        .errorif (<action) == $FF, "the indirect jump cannot cross a page"
stays:  .byte 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0
actionLo: .byte <DrawStatus, <DoNewGame, <NextLevel, <NextWhite, <NextBlack, <DoFlip, <DoTakeBack
        .byte <DoForward, <DoHint, <DoMoveNow, <DoSetUp, <DoSave, <DoLoad, <NextSound, <Help
actionHi: .byte >DrawStatus, >DoNewGame, >NextLevel, >NextWhite, >NextBlack, >DoFlip, >DoTakeBack
        .byte >DoForward, >DoHint, >DoMoveNow, >DoSetUp, >DoSave, >DoLoad, >NextSound, >Help
}
MenuKey: .byte 0

// DrawMenu - all entries with their settings
//
// Clobbers: A, X, Y
DrawMenu: {
        ldx #ENTRIES-1
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
text:   ldx entry
        lda textLo,x
        ldy textHi,x
        jsr Print
        lda #GREEN
        sta Ink
        lda entry
        cmp #2
        bne notLevel
        jsr PrintLevel
        jmp drawn
notLevel:
        cmp #3
        bne notWhite
        lda Players+1
        jmp player
notWhite:
        cmp #4
        bne notBlack
        lda Players
player: tax
        lda playerLo,x
        ldy playerHi,x
        jsr Print
        jmp drawn
notBlack:
        cmp #13
        bne drawn
        ldx SoundOn
        lda soundLo,x
        ldy soundHi,x
        jsr Print
drawn:  ldx entry
        dex
        bmi done
        jmp next
done:   rts
entry:  .byte 0
textLo: .byte <t0, <t1, <t2, <t3, <t4, <t5, <t6, <t7, <t8, <t9, <t10, <t11, <t12, <t13, <t14
textHi: .byte >t0, >t1, >t2, >t3, >t4, >t5, >t6, >t7, >t8, >t9, >t10, >t11, >t12, >t13, >t14
t0:     Text("Back to game")
t1:     Text("New game")
t2:     Text("Lv ")
t3:     Text("White: ")
t4:     Text("Black: ")
t5:     Text("Flip board")
t6:     Text("Take back")
t7:     Text("Forward")
t8:     Text("Hint")
t9:     Text("Move now")
t10:    Text("Set up")
t11:    Text("Save game")
t12:    Text("Load game")
t13:    Text("Sound: ")
t14:    Text("Help")
playerLo: .byte <person, <c64
playerHi: .byte >person, >c64
person: Text("person")
c64:    Text("C64")
soundLo: .byte <off, <on
soundHi: .byte >off, >on
off:    Text("off")
on:     Text("on")
}

// NextLevel, NextWhite, NextBlack, NextSound - change a setting; cursor left goes back
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

.const HELP_LINES = 18

// Help - a page of text, until a key is pressed
//
// Clobbers: A, X, Y
Help: {
        lda #0
        sta VIC_SPRITES
        jsr ClearScreen
        lda #<page
        ldy #>page
        sta zpText
        sty zpText+1
        ldx #0
next:   stx line                        // a colour, a text; blank lines are texts, too
        txa
        tay
        ldx #1
        jsr MoveTo
        ldy #0
        lda (zpText),y
        sta Ink
        inc zpText
        bne low
        inc zpText+1
low:    lda zpText
        ldy zpText+1
        jsr Print                       // leaves zpText at the end of the text
        inc zpText
        bne same
        inc zpText+1
same:   ldx line
        inx
        cpx #HELP_LINES
        bne next
        jsr WaitKey
        jsr DrawBoard
        jmp DrawPanel
line:   .byte 0
page:
        HelpLine(YELLOW, "Tempo Chess")
        HelpLine(WHITE, "")
        HelpLine(WHITE, "Joystick 2, cursor keys: the frame")
        HelpLine(WHITE, "Fire, RETURN: take, put down")
        HelpLine(WHITE, "Or type: e2e4 Nf3 exd5 O-O e8=N")
        HelpLine(WHITE, "")
        HelpLine(CYAN, "F1 menu   F2 help")
        HelpLine(CYAN, "F3 back   F4 forward")
        HelpLine(CYAN, "F5 hint   F6 move now")
        HelpLine(CYAN, "F7 flip   F8 new game")
        HelpLine(CYAN, "+ -       scroll the moves")
        HelpLine(CYAN, "y         claim a draw")
        HelpLine(CYAN, "STOP      cancel, move now")
        HelpLine(WHITE, "")
        HelpLine(WHITE, "Below the moves: depth, value,")
        HelpLine(WHITE, "positions and line of the C64.")
        HelpLine(WHITE, "Red king: check")
        HelpLine(WHITE, "Purple: can be taken")
}

.macro HelpLine(colour, text) {
        .byte colour
        Text(text)
}
