// reu.asm - the transposition table in a RAM expansion
//
// Provides: FindExpansion; ExpandedCode, the routines that replace those of tt.asm
// Uses:     constants.asm, tt.asm, storage.asm, zeropage.asm
//
// This file is loaded where the screen will be. If there is an expansion, FindExpansion copies its routines over those
// of tt.asm, which are unused from then on; so nothing is decided while a search runs, and neither table costs the
// other a cycle.
//
// The table has up to 65,536 entries of eight bytes, in sets of two. Four bits of the key's low byte, its second byte and
// up to three bits of the third are the address of a set, which is fetched and stored as a whole: the expansion
// keeps its registers (autoload), so that only the address is written. Low and third byte of the key and the low byte
// of the score identify the position; the key alone would confuse too many positions.
#importonce

.const X_CHECK1     = 0                 // third byte of the key
.const X_CHECK2     = 1                 // low byte
.const X_CHECK3     = 2                 // low byte of the score
.const X_FROM       = 3
.const X_TO         = 4
.const X_VALUE_LO   = 5
.const X_VALUE_HI   = 6
.const X_DEPTH      = 7                 // as T_DEPTH; bit 7 is a recent entry's if it differs from Turned
.const X_ENTRY      = 8
.const X_SET        = 2*X_ENTRY
.const BANKS_MOST   = 8                 // 64 KB each
.label SetBuffer    = TablePage(0, T_DEPTH) // the RAM table's place is free, and no text of a game comes here
        .errorif (<SetBuffer) != 0, "AgeTable takes one zero for several bytes"

.label REU_COMMAND  = $DF01
.label REU_C64      = $DF02             // address, low byte first
.label REU_ADDRESS  = $DF04             // ... in the expansion, three bytes
.label REU_LENGTH   = $DF07             // 0 is 64 KB
.label REU_INTERRUPT = $DF09
.label REU_CONTROL  = $DF0A
.const REU_STASH    = %1011_0000        // now, registers as before afterwards: from the C64
.const REU_FETCH    = %1011_0001        // to the C64
.const REU_FIX_C64  = %1000_0000        // the C64's address stays

// FindExpansion - use a RAM expansion if there is one
//
// If the registers hold what is written to them there is likely an expansion, and only then does it get commands. Each
// bank is marked with its number, the highest first: a smaller expansion mirrors its lower banks, and the number read
// back is another one.
//
// In:       I/O visible, interrupts off
// Out:      C = 1: there is one, of 128 KB at least, and the routines of tt.asm use it; ClearTable comes next
FindExpansion: {
        ldx #1
held:   lda patterns,x
        sta REU_ADDRESS
        eor #$FF
        sta REU_ADDRESS+1
        cmp REU_ADDRESS+1
        bne none
        eor #$FF
        cmp REU_ADDRESS
        bne none
        dex
        bpl held
        lda #0
        sta REU_INTERRUPT
        sta REU_CONTROL
        sta REU_ADDRESS
        sta REU_ADDRESS+1
        sta REU_LENGTH+1
        sta REU_C64
        lda #>SetBuffer
        sta REU_C64+1
        lda #1
        sta REU_LENGTH
        ldx #BANKS_MOST-1
number: stx SetBuffer
        stx REU_ADDRESS+2
        lda #REU_STASH
        sta REU_COMMAND
        dex
        bpl number
        ldy #BANKS_MOST-1       // the banks' mask
size:   tya
        lsr
        tax
        inx                     // the lowest bank that half the size lacks
        lda #$FF
        sta SetBuffer
        stx REU_ADDRESS+2
        lda #REU_FETCH
        sta REU_COMMAND
        cpx SetBuffer
        beq found
        tya
        lsr
        tay
        bne size
none:   clc
        rts
found:  sty ExpandedCode + ReuProbe.set.banks - ClearTable
        sty ExpandedCode + ReuStore.set.banks - ClearTable
        sty ExpandedCode + FillBanks.banks - ClearTable
        ldx #0
copy:   lda ExpandedCode,x
        sta ClearTable,x
        lda ExpandedCode+$100,x
        sta ClearTable+$100,x
        lda ExpandedCode+TableCodeEnd-ClearTable-$100,x
        sta TableCodeEnd-$100,x
        inx
        bne copy
        .errorif TableCodeEnd-ClearTable <= $200 || TableCodeEnd-ClearTable > $300, "three pages are copied"
        sec
        rts
patterns:
        .byte %1010_0101, %0011_1100
}

// FetchSet - the private position's set to SetBuffer
.macro FetchSet() {
        lda zpHashLo
        and #$100-X_SET
        sta REU_ADDRESS
        lda zpHashHi
        sta REU_ADDRESS+1
        lda zpHashEx
        and banks: #0           // patched by FindExpansion
        sta REU_ADDRESS+2
        lda #REU_FETCH
        sta REU_COMMAND         // the CPU waits for the bytes
}

// BranchOtherX - to `other` if a way of the set in SetBuffer holds another position than the private one
.macro BranchOtherX(way, other) {
        lda SetBuffer + way*X_ENTRY + X_CHECK1
        cmp zpHashEx
        bne other
        lda SetBuffer + way*X_ENTRY + X_CHECK2
        cmp zpHashLo
        bne other
        lda SetBuffer + way*X_ENTRY + X_CHECK3
        cmp zpScoreLo
        bne other
        lda SetBuffer + way*X_ENTRY + X_DEPTH
        and #T_BOUND
        beq other
}

ExpandedCode:
.pseudopc ClearTable {

// ReuClear - ClearTable
ReuClear: {
        jmp FillBanks
        .errorif ReuClear != ClearTable, "it is called by the other's address"
        .fill AgeTable - *, 0
}

// ReuAge - AgeTable: inverts the meaning of bit 7 in all depth bytes
// Cycles:   42
ReuAge: {
        lda Turned
        eor #T_RECENT
        sta Turned
registers:
        lda #0                  // what all transfers of a search have in common
        sta REU_C64
        sta REU_LENGTH+1
        sta REU_CONTROL
        lda #>SetBuffer
        sta REU_C64+1
        lda #X_SET
        sta REU_LENGTH
        rts
        .errorif ReuAge != AgeTable, "it is called by the other's address"
        .errorif * > ProbeTable, "the RAM table's routine is shorter"
        .fill ProbeTable - *, 0
}

// ReuProbe - ProbeTable
// Cycles:   85 nothing there, 145 found
ReuProbe: {
set:    FetchSet()
    .for (var way = 0; way < 2; way++) {
        BranchOtherX(way, other)
        ldy zpPly
        lda SetBuffer + way*X_ENTRY + X_FROM
        sta NodeTableFrom,y
        lda SetBuffer + way*X_ENTRY + X_TO
        sta NodeTableTo,y
        lda SetBuffer + way*X_ENTRY + X_VALUE_LO
        sta zpValueLo
        lda SetBuffer + way*X_ENTRY + X_DEPTH
        sta zpBits
        lda SetBuffer + way*X_ENTRY + X_VALUE_HI
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
        .errorif ReuProbe != ProbeTable, "it is called by the other's address"
        .errorif * > StoreTable, "the RAM table's routine is shorter"
        .fill StoreTable - *, 0
}

// ReuStore - StoreTable
// Cycles:   237 a new entry
ReuStore: {
        sta zpBits
        ldy zpPly
        lda NodeDepth,y
        asl
        asl
        ora zpBits
        ora #T_RECENT
        eor Turned
        sta zpBits
        FromNode()
set:    FetchSet()
        ldx #0
        BranchOtherX(0, other)
        jmp matches
other:  BranchOtherX(1, neither)
        ldx #X_ENTRY
        bne matches             // always
neither:
        lda SetBuffer + X_DEPTH // the lower depth byte goes, an empty one at once
        beq replaces
        eor Turned
        sta Compared
        lda SetBuffer + X_ENTRY + X_DEPTH
        beq second
        eor Turned
        cmp Compared
        bcs replaces
second: ldx #X_ENTRY
replaces:
        lda zpHashEx
        sta SetBuffer + X_CHECK1,x
        lda zpHashLo
        sta SetBuffer + X_CHECK2,x
        lda zpScoreLo
        sta SetBuffer + X_CHECK3,x
        lda #NO_SQUARE
        sta SetBuffer + X_FROM,x
matches:
        lda zpTemp
        sta SetBuffer + X_VALUE_LO,x
        lda zpHit
        sta SetBuffer + X_VALUE_HI,x
        lda zpBits
        sta SetBuffer + X_DEPTH,x
        and #T_BOUND
        cmp #BOUND_UPPER
        beq kept                // no move: the old one stays
        ldy zpPly
        lda NodeBestFrom,y
        sta SetBuffer + X_FROM,x
        lda NodeBestTo,y
        sta SetBuffer + X_TO,x
kept:   lda #REU_STASH
        sta REU_COMMAND
        rts
        .errorif ReuStore != StoreTable, "it is called by the other's address"
}

// FillBanks - zeros in all of the expansion that is used
//
// The CPU waits for 64 KB at a time, a cycle for each byte.
FillBanks: {
        lda #0
        sta SetBuffer           // the byte that is sent
        sta REU_ADDRESS
        sta REU_ADDRESS+1
        sta REU_LENGTH
        sta REU_LENGTH+1
        sta REU_C64
        lda #>SetBuffer
        sta REU_C64+1
        lda #REU_FIX_C64
        sta REU_CONTROL
        ldx banks: #0           // patched by FindExpansion
bank:   stx REU_ADDRESS+2
        lda #REU_STASH
        sta REU_COMMAND
        dex
        bpl bank
        jmp ReuAge.registers
}
Turned:         .byte 0         // $80 in every other search
Compared:       .byte 0
        .errorif * > TableCodeEnd, "the RAM table's routines are shorter by " + (* - TableCodeEnd) + " bytes"
        .fill TableCodeEnd - *, 0
}
