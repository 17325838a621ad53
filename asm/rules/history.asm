// history.asm - the positions of a game, and repetition
//
// Provides: RecordPosition, CheckRepetition
// Uses:     constants.asm, storage.asm, position/sync.asm, position/zobrist.asm
//
// The history is a window of the last MAX_HISTORY positions. Each has its hash,
// which finds candidates. What confirms them exactly is the latest position as a
// board and, for every entry but the first, the change from the one before:
// pairs of a cell and old ^ new, then their length in bytes. An exclusive or goes
// both ways, so stepping back from the latest position visits all others, and
// stepping back a second time, from the end again, restores it.
// A quiet move is three pairs: two squares and the side.
// A position that no earlier one can reach again (a piece less, a pawn elsewhere,
// other rights) starts the window anew; a full window loses its oldest entry.
#importonce

.const LAST_STATE   = $08               // cells of HistoryLast beside the board
.const LAST_SIDE    = $09
.const CHANGE_MOST  = 2*(64 + 2) + 1    // bytes of the longest change
.const CHANGES_FULL = HistoryChanges + CHANGE_SPACE - CHANGE_MOST + 1

// RecordPosition - append the current position to the history
//
// In:       the public position
// Out:      HistoryCount, PositionHistoryLo/Hi, ZobristHash
// Clobbers: A, X, Y, private position
// Cycles:   8,777 first, 8,901 same pawns
RecordPosition: {
        jsr PrepareHistory
        lda HistoryCount
        beq anew
        jsr MakeRoom
        jsr WriteChange
        bcc anew                // nothing before can come again
        jsr StepBack            // brings HistoryLast up to date, zpEntry to the change
        lda zpEntry             // the end is after it and its length byte
        sec
        adc zpTemp
        sta HistoryEnd
        lda zpEntry+1
        adc #0
        sta HistoryEnd+1
append: ldx HistoryCount
        lda ZobristHash
        sta PositionHistoryLo,x
        lda ZobristHash+1
        sta PositionHistoryHi,x
        inc HistoryCount
        inc HistoryStored
        rts
anew:   ldx #ON_BOARD           // guard cells are copied along and never read
copy:   lda Work,x
        sta HistoryLast,x
        dex
        bpl copy
        lda zpState
        sta HistoryLast+LAST_STATE
        lda zpSide
        sta HistoryLast+LAST_SIDE
        lda #<HistoryChanges
        sta HistoryEnd
        lda #>HistoryChanges
        sta HistoryEnd+1
        lda #0
        sta HistoryCount
        sta HistoryStored
        beq append              // always
}

// CheckRepetition - has the current position occurred three times?
//
// Out:      C = 1 yes; history entries count, so the position must have been recorded
// Clobbers: A, X, Y, private position
// Cycles:   7,065 one equal entry, 7,089 one other entry, 11,894 three equal entries
CheckRepetition: {
        jsr PrepareHistory
        ldy #0                  // equal hashes
        ldx HistoryCount
        beq no
next:   lda PositionHistoryLo-1,x
        cmp ZobristHash
        bne skip
        lda PositionHistoryHi-1,x
        cmp ZobristHash+1
        bne skip
        iny
skip:   dex
        bne next
        cpy #3
        bcc no
        stx zpCount             // X = 0: entries that are this position
        jsr AimEnd
        ldx HistoryCount
entry:  dex
        stx zpScan
        lda PositionHistoryLo,x
        cmp ZobristHash
        bne other
        lda PositionHistoryHi,x
        cmp ZobristHash+1
        bne other
        jsr IsLastPosition
        bcc other               // the same hash, another position
        inc zpCount
other:  ldx zpScan
        beq first
        jsr StepBack
        ldx zpScan
        bne entry               // always
first:  jsr AimEnd              // a second time: HistoryLast is the latest again
        lda HistoryCount
        sta zpScan
restore:
        dec zpScan
        beq counted
        jsr StepBack
        jmp restore
counted:
        lda zpCount
        cmp #3                  // C = 1: three times
        rts
no:     clc
        rts
}

// PrepareHistory - private position and hash, and a history that fits HistoryCount
//
// A caller may lower HistoryCount, to take moves back or to begin a game; a count
// of more positions than were recorded begins anew, too.
//
// Out:      HistoryCount = HistoryStored, or HistoryCount = 0
// Clobbers: A, X, Y, zpEntry, zpTemp, zpHit
// Cycles:   7,010 nothing taken back, 7,281 a quiet move taken back
PrepareHistory: {
        jsr SyncPosition
        jsr PublishHash
        lda HistoryCount
        beq done
        cmp HistoryStored
        beq done
        bcc back
        lda #0
        sta HistoryCount
done:   rts
back:   jsr AimEnd
step:   jsr StepBack
        dec HistoryStored
        lda HistoryStored
        cmp HistoryCount
        bne step
        lda zpEntry
        sta HistoryEnd
        lda zpEntry+1
        sta HistoryEnd+1
        rts
}

// AimEnd - zpEntry = the end of the changes
//
// Clobbers: A
// Cycles:   20
AimEnd: {
        lda HistoryEnd
        sta zpEntry
        lda HistoryEnd+1
        sta zpEntry+1
        rts
}

// PriorChange - from the end of a change to its beginning
//
// In:       zpEntry = after its length byte
// Out:      zpEntry = its first pair, zpTemp = A = its length
// Clobbers: Y
// Cycles:   44 quiet move
PriorChange: {
        lda zpEntry
        bne low
        dec zpEntry+1
low:    dec zpEntry
        ldy #0
        lda (zpEntry),y
        sta zpTemp
        lda zpEntry
        sec
        sbc zpTemp
        sta zpEntry
        bcs same
        dec zpEntry+1
same:   lda zpTemp
        rts
}

// StepBack - apply the change that ends at zpEntry to HistoryLast
//
// In:       zpEntry = after its length byte
// Out:      zpEntry = its first pair, zpTemp = its length
// Clobbers: A, X, Y, zpHit
// Cycles:   167 quiet move
StepBack: {
        jsr PriorChange
        tay
        beq done
pair:   dey
        lda (zpEntry),y
        sta zpHit
        dey
        lda (zpEntry),y
        tax
        lda HistoryLast,x
        eor zpHit
        sta HistoryLast,x
        tya
        bne pair
done:   rts
}

// BranchSquareBefore - X = the square before X, to `next`; to `first` if there is none
.macro BranchSquareBefore(next, first) {
        dex
        bmi first
        txa
        and #OFF_BOARD
        beq next
        txa                     // from column 15 to column 7
        and #ON_BOARD
        tax
        bpl next                // always
}

// IsLastPosition - is the current position the one in HistoryLast?
//
// Out:      C = 1 yes
// Clobbers: A, X
// Cycles:   1,422 equal, 27 other side
IsLastPosition: {
        lda zpState
        cmp HistoryLast+LAST_STATE
        bne no
        lda zpSide
        cmp HistoryLast+LAST_SIDE
        bne no
        ldx #ON_BOARD
next:   lda Work,x
        cmp HistoryLast,x
        bne no
        BranchSquareBefore(next, yes)
yes:    sec
        rts
no:     clc
        rts
}

// WriteChange - the change from HistoryLast to the current position, at HistoryEnd
//
// In:       room for CHANGE_MOST bytes
// Out:      C = 1 written, zpEntry = after it; C = 0 HistoryLast cannot come again:
//           other rights, another pawn, a piece more or less
// Clobbers: A, X, Y, zpCount
// Cycles:   1,709 nothing changed, 1,821 quiet move, 350 pawn move
WriteChange: {
        lda zpState
        eor HistoryLast+LAST_STATE
        and #RIGHTS
        bne no
        jsr AimEnd
        ldy #0
        sty zpCount             // pieces now less pieces then
        ldx #ON_BOARD
next:   lda Work,x
        cmp HistoryLast,x
        beq same
        cmp #EMPTY_PIECE
        beq emptyNow
        and #TYPE_BITS
        beq no                  // a pawn
        inc zpCount
emptyNow:
        lda HistoryLast,x
        beq emptyThen
        and #TYPE_BITS
        beq no
        dec zpCount
emptyThen:
        txa
        sta (zpEntry),y
        iny
        lda Work,x
        eor HistoryLast,x
        sta (zpEntry),y
        iny
same:   BranchSquareBefore(next, squares)
no:     clc
        rts
squares:
        lda zpCount
        bne no
        ldx #LAST_STATE
        lda zpState
        jsr cell
        ldx #LAST_SIDE
        lda zpSide
        jsr cell
        tya                     // the length, and zpEntry after it
        sta (zpEntry),y
        sec
        adc zpEntry
        sta zpEntry
        bcc low
        inc zpEntry+1
low:    sec
        rts
cell:   eor HistoryLast,x       // a cell beside the board, if it changed
        beq unchanged
        pha
        txa
        sta (zpEntry),y
        iny
        pla
        sta (zpEntry),y
        iny
unchanged:
        rts
}

// MakeRoom - forget the oldest entries until there is room for one more
//
// In:       HistoryCount not 0
// Out:      HistoryCount < MAX_HISTORY, CHANGE_MOST bytes free after HistoryEnd
// Clobbers: A, X, Y, zpEntry, zpTemp, zpPtrA, zpPtrB
// Cycles:   28 enough
MakeRoom: {
        ldx HistoryCount
        cpx #MAX_HISTORY
        bcs forget
        lda HistoryEnd
        cmp #<CHANGES_FULL
        lda HistoryEnd+1
        sbc #>CHANGES_FULL
        bcs forget
        rts
forget: dec HistoryCount
        dec HistoryStored
        ldx #0
hashes: lda PositionHistoryLo+1,x
        sta PositionHistoryLo,x
        lda PositionHistoryHi+1,x
        sta PositionHistoryHi,x
        inx
        cpx HistoryCount
        bne hashes
        jsr AimEnd              // the first change is the last one on the way back
walk:   jsr PriorChange
        lda zpEntry
        cmp #<HistoryChanges
        bne walk
        lda zpEntry+1
        cmp #>HistoryChanges
        bne walk
        inc zpTemp              // with its length byte
        lda HistoryEnd
        sec
        sbc zpTemp
        sta HistoryEnd
        bcs noBorrow
        dec HistoryEnd+1
noBorrow:
        clc                     // all others move down
        lda zpEntry
        sta zpPtrB
        adc zpTemp
        sta zpPtrA
        lda zpEntry+1
        sta zpPtrB+1
        adc #0
        sta zpPtrA+1
        ldx #>CHANGE_SPACE
        ldy #0
move:   lda (zpPtrA),y
        sta (zpPtrB),y
        iny
        bne move
        inc zpPtrA+1
        inc zpPtrB+1
        dex
        bne move
        beq MakeRoom            // always
}
