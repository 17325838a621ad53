// board.asm - the board on the screen
//
// Provides: BlackBody, DrawBoard, DrawSquare, DrawNames, ShowMarks, ClearTargets
// Uses:     screen.asm, data/art.asm, storage.asm (Board88)
//
// A square is three characters wide and high. Sprites frame the cursor, the chosen square and
// the last move; a square's entry in Targets tells whether the chosen piece can go there.
#importonce

.const BOARD_COLUMN = 1
.const SQUARE_CELLS = 3
.const SPRITE_LEFT  = 24 + BOARD_COLUMN*8       // sprite coordinates of the board's corner
.const SPRITE_TOP   = 50
.const SPRITE_FROM   = 0                // last move
.const SPRITE_TO     = 1
.const SPRITE_CHOSEN = 2
.const SPRITE_CURSOR = 3
.const SPRITE_IMAGES = 2
.const SPRITE_POINTERS = SCREEN + $3F8
.const WHITE_BODY = WIDE | WHITE
.const DOT_BODY   = WIDE | BLUE
.const CHECK_BODY = WIDE | RED
.const PREY_BODY  = WIDE | PURPLE       // a piece that can be taken

Flipped:     .byte 0                    // 7: Black is at the bottom
Cursor:      .byte $64                  // square of the cursor
Chosen:      .byte NO_SQUARE            // square of the piece to move
CheckSquare: .byte NO_SQUARE            // the king in check
BlackBody:   .byte WIDE | BLUE          // the colour of Black's pieces
LastFrom:    .byte NO_SQUARE
LastTo:      .byte NO_SQUARE
SquareColumn:.fill 8, BOARD_COLUMN + i*SQUARE_CELLS
TypeGlyph:    .byte 0, 1*PIECE_GLYPHS, 2*PIECE_GLYPHS, 3*PIECE_GLYPHS, 4*PIECE_GLYPHS, 0, 0, 5*PIECE_GLYPHS

// DrawBoard - all squares, names of ranks and files, sprites
//
// Clobbers: A, X, Y
DrawBoard: {
        jsr DrawNames
        ldx #H1                 // the last square
next:   txa
        and #OFF_BOARD
        bne skip
        stx current
        jsr DrawSquare
        ldx current
skip:   dex
        bpl next
        jmp ShowMarks
current: .byte 0
}

// DrawNames - ranks left of the board, files below
//
// Clobbers: A, X, Y
DrawNames: {
        lda #CYAN
        sta Ink
        ldx #7
next:   stx count
        lda rankRow,x
        tay
        ldx #0
        jsr MoveTo
        lda count
        eor Flipped
        eor #7
        clc
        adc #'1'-32
        jsr PutChar
        ldx count
        ldy SquareColumn,x
        iny
        tya
        tax
        ldy #24
        jsr MoveTo
        lda count
        eor Flipped
        clc
        adc #'a'-32
        jsr PutChar
        ldx count
        dex
        bpl next
        rts
count:  .byte 0
rankRow: .fill 8, i*SQUARE_CELLS + 1
}

// DrawSquare - one square with what is on it
//
// In:       X = square
// Clobbers: A, X, Y
DrawSquare: {
        stx square
        txa
        and #FILE_BITS
        sta dark
        eor Flipped
        tay
        lda SquareColumn,y
        sta column
        lda square
        lsr
        lsr
        lsr
        lsr
        tay
        clc
        adc dark
        and #1
        sta dark
        tya
        eor Flipped
        sta row
        asl
        adc row                         // three rows of characters; C = 0
        tay
        ldx column
        jsr MoveTo

        ldx square
        lda Board88,x
        beq empty
        and #TYPE_BITS
        tay
        lda TypeGlyph,y
        ldy dark
        clc
        adc groundGlyph,y
        sta glyph
        lda #1
        sta step
        lda Board88,x
        bmi white
        lda BlackBody
        bne body
white:  lda #WHITE_BODY
body:   sta Ink
        lda Targets,x
        beq calm
        lda #PREY_BODY
        sta Ink
calm:   cpx CheckSquare
        bne draw
        lda #CHECK_BODY
        sta Ink
        bne draw
empty:  lda dark
        clc
        adc #GLYPH_EMPTY
        sta glyph
        lda #0
        sta step
        lda #DOT_BODY
        sta Ink
draw:   lda #SQUARE_CELLS
        sta row
line:   ldy #0
cell:   lda glyph
        sta (zpScreen),y
        clc
        adc step
        sta glyph
        lda Ink
        sta (zpColour),y
        iny
        cpy #SQUARE_CELLS
        bne cell
        dec row
        beq dot
        lda zpScreen
        clc
        adc #COLUMNS
        sta zpScreen
        sta zpColour
        bcc line
        inc zpScreen+1
        inc zpColour+1
        bne line
dot:    lda Board88,x                   // a free square to go to
        bne done
        lda Targets,x
        beq done
        lda zpScreen                    // the cell in the middle: a row up, one right
        sec
        sbc #COLUMNS-1
        sta zpScreen
        bcs here
        dec zpScreen+1
here:   ldy #0
        lda dark
        clc
        adc #GLYPH_DOT
        sta (zpScreen),y
done:   rts
square: .byte 0
column: .byte 0
row:    .byte 0
dark:   .byte 0
glyph:  .byte 0
step:   .byte 0
groundGlyph: .byte GLYPH_LIGHT, GLYPH_DARK
}

// ClearTargets - no piece is chosen
//
// Clobbers: A, X
ClearTargets: {
        lda #NO_SQUARE
        sta Chosen
        lda #0
        ldx #$7F
next:   sta Targets,x
        dex
        bpl next
        rts
}

// ShowMarks - sprites around cursor, chosen square and last move
//
// Clobbers: A, X, Y
ShowMarks: {
        lda #0
        sta zpText                      // sprites that are on
        ldx #SPRITE_FROM
        lda LastFrom
        jsr place
        ldx #SPRITE_TO
        lda LastTo
        jsr place
        ldx #SPRITE_CHOSEN
        lda Chosen
        jsr place
        ldx #SPRITE_CURSOR
        lda Cursor
        jsr place
        lda zpText
        sta VIC_SPRITES
        rts
place:  cmp #NO_SQUARE
        beq none
        tay
        and #FILE_BITS
        eor Flipped
        sta zpScreen
        asl
        adc zpScreen                    // C = 0: three cells of eight pixels
        asl
        asl
        asl
        adc #SPRITE_LEFT
        pha
        tya
        lsr
        lsr
        lsr
        lsr
        eor Flipped
        sta zpScreen
        asl
        adc zpScreen
        asl
        asl
        asl
        adc #SPRITE_TOP
        sta zpScreen
        txa
        asl
        tay
        pla
        sta $D000,y
        lda zpScreen
        sta $D001,y
        lda bits,x
        ora zpText
        sta zpText
none:   rts
bits:   .byte 1, 2, 4, 8
}
