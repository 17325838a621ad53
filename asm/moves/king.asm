// king.asm - where the king may go
//
// Provides: macros Zones, ZonesMore, ZoneTest, KingTarget; CastleBit
// Uses:     rays.asm (EmitMove), attack.asm (FirstHit), tables.asm, zeropage.asm
//
// zpCand has one bit for each neighbour of the king. The macros clear the bits
// that an enemy piece attacks; what is left is emitted.
#importonce

// CastleBit - the bit of zpCand that stands for a castling target at home
.function CastleBit(white, short) {
    .if (white) .return short ? 1<<2 : 1<<5
    .return short ? 1<<4 : 1<<7
}

// LoadZone, OrZone - what a piece on Y attacks: A = bits of the king's targets
//
// At home the tables are indexed by square, elsewhere through the king's pointers.
.macro LoadZone(white, kind, home) {
    .if (kind == BY_ANY) {
        LoadZone(white, BY_ORTHO, home)
        OrZone(white, BY_DIAG, home)
    } else .if (home) {
        lda HomeTable(kind) + (white ? 0 : 8),y
    } else {
        lda (ZonePointer(white, kind)),y
    }
}
.macro OrZone(white, kind, home) {
    .if (home) {
        ora HomeTable(kind) + (white ? 0 : 8),y
    } else {
        ora (ZonePointer(white, kind)),y
    }
}
.function ZonePointer(white, kind) {
    .return zpWhiteZoneKing + 2*kind + (white ? 0 : zpBlackZoneKing - zpWhiteZoneKing)
}
.function HomeTable(kind) {
    .return HomeKing + $80*kind
}

// Zone - take from zpCand what the sliders of an enemy list attack
//
// As ScanList: sliders in line go through ScanHits, slots beyond the second
// through ZoneMore.
.macro Zone(white, list, kind, home, hits) {
        ldy list
        bmi done
        LoadZone(white, kind, home)
        and zpCand
        bne hits.hit0
next0:  ldy list+1
        bmi done
        LoadZone(white, kind, home)
        and zpCand
        bne hits.hit1
next1:  ldy list+2
        bpl hits.more
done:
}

// ZoneMore - the slots beyond the second: a loop
.macro ZoneMore(white, list, kind, home, test, done) {
        ldx #list+2
next:   ldy $00,x
        bmi out
        LoadZone(white, kind, home)
        and zpCand
        beq skip
        stx zpWalk
        jsr test
        ldx zpWalk
skip:   inx
        bne next                // always
out:    ldx KingOf(white)
        jmp done
}

// Zones - take from zpCand all targets that enemy pieces other than pawns attack
//
// X = king, kept. Pawns are looked for when a move is emitted.
.macro Zones(white, home, test, more) {
        ldy KingOf(!white)
        bmi noKing
        LoadZone(white, BY_KING, home)
        jmp knights
hitB:   ScanHits(test, zoneB, more.bishops)     // here, within reach of the branches
hitR:   ScanHits(test, zoneR, more.rooks)
hitQ:   ScanHits(test, zoneQ, more.queens)
hitN:   jmp more.knights
noKing: lda #0
knights:
        ldy KnightsOf(!white)
        bmi leapt
        OrZone(white, BY_KNIGHT, home)
        ldy KnightsOf(!white)+1
        bmi leapt
        OrZone(white, BY_KNIGHT, home)
        ldy KnightsOf(!white)+2
        bpl hitN
leapt:  eor #$FF
        and zpCand
        sta zpCand
zoneB:  Zone(white, BishopsOf(!white), BY_DIAG, home, hitB)
zoneR:  Zone(white, RooksOf(!white), BY_ORTHO, home, hitR)
zoneQ:  Zone(white, QueensOf(!white), BY_ANY, home, hitQ)
}

.macro ZonesMore(white, home, test, zones) {
knights:
        ldx #KnightsOf(!white)+2
next:   ldy $00,x
        bmi out
        OrZone(white, BY_KNIGHT, home)
        inx
        bne next                // always
out:    ldx KingOf(white)
        jmp zones.leapt
bishops: ZoneMore(white, BishopsOf(!white), BY_DIAG, home, test, zones.zoneB.done)
rooks:   ZoneMore(white, RooksOf(!white), BY_ORTHO, home, test, zones.zoneR.done)
queens:  ZoneMore(white, QueensOf(!white), BY_ANY, home, test, zones.zoneQ.done)
}

// ZoneTest - a slider may attack some of the king's targets: look at each
//
// In:       A = targets it is in line with, one bit each; Y = slider, X = king
// Out:      zpCand without the attacked ones. Keeps X
.macro ZoneTest(white) {
        sty zpSlider
next:   sta zpBits
        ldy #$FF                // number of the lowest bit that is set
low:    iny
        lsr
        bcc low
        sty zpIndex
        lda KingOf(white)
        cmp #(white ? E1 : E8)
        beq home
        clc
        adc ZoneStep,y
        jmp target
home:   clc
        adc [white ? ZoneStepWhite : ZoneStepBlack],y
target: tax
        eor #$FF                // NO_DISTANCE + slider - target: the index of a line table
        sec
        adc zpSlider
        clc
        adc #NO_DISTANCE
        tay
        lda LineAny,y
        jsr FirstHit
        tya
        ldy zpIndex
        cmp zpSlider
        bne safe
        lda ZoneClear,y
        and zpCand
        sta zpCand
safe:   lda ZoneClear,y
        and zpBits
        bne next
        ldx KingOf(white)
        rts
}

// KingTarget - one neighbour of the king if its bit is set: look for pawns, emit
.macro KingTarget(white, dir) {
    .var offset = DirStep.get(dir)
        lsr
        bcc next
        sta zpCand
        lda #PieceOf(!white, PAWN)
        cmp Work+offset+ForwardOf(white)-1,x
        beq taken
        cmp Work+offset+ForwardOf(white)+1,x
        beq taken
        EmitMove(offset)
taken:  lda zpCand
next:
}
