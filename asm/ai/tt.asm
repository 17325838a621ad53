// tt.asm - the transposition table
//
// Provides: ClearTable, AgeTable, ProbeTable, StoreTable; FromHere, FromNode
// Uses:     constants.asm, storage.asm, zeropage.asm
//
// With a RAM expansion these routines are replaced by those of reu.asm, at the same addresses.
//
// 256 sets of three entries of seven bytes; every byte of every way is a page, so that
// the lowest byte of the key is the index and nothing is computed. The two other bytes
// of the key identify the position.
#importonce

.const WAYS         = 3
.const ENTRY        = 7
.const T_CHECK1     = 0
.const T_CHECK2     = 1
.const T_FROM       = 2
.const T_TO         = 3
.const T_VALUE_LO   = 4
.const T_VALUE_HI   = 5
.const T_DEPTH      = 6                 // bit 7 recent, bits 6-2 depth, bits 1-0 bound
.const T_RECENT     = %1000_0000
.const T_DEPTHS     = %0111_1100
.const T_BOUND      = %0000_0011
.const BOUND_UPPER  = 1
.const BOUND_LOWER  = 2
.const BOUND_EXACT  = 3
// The depths, which ClearTable writes to, are after everything else: the text of a game does not reach so far.
.function TablePage(way, byte) {
    .return TRANSPOSITIONS + (byte == T_DEPTH ? WAYS*T_DEPTH + way : way*T_DEPTH + byte)*$100
}
        Fits(TRANSPOSITIONS, TablePage(WAYS, T_DEPTH))
        .errorif T_DEPTH != ENTRY-1, "the depth is the last byte"

// ClearTable - forget all positions
//
// Clobbers: A, X
// Cycles:   5,129
ClearTable: {
        lda #0
        tax
next:
    .for (var way = 0; way < WAYS; way++) {
        sta TablePage(way, T_DEPTH),x
    }
        inx
        bne next
        rts
}

// AgeTable - entries of earlier searches may be replaced first
//
// Clobbers: A, X
// Cycles:   9,735
AgeTable: {
        ldx #0
next:
    .for (var way = 0; way < WAYS; way++) {
        lda TablePage(way, T_DEPTH),x
        and #$FF-T_RECENT
        sta TablePage(way, T_DEPTH),x
    }
        inx
        bne next
        rts
}

// BranchOther - to `other` if a way of set X holds another position than the private one
.macro BranchOther(way, other) {
        lda TablePage(way, T_CHECK1),x
        cmp zpHashHi
        bne other
        lda TablePage(way, T_CHECK2),x
        cmp zpHashEx
        bne other
        lda TablePage(way, T_DEPTH),x
        and #T_BOUND
        beq other
}

// FromHere - the value of an entry as seen from the root, and the end of a probe that found it
//
// In:       zpValueLo, A = zpValueHi, N with it; zpBits
.macro FromHere() {
        bmi lost
        cmp #>MATE_RANGE
        bcc plain
        lda zpValueLo           // a mate is as many plies farther from the root
        sec
        sbc zpPly
        sta zpValueLo
        bcs plain
        dec zpValueHi
plain:  lda zpBits
        sec
        rts
lost:   cmp #>(-MATE_RANGE+$FF)
        bcs plain
        lda zpValueLo
        clc
        adc zpPly
        sta zpValueLo
        bcc plain
        inc zpValueHi
        jmp plain
}

// FromNode - the value to store: a mate counts from this position
//
// In:       zpValueLo/Hi, zpPly
// Out:      zpTemp and zpHit, low and high byte
.macro FromNode() {
        lda zpValueHi
        sta zpHit
        lda zpValueLo
        bit zpHit
        bmi lost
        ldx zpHit
        cpx #>MATE_RANGE
        bcc plain
        clc
        adc zpPly
        bcc plain
        inc zpHit
        bcs plain               // always
lost:   ldx zpHit
        cpx #>(-MATE_RANGE+$FF)
        bcs plain
        sec
        sbc zpPly
        bcs plain
        dec zpHit
plain:  sta zpTemp
}

// ProbeTable - the entry of the private position
//
// In:       zpHashLo/Hi/Ex, zpPly
// Out:      C = 1 found: NodeTableFrom/To, zpValueLo/Hi as seen from here, A = zpBits = its depth byte;
//           C = 0 not: NodeTableFrom = NO_SQUARE
// Clobbers: A, X, Y
// Cycles:   68 nothing there, 92 found
ProbeTable: {
        ldx zpHashLo
    .for (var way = 0; way < WAYS; way++) {
        BranchOther(way, other)
        ldy zpPly
        lda TablePage(way, T_FROM),x
        sta NodeTableFrom,y
        lda TablePage(way, T_TO),x
        sta NodeTableTo,y
        lda TablePage(way, T_VALUE_LO),x
        sta zpValueLo
        lda TablePage(way, T_DEPTH),x
        sta zpBits
        lda TablePage(way, T_VALUE_HI),x
        jmp found
other:
    }
        ldy zpPly
        lda #NO_SQUARE
        sta NodeTableFrom,y
        clc
        rts
found:  sta zpValueHi
        FromHere()
}

// StoreTable - remember the private position's value
//
// In:       zpValueLo/Hi, A = bound; zpPly, NodeDepth, NodeBestFrom/To (not for an upper bound)
// Clobbers: A, X, Y, zpBits, zpTemp, zpHit; the value stays
// Cycles:   205 a new entry
StoreTable: {
        sta zpBits
        ldy zpPly
        lda NodeDepth,y
        asl
        asl
        ora zpBits
        ora #T_RECENT
        sta zpBits
        FromNode()
        ldx zpHashLo
    .for (var way = 0; way < WAYS; way++) {
        BranchOther(way, other)
        jmp ways[way].matches
other:
    }
        ldy #0                  // the lowest depth byte
        lda TablePage(0, T_DEPTH),x
    .for (var way = 1; way < WAYS; way++) {
        cmp TablePage(way, T_DEPTH),x
        beq kept
        bcc kept
        ldy #way
        lda TablePage(way, T_DEPTH),x
kept:
    }
        dey
        bmi way0
        beq way1
        jmp ways[2].replaces
way0:   jmp ways[0].replaces
way1:   jmp ways[1].replaces
ways:
    .for (var way = 0; way < WAYS; way++) {
replaces:
        lda zpHashHi
        sta TablePage(way, T_CHECK1),x
        lda zpHashEx
        sta TablePage(way, T_CHECK2),x
        lda #NO_SQUARE
        sta TablePage(way, T_FROM),x
matches:
        lda zpTemp
        sta TablePage(way, T_VALUE_LO),x
        lda zpHit
        sta TablePage(way, T_VALUE_HI),x
        lda zpBits
        sta TablePage(way, T_DEPTH),x
        and #T_BOUND
        cmp #BOUND_UPPER
        beq kept                // no move: the old one stays
        ldy zpPly
        lda NodeBestFrom,y
        sta TablePage(way, T_FROM),x
        lda NodeBestTo,y
        sta TablePage(way, T_TO),x
kept:   rts
    }
}
TableCodeEnd:
