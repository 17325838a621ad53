// history.asm - the positions of a game, and repetition
//
// Provides: RecordPosition, CheckRepetition
// Uses:     constants.asm, storage.asm, position/sync.asm, position/zobrist.asm
//
// The history is a window of the last MAX_HISTORY positions, each with its
// hash and with the position itself, packed in 34 bytes: hashes find
// candidates, the packed position decides. A position that no earlier one can
// reach again (a man less, a pawn elsewhere, other rights) starts the window
// anew; a full window loses its oldest entry.
#importonce

.const NIBBLE_EMPTY = 5                 // no type has this number

// RecordPosition - append the current position to the history
//
// In:       the public position
// Out:      HistoryCount, PositionHistoryLo/Hi, ZobristHash
// Clobbers: A, X, Y, private position
// Cycles:   7,966 first, 12,981 same pawns
RecordPosition: {
        jsr PrepareHistory
        ldx HistoryCount
        beq append
        dex
        jsr AimEntry
        jsr IsReachable
        bcs append
        ldx #0                  // nothing before can come again
        stx HistoryBase
        stx HistoryCount
append: ldx HistoryCount
        cpx #MAX_HISTORY
        bne room
        ldx #0                  // full: forget the oldest
shift:  lda PositionHistoryLo+1,x
        sta PositionHistoryLo,x
        lda PositionHistoryHi+1,x
        sta PositionHistoryHi,x
        inx
        cpx #MAX_HISTORY-1
        bne shift
        stx HistoryCount
        ldy HistoryBase
        iny
        cpy #MAX_HISTORY
        bne base
        ldy #0
base:   sty HistoryBase
room:   lda ZobristHash         // X = HistoryCount
        sta PositionHistoryLo,x
        lda ZobristHash+1
        sta PositionHistoryHi,x
        jsr AimEntry
        ldy #PACKED_SIZE-1
copy:   lda PackedNow,y
        sta (zpEntry),y
        dey
        bpl copy
        inc HistoryCount
        rts
}

// CheckRepetition - has the current position occurred three times?
//
// Out:      C = 1 yes; history entries count, so the position must have been recorded
// Clobbers: A, X, Y, private position
// Cycles:   8,029 one equal entry, 7,446 one other entry
CheckRepetition: {
        jsr PrepareHistory
        lda #0
        sta zpCount
        sta zpScan
next:   ldx zpScan
        cpx HistoryCount
        beq no
        lda PositionHistoryLo,x
        cmp ZobristHash
        bne skip
        lda PositionHistoryHi,x
        cmp ZobristHash+1
        bne skip
        jsr AimEntry
        ldy #PACKED_SIZE-1
compare:
        lda (zpEntry),y
        cmp PackedNow,y
        bne skip                // the same hash, another position
        dey
        bpl compare
        inc zpCount
        lda zpCount
        cmp #3
        beq yes
skip:   inc zpScan
        bne next
yes:    sec
        rts
no:     clc
        rts
}

// PrepareHistory - hash and packed form of the current position, sane counters
PrepareHistory: {
        jsr SyncPosition
        jsr PublishHash
        lda #MAX_HISTORY
        cmp HistoryCount
        bcs countFits
        lda #0                  // not one of ours: start anew
        sta HistoryCount
countFits:
        lda HistoryBase
        cmp #MAX_HISTORY
        bcc PackPosition
        lda #0
        sta HistoryBase
}
// PackPosition - the private position in 34 bytes
//
// Out:      PackedNow: two squares a byte, then state, then side
// Clobbers: A, X, Y
// Cycles:   2,936
PackPosition: {
        ldx #0
        stx zpIndex
next:   jsr nibble
        asl
        asl
        asl
        asl
        sta zpTemp
        jsr nibble
        ora zpTemp
        ldy zpIndex
        sta PackedNow,y
        inc zpIndex
        txa
        and #OFF_BOARD
        beq next
        cmp #$80
        beq done
        txa
        adc #8                  // C = 0 from cmp
        tax
        bpl next
done:   lda zpState
        sta PackedNow+32
        lda zpSide
        sta PackedNow+33
        rts
nibble: ldy Work,x
        inx
        lda #NIBBLE_EMPTY
        cpy #EMPTY_PIECE
        beq empty
        lda PackedCode-CODE_BITS,y
empty:  rts
}

// AimEntry - point at a packed position of the history
//
// In:       X = number of the entry
// Out:      zpEntry
// Clobbers: A, Y       Keeps: X
// Cycles:   37
AimEntry: {
        txa
        clc
        adc HistoryBase
        bcs wrap
        cmp #MAX_HISTORY
        bcc inside
wrap:   sbc #MAX_HISTORY        // C = 1; a sum above 255 comes out right too
inside: tay
        lda entryLo,y
        sta zpEntry
        lda entryHi,y
        sta zpEntry+1
        rts
entryLo: .fill MAX_HISTORY, <PackedHistory + i*PACKED_SIZE
entryHi: .fill MAX_HISTORY, >PackedHistory + i*PACKED_SIZE
}

// IsReachable - could the position of an entry come again from the current one?
//
// In:       zpEntry, PackedNow
// Out:      C = 1 yes: same rights, same pawns, as many men
// Clobbers: A, X, Y
// Cycles:   4,962 same pawns
IsReachable: {
        ldy #32
        lda (zpEntry),y
        eor PackedNow,y
        and #RIGHTS
        bne no
        lda #0
        sta zpCount             // men then minus men now
        dey
next:   lda (zpEntry),y
        sta zpHit
        lda PackedNow,y
        sta zpTemp
        jsr nibble
        bne no
        lsr zpHit
        lsr zpHit
        lsr zpHit
        lsr zpHit
        lsr zpTemp
        lsr zpTemp
        lsr zpTemp
        lsr zpTemp
        jsr nibble
        bne no
        dey
        bpl next
        lda zpCount
        bne no
        sec
        rts
no:     clc
        rts
nibble: lda zpHit               // low nibbles: Z = 1 if the pawns agree
        and #%1111
        cmp #NIBBLE_EMPTY
        bne man
        dec zpCount
man:    sta zpBits
        lda zpTemp
        and #%1111
        cmp #NIBBLE_EMPTY
        bne now
        inc zpCount
now:    cmp zpBits
        beq same                // Z = 1
        and #TYPE_BITS
        beq differ              // a pawn now (type 0), something else then
        lda zpBits
        and #TYPE_BITS
        beq differ
        lda #0
same:   rts
differ: lda #1
        rts
}
