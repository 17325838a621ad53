// keyboard.asm - the matrix: scanning, shifts, repeat, and the keyboard buffer
//
// Provides: ScanKeyboard, DecodeKey
// Uses:     keytables.asm, names.asm
#importonce

// ScanKeyboard - look at the keys and put a new one into the buffer (SCNKEY)
//
// Out:      CurrentKey = column * 8 + row of the key, 64 if none; Shifts = which shift keys are held
// Clobbers: A, X, Y
ScanKeyboard: {
        lda #0
        sta Shifts
        ldy #NO_KEY
        sty CurrentKey
        sta CIA1_A              // all columns
        ldx CIA1_B
        cpx #$FF
        beq decode              // no key at all
        tay                     // the key's number
        lda #%11111110
columns:
        sta CIA1_A
        pha
steady: lda CIA1_B
        cmp CIA1_B
        bne steady              // in motion
        ldx #8
rows:   lsr
        bcs up
        pha
        lda KeysPlain,y
        cmp #$05
        bcs key
        cmp #$03                // STOP is a key, the others with low codes are shifts
        beq key
        ora Shifts
        sta Shifts
        bpl pressed             // always
key:    sty CurrentKey
pressed:
        pla
up:     iny
        dex
        bne rows
        pla
        sec
        rol                     // the next column
        cpy #NO_KEY
        bcc columns
decode: lda #%01111111
        sta CIA1_A              // STOP's column stays selected
        jmp (VECTOR_KEYS)
}

// DecodeKey - choose the table by the shifts, switch the character set on SHIFT and C=, then buffer the key
//
// Clobbers: A, X, Y
DecodeKey: {
        ldx Shifts
        cpx #3
        bne table
        cpx LastShifts          // only when the two come together
        beq done
        stx LastShifts
        lda CaseLock
        bmi done
        lda VIC_MEMORY
        eor #%00000010
        sta VIC_MEMORY
done:   rts
table:  stx LastShifts
        lda tableLo,x
        sta KeyTableLo
        lda tableHi,x
        sta KeyTableHi
        jmp BufferKey
.var tables = List().add(KeysPlain, KeysShift, KeysCommodore, KeysCommodore, KeysControl, KeysControl, KeysControl, KeysControl)
tableLo:
        .fill 8, <tables.get(i)
tableHi:
        .fill 8, >tables.get(i)
}

// BufferKey - put the current key into the buffer if it is new, or if it repeats
//
// Clobbers: A, X, Y
BufferKey: {
        ldy CurrentKey
        lda (KeyTableLo),y
        tax                     // its character
        cpy LastKey
        bne new
        bit RepeatMode          // held
        bmi repeat
        bvs done
        cpx #$14                // of itself repeats what moves: DEL, space, the cursor
        beq repeat
        cpx #SPACE
        beq repeat
        cpx #$1D
        beq repeat
        cpx #$11
        beq repeat
        cpx #$94
        beq repeat
        cpx #$9D
        beq repeat
        cpx #$91
        bne done
repeat: lda RepeatDelay
        beq ready
        dec RepeatDelay
        bne done
ready:  dec RepeatCount
        bne done
        lda #4
        sta RepeatCount
        lda KeyCount            // repeats do not pile up
        bne done
        beq put                 // always
new:    sty LastKey
        lda #16
        sta RepeatDelay
        lda #4
        sta RepeatCount
put:    cpx #$FF
        beq done
        ldy KeyCount
        cpy KeyBufferSize
        bcs done
        txa
        sta KeyBuffer,y
        inc KeyCount
done:   rts
}
