// setup.asm - a position of one's own
//
// Provides: DoSetUp, CheckBoard; macro SetUpText
// Uses:     screen.asm, board.asm, input.asm, record.asm, parts.asm
//
// p n b r q k put a white piece on the square of the cursor, with SHIFT a black one; SPACE
// empties it. t changes the side to move, c empties the board, s sets up the start. RETURN
// begins the game, RUN/STOP leaves it as it was.
#importonce

.const ROW_SETUP = 5

// DoSetUp - change the board until RETURN
//
// Clobbers: A, X, Y
DoSetUp: {
        jsr ClearTargets
        lda #NO_SQUARE
        sta LastFrom
        sta LastTo
        sta CheckSquare
        jsr DrawPage
redraw: jsr DrawBoard
wait:   jsr WaitKey
        cmp #KEY_RETURN
        beq begin
        cmp #KEY_STOP
        beq leave
        ldx #codes-letters-1
find:   cmp letters,x
        beq piece
        dex
        bpl find
        cmp #'t'
        beq turn
        cmp #'c'
        beq clear
        cmp #'s'
        beq start
        cmp #KEY_RIGHT
        bcc wait
        cmp #KEY_UP+1
        bcs wait
        jsr Dispatch                    // the cursor
        jmp wait
piece:  ldy Cursor
        lda codes,x
        sta Board88,y
        jmp redraw
turn:   lda SearchSide
        eor #WHITE_COLOR
        sta SearchSide
        jsr DrawPage
        jmp wait
start:  jsr NewGame
        jsr DrawPage
        jmp redraw
clear:  ldx #$7F
        lda #EMPTY_PIECE
empty:  sta Board88,x
        dex
        bpl empty
        jmp redraw
leave:  jsr Replay                      // the game as it was
        jsr Judge
        jsr FindLast
        jmp show
begin:  jsr CheckBoard
        bcc wrong
        jsr BeginSetUp
        jmp Begun
wrong:  jsr Message
        ldx #SOUND_WRONG
        jsr PlaySound
        jmp wait
show:   jsr DrawBoard
        jmp DrawPanel
letters: .byte 'p', 'n', 'b', 'r', 'q', 'k', 'P', 'N', 'B', 'R', 'Q', 'K', ' '
codes:  .byte WHITE_PAWN, WHITE_KNIGHT, WHITE_BISHOP, WHITE_ROOK, WHITE_QUEEN, WHITE_KING
        .byte BLACK_PAWN, BLACK_KNIGHT, BLACK_BISHOP, BLACK_ROOK, BLACK_QUEEN, BLACK_KING, EMPTY_PIECE
}
        PartEnds(0)

* = PartAt(1) "Set-up"
// CheckBoard - can one play from here?
//
// Out:      C = 1 yes: king squares and rights are set. C = 0: A, Y = text that says why not
// Clobbers: X
CheckBoard: {
        lda #0
        sta whites
        sta blacks
        sta castlerights
        sta HalfmoveClock
        ldx #NO_SQUARE
        stx enpassantsq
        tax
next:   lda Board88,x
        beq go
        cmp #WHITE_KING
        bne notWhite
        stx whitekingsq
        inc whites
notWhite:
        cmp #BLACK_KING
        bne notBlack
        stx blackkingsq
        inc blacks
notBlack:
        and #TYPE_BITS
        bne go                          // PAWN is 0
        txa
        and #ROW_BITS
        beq pawn
        cmp #RANK_1
        beq pawn
go:     jsr NextSquare
        bpl next
        lda whites
        cmp #1
        bne kings
        lda blacks
        cmp #1
        bne kings
        lda SearchSide
        eor #WHITE_COLOR
        tax
        jsr IsKingInCheck
        bcs check
        lda whitekingsq                 // a king and a rook at home may still castle
        cmp #E1
        bne noWhite
        ldx #RIGHT_WK
        ldy #WHITE_ROOK
        cpy Board88+H1
        jsr grant
        ldx #RIGHT_WQ
        cpy Board88+A1
        jsr grant
noWhite:
        lda blackkingsq
        cmp #E8
        bne done
        ldx #RIGHT_BK
        ldy #BLACK_ROOK
        cpy Board88+H8
        jsr grant
        ldx #RIGHT_BQ
        cpy Board88+A8
        jsr grant
done:   sec
        rts
grant:  bne no                          // Z = 1: the rook is there
        txa
        ora castlerights
        sta castlerights
no:     rts
kings:  lda #<OneKingEach
        ldy #>OneKingEach
        clc
        rts
pawn:   lda #<PawnOnEdge
        ldy #>PawnOnEdge
        clc
        rts
check:  lda #<KingEnPrise
        ldy #>KingEnPrise
        clc
        rts
whites: .byte 0
blacks: .byte 0
}
AfterCheckBoard:

* = PartAt(2) "Set-up page"
// DrawPage - what the keys do
//
// Clobbers: A, X, Y
DrawPage: {
        jsr ClearPanel
        ldx #0
next:   stx row
        txa
        asl
        clc
        adc #ROW_SETUP
        tay
        ldx #PANEL+1
        jsr MoveTo
        lda #WHITE
        sta Ink
        lda #<SetUpTexts
        ldy #>SetUpTexts
        ldx row
        jsr PrintNth
        ldx row
        inx
        cpx #7
        bne next
        At(PANEL+1, ROW_TITLE)
        Say(title, YELLOW)
        At(PANEL+1, ROW_TOP)
        lda #GREEN
        sta Ink
        lda SearchSide
        bmi white
        lda #<black
        ldy #>black
        jmp Print
white:  lda #<whites
        ldy #>whites
        jmp Print
row:    .byte 0
title:  Text("Set up")
whites: Text("White to move")
black:  Text("Black to move")
}
OneKingEach: Text("One king each!")
PawnOnEdge:  Text("Pawn on edge!")
KingEnPrise: Text("King en prise!")
AfterSetUpPage:

// SetUpText - the keys, in the RAM below the I/O chips; main.asm places it
.macro SetUpText() {
        Text("pnbrqk White")
        Text("SHIFT: Black")
        Text("SPACE: empty")
        Text("t  turn")
        Text("c  clear")
        Text("s  start")
        Text("RETURN: play")
}
