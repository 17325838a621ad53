// input.asm - one interrupt a frame: keyboard, joystick, clocks, sound
//
// Provides: Frame, PollKey, WaitKey, KEY_... codes, FramesASecond
// Uses:     screen.asm, clock.asm (TickClock), sound.asm (TickSound), panel.asm (TickThinking), ponder.asm (Expecting)
//
// The interrupt uses no zero page, so it may come while the search runs. A key is an ASCII
// code, or one of KEY_...; the joystick in port 2 gives the codes of the cursor keys and RETURN.
#importonce

.const KEY_NONE   = 0
.const KEY_RETURN = $0D
.const KEY_DELETE = $80
.const KEY_RIGHT  = $81
.const KEY_LEFT   = $82
.const KEY_DOWN   = $83
.const KEY_UP     = $84
.const KEY_STOP   = $85
.const KEY_HOME   = $86
.const KEY_F1     = $88                 // F1 to F8 follow each other
.const KEY_F2     = KEY_F1+1
.const KEY_F3     = KEY_F1+2
.const KEY_F4     = KEY_F1+3
.const KEY_F5     = KEY_F1+4
.const KEY_F6     = KEY_F1+5
.const KEY_F7     = KEY_F1+6
.const KEY_F8     = KEY_F1+7
.const REPEAT_AFTER = 22                // frames until a held key repeats, and between repeats
.const REPEAT_EVERY = 5
.const FRAME_LINE   = 250               // below the board
.const PONDERING    = 2                 // Thinking, while the person's time is used

.label CIA1_PORT_A  = $DC00
.label CIA1_PORT_B  = $DC01
.label CIA1_DIR_A   = $DC02
.label CIA1_ICR     = $DC0D
.label CIA2_ICR     = $DD0D

FramesASecond: .byte 50
Key:         .byte KEY_NONE             // pressed and not yet taken
HeldKey:     .byte KEY_NONE
HeldFrames:  .byte 0
FrameCount:  .byte 0
Thinking:    .byte 0                    // not 0: the search runs; PONDERING: on the person's time

// Frame - the interrupt
Frame: {
        pha
        txa
        pha
        tya
        pha
        lda #1
        sta VIC_IRQ
        inc FrameCount
        jsr TickClock
        jsr TickSound
        jsr ReadKeys
        lda Thinking
        beq glows
        jsr TickThinking
        lda Thinking
        cmp #PONDERING
        bne done
glows:  lda FrameCount                  // the cursor glows
        lsr
        lsr
        lsr
        and #%11
        tax
        lda glow,x
        sta VIC_SPRITE_COLOUR + SPRITE_CURSOR
done:   pla
        tay
        pla
        tax
        pla
Restore: rti                            // the RESTORE key does nothing
glow:   .byte YELLOW, WHITE, YELLOW, GREEN
}

// ReadKeys - take joystick or keyboard, with repeat, into Key
//
// Clobbers: A, X, Y
ReadKeys: {
        lda #$FF                        // no column: only the joystick pulls at port A
        sta CIA1_PORT_A
        lda CIA1_PORT_A
        and #%0001_1111
        cmp #%0001_1111
        bne stick
        lda #0                          // all columns: is any key down?
        sta CIA1_PORT_A
        lda CIA1_PORT_B
        cmp #$FF
        beq released
        jsr ScanMatrix
        jmp judge
released:
        lda #KEY_NONE
        beq judge
stick:  ldx #4                          // the lowest bit at 0 decides
find:   lsr
        bcc found
        dex
        bpl find
found:  lda stickKeys,x
judge:  cmp #KEY_NONE
        beq up
        cmp HeldKey
        bne pressed
        dec HeldFrames
        bne done
        ldx #REPEAT_EVERY
        cmp #KEY_RETURN                 // an answer is given once
        beq once
        stx HeldFrames
        sta Key
        rts
once:   ldx #0
        stx HeldFrames
        rts
pressed:
        ldx Expecting                   // a search that begins needs some frames to end again: this key is
        beq take                        // pressed when the last one is taken
        ldx Key
        bne done
take:   sta HeldKey
        sta Key
        lda #REPEAT_AFTER
        sta HeldFrames
        rts
up:     sta HeldKey
done:   rts
stickKeys: .byte KEY_RETURN, KEY_RIGHT, KEY_LEFT, KEY_DOWN, KEY_UP
}

// ScanMatrix - which key is down
//
// Out:      A = code, KEY_NONE for shift alone
// Clobbers: X, Y
ScanMatrix: {
        lda #0
        sta shift
        lda #%1111_1101                 // left shift: column 1, row 7
        sta CIA1_PORT_A
        lda CIA1_PORT_B
        bmi notLeft
        inc shift
notLeft:
        lda #%1011_1111                 // right shift: column 6, row 4
        sta CIA1_PORT_A
        lda CIA1_PORT_B
        and #%0001_0000
        bne notRight
        inc shift
notRight:
        ldy #63
        lda #%0111_1111                 // column 7 first
        sta column
columns: lda column
        sta CIA1_PORT_A
        lda CIA1_PORT_B
        ldx #8
rows:   asl
        bcs next
        pha
        lda codes,y
        bne found
        pla
next:   dey
        dex
        bne rows
        sec
        ror column
        tya
        bpl columns
        lda #KEY_NONE
        rts
found:  tax
        pla
        txa
        ldx shift
        beq plain
        cmp #'a'
        bcc plain
        cmp #'z'+1
        bcs special
        and #%1101_1111                 // a capital
        rts
special:
        cmp #KEY_RIGHT
        beq other
        cmp #KEY_DOWN
        beq other
        cmp #KEY_F1
        bcc plain
other:  clc                             // left, up, even function keys
        adc #1
plain:  rts
shift:  .byte 0
column: .byte 0
codes:  .byte KEY_DELETE, KEY_RETURN, KEY_RIGHT, KEY_F7, KEY_F1, KEY_F3, KEY_F5, KEY_DOWN
        .byte '3', 'w', 'a', '4', 'z', 's', 'e', 0
        .byte '5', 'r', 'd', '6', 'c', 'f', 't', 'x'
        .byte '7', 'y', 'g', '8', 'b', 'h', 'u', 'v'
        .byte '9', 'i', 'j', '0', 'm', 'k', 'o', 'n'
        .byte '+', 'p', 'l', '-', '.', ':', '@', ','
        .byte 0, '*', ';', KEY_HOME, 0, '=', '^', '/'
        .byte '1', KEY_DELETE, 0, '2', ' ', 0, 'q', KEY_STOP
}

// PollKey - a key, if one was pressed
//
// Out:      A = code or KEY_NONE, Z with it
// Clobbers: X
PollKey: {
        lda Key
        beq done                        // never clear a key that comes just now
        ldx #KEY_NONE
        stx Key
done:   cmp #KEY_NONE
        rts
}

// WaitKey - the next key
//
// Out:      A = code
// Clobbers: X
WaitKey: {
        jsr PollKey
        beq WaitKey
        rts
}

// WaitFrame - until the interrupt has been here
//
// Clobbers: A
WaitFrame: {
        lda FrameCount
wait:   cmp FrameCount
        beq wait
        rts
}
