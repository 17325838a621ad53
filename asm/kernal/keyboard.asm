// keyboard.asm - keys that were scanned: shifts, repeat, and the keyboard buffer
//
// Provides: DecodeKey
// Uses:     keytables.asm, names.asm
#importonce

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
