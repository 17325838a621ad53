// begin.asm - what runs once: screen, sprites, interrupts
//
// Provides: ShowScreen, InitSprites, StartFrames
// Uses:     main.asm (CHARSET, SCREEN), screen.asm, board.asm, input.asm
//
// This code is where the search will have its lists: after the first search it is gone.
#importonce

// ShowScreen - multicolour text in the bank $C000, own characters, dark surroundings
//
// Clobbers: A, X, Y
ShowScreen: {
        lda CIA2_PORT_A
        and #%1111_1100                 // bank 3
        sta CIA2_PORT_A
        lda #((SCREEN & $3C00) >> 6) | ((CHARSET & $3800) >> 10)
        sta VIC_MEMORY
        lda #%0001_1000                 // multicolour, 40 columns
        sta VIC_CONTROL2
        lda #BLACK
        sta VIC_BORDER
        sta VIC_GROUND
        lda #LIGHT_GREY
        sta VIC_GROUND+1
        lda #ORANGE
        sta VIC_GROUND+2
        jsr ClearScreen
        lda #%0001_1011
        sta VIC_CONTROL1
        rts
}

// StartFrames - own interrupts instead of the KERNAL's
//
// Clobbers: A, X
StartFrames: {
        sei
        lda #%0111_1111
        sta CIA1_ICR
        sta CIA2_ICR
        lda CIA1_ICR
        lda CIA2_ICR
        lda #$FF
        sta CIA1_DIR_A
        lda #<Frame
        sta VECTORS+4
        lda #>Frame
        sta VECTORS+5
        lda #<Frame.Restore
        sta VECTORS
        lda #>Frame.Restore
        sta VECTORS+1
high:   bit VIC_CONTROL1                // 312 lines are PAL, 262 or 263 NTSC
        bpl high
low:    lda VIC_RASTER
        cmp #$20                        // line $120 is only there on PAL
        beq pal
        bit VIC_CONTROL1
        bmi low
        lda #60
        bne known
pal:    lda #50
known:  sta FramesASecond
        lda #FRAME_LINE
        sta VIC_RASTER
        lda VIC_CONTROL1
        and #%0111_1111
        sta VIC_CONTROL1
        lda #1
        sta VIC_IRQ_MASK
        sta VIC_IRQ
        cli
        rts
}

// InitSprites - frames of 24 x 24 pixels, twelve lines made twice as high
//
// Clobbers: A, X, Y
InitSprites: {
        lda #0
        tax
clear:  sta SPRITES,x
        inx
        bpl clear                       // two images
        .errorif SPRITE_IMAGES*64 != $80, "two images are 128 bytes"
        ldx #frameEnd-frame-1
copy:   lda frame,x
        sta SPRITES + 64,x              // chosen, cursor
        lda corners,x
        sta SPRITES,x                   // last move
        dex
        bpl copy
        ldx #3
each:   txa
        lsr                             // an image for two sprites
        sta SPRITE_POINTERS,x
        lda colours,x
        sta VIC_SPRITE_COLOUR,x
        dex
        bpl each
        lda #%0000_1111
        sta VIC_EXPAND_Y
        lda #0
        sta VIC_EXPAND_X
        sta VIC_MULTI
        sta VIC_PRIORITY
        sta $D010
        rts
colours: .byte CYAN, CYAN, GREEN, YELLOW
frame:  .byte $FF, $FF, $FF
    .for (var line = 0; line < 10; line++) .byte $C0, $00, $03
        .byte $FF, $FF, $FF
frameEnd:
corners: .byte $FC, $00, $3F, $C0, $00, $03, $C0, $00, $03
    .for (var line = 0; line < 6; line++) .byte $00, $00, $00
        .byte $C0, $00, $03, $C0, $00, $03, $FC, $00, $3F
        .errorif (SPRITES & $3F) != 0, "sprites begin at a multiple of 64"
}
