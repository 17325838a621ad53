// resign.asm - resigning, and how the C64 judges its game
//
// Provides: DoResign, NoteValue, OwnValue
// Uses:     play.asm (End, SideIndex, Players), record.asm (IsOver), storage.asm (SearchValue)
#importonce

OwnValue:    .word 0                    // what the C64 thought of its position when it moved last

// NoteValue - the C64 has searched its move
//
// Clobbers: A
NoteValue: {
        lda SearchValue
        sta OwnValue
        lda SearchValue+1
        sta OwnValue+1
        rts
}

// DoResign - the person gives up, or the side to move of two
//
// Clobbers: A, X, Y
DoResign: {
        jsr IsOver
        bcs done
        jsr SideIndex
        lda Players,x
        beq person
        txa
        eor #1
        tax
person: txa
        clc
        adc #ENDED_RESIGNED
        jmp End
done:   rts
}
