// order.asm - the moves of a full node, in the order they are searched
//
// Provides: NextMove, ListAllMoves, ListQuiets, AimNode, LeaveLists
// Uses:     movegen.asm, moves/captures.asm, fits.asm, storage.asm
//
// Out of check, moves come in stages, each generated only when it is needed: the table's
// move, good captures, two killers, quiet moves, losing captures. In check, and at the
// root, all legal moves are listed at once.
#importonce

.const STAGE_TABLE    = 0
.const STAGE_GENERATE = 1
.const STAGE_CAPTURES = 2
.const STAGE_KILLER1  = 3
.const STAGE_KILLER2  = 4
.const STAGE_LIST     = 5               // list the quiet moves
.const STAGE_QUIETS   = 6
.const STAGE_LOSING   = 7
.const STAGE_ALL      = 8               // in check, root: the list
.const STAGE_FOUND    = 9               // in check: the table's move, then the list

// A stage that is over increments NodeStage, and LeaveLists tells by the number whether there are captures.
        .errorif STAGE_GENERATE != STAGE_TABLE+1, "FromTable is followed by Generate"
        .errorif STAGE_KILLER1 != STAGE_CAPTURES+1, "FromCaptures is followed by FromKiller1"
        .errorif STAGE_KILLER2 != STAGE_KILLER1+1, "FromKiller1 is followed by FromKiller2"
        .errorif STAGE_LIST != STAGE_KILLER2+1, "FromKiller2 is followed by ListThem"
        .errorif STAGE_LOSING != STAGE_QUIETS+1, "FromQuiets is followed by FromLosing"
        .errorif STAGE_CAPTURES <= STAGE_GENERATE || STAGE_LOSING >= STAGE_ALL || STAGE_FOUND <= STAGE_ALL, "stages with captures lie between the others"

// Quiet moves are sorted by what the piece gains on its square: gains beyond GAIN count as equal
.const GAIN           = 64
.const CLASSES        = 2*GAIN/8
.const NO_CLASS       = $FF             // no quiet move
.label ClassNext      = NodeKey         // moves of a class; then where its next one goes

// By stage, in the order of the numbers above
StageLo: .byte <FromTable, <Generate, <FromCaptures, <FromKiller1, <FromKiller2, <ListThem, <FromQuiets, <FromLosing, <FromAll, <FromFound
StageHi: .byte >FromTable, >Generate, >FromCaptures, >FromKiller1, >FromKiller2, >ListThem, >FromQuiets, >FromLosing, >FromAll, >FromFound
        .errorif StageHi-StageLo != STAGE_FOUND+1 || *-StageHi != STAGE_FOUND+1, "an entry for each stage"

// NextMove - the next legal move to search
//
// In:       zpPly, NodeStage
// Out:      C = 0: zpFrom, zpTo, NodeMoveFrom/To, A = zpFrom; C = 1 there is none
// Clobbers: A, X, Y
// Cycles:   948 the first capture looked for
NextMove: {
        ldx zpPly
        ldy NodeStage,x
        lda StageLo,y
        sta go
        lda StageHi,y
        sta go+1
        jmp go:$FFFF            // patched: one of the routines below, X = ply
}

// Found - zpFrom, zpTo are the next move
Found: {
        ldx zpPly
        lda zpTo
        sta NodeMoveTo,x
        lda zpFrom
        sta NodeMoveFrom,x
        ldy SearchSkill
        bne weak
fine:   clc
        rts
weak:   cpx #0                  // at the root it sees all moves
        beq fine
        eor FullmoveNumber      // it overlooks some answers, the same ones
        asl                     // throughout the search, as people do
        adc zpFrom
        eor zpTo
        asl
        adc zpTo
        adc FullmoveNumber
        and #%0000_1111
        cmp missed,y
        bcs fine
        inc NodeCounted,x       // no stalemate
        jmp NextMove
missed: .byte 0, 1, 2, 3, 4, 5, 6, 8     // of 16 answers overlooked, by SearchSkill
}

// --- The stages: X = ply ---
FromTable: {
        inc NodeStage,x
        lda NodeTableFrom,x
        bmi Generate            // none
        sta zpFrom
        lda NodeTableTo,x
        sta zpTo
        jsr FitsBoard
        bcs not
        jsr IsLegal
        bcc Found
not:    ldx zpPly               // not a move of this position: later stages must not skip it
        lda #NO_SQUARE
        sta NodeTableFrom,x
}
Generate: {
        jsr GenerateCaptures    // C = 0: no king can be taken, the move before was legal
        jsr CopyGood
        ldx zpPly
        tya
        sta CaptureEnd,x
        CopyBucket(BUCKET_LOSES, full)
losing: ldx zpPly
        lda zpCaptureTop
        sta CaptureBegin,x
        sta CaptureNext,x
        tya
        sta CaptureLast,x
        sty zpCaptureTop
        lda #STAGE_CAPTURES
        sta NodeStage,x
        bne FromCaptures        // always
full:   dey
        bne losing              // always
}
FromCaptures: {
next:   ldy CaptureNext,x
        tya
        cmp CaptureEnd,x
        beq over
        inc CaptureNext,x
        lda CaptureTo,y
        and #ON_BOARD
        sta zpTo
        lda CaptureFrom,y
        sta zpFrom
        cmp NodeTableFrom,x
        bne try
        lda NodeTableTo,x
        cmp zpTo
        beq next
try:    jsr IsLegal
        bcc toFound
        ldx zpPly
        bne next                // always: the root lists its moves
toFound:
        jmp Found
over:   lda NodeFutile,x
        bne toNone
        lda #NO_SQUARE
        sta NodeKiller1,x
        sta NodeKiller2,x
        inc NodeStage,x
        bne FromKiller1         // always
toNone: sec
        rts
}
FromKiller1: {
        inc NodeStage,x
        lda Killer1From,x
        bmi FromKiller2
        sta zpFrom
        lda Killer1To,x
        sta zpTo
        jsr TryKiller
        bcs FromKiller2
        lda zpFrom              // searched: the quiet moves skip it
        sta NodeKiller1,x
        jmp Found
}
FromKiller2: {
        inc NodeStage,x
        lda Killer2From,x
        bmi ListThem
        sta zpFrom
        lda Killer2To,x
        sta zpTo
        jsr TryKiller
        bcs ListThem
        lda zpFrom
        sta NodeKiller2,x
        jmp Found
}

// TryKiller - C = 0: the move fits, is legal and not the table's. X = ply
TryKiller: {
        lda zpFrom
        cmp NodeTableFrom,x
        bne other
        lda zpTo
        cmp NodeTableTo,x
        beq no
other:  jsr FitsQuietly
        bcs no
        jsr IsLegal
        ldx zpPly
        rts
no:     ldx zpPly
        sec
        rts
}
ListThem: {
        jsr ListQuiets
        ldx zpPly
        lda #STAGE_QUIETS
        sta NodeStage,x
}
FromQuiets: {
next:   ldy NodeIndex,x
        tya
        cmp NodeTotal,x
        beq over
        inc NodeIndex,x
        jsr AimNode
        lda (zpMovesTo),y
        sta zpTo
        lda (zpMovesFrom),y
        sta zpFrom
        cmp NodeTableFrom,x     // skip what was searched already
        bne first
        lda NodeTableTo,x
        cmp zpTo
        beq next
        lda zpFrom
first:  cmp NodeKiller1,x
        bne second
        lda Killer1To,x
        cmp zpTo
        beq next
        lda zpFrom
second: cmp NodeKiller2,x
        bne take
        lda Killer2To,x
        cmp zpTo
        beq next
take:   jmp Found
over:   lda CaptureEnd,x
        sta CaptureNext,x
        inc NodeStage,x
}
FromLosing: {
next:   ldy CaptureNext,x
        tya
        cmp CaptureLast,x
        beq none
        inc CaptureNext,x
        lda CaptureTo,y
        sta zpTo
        lda CaptureFrom,y
        sta zpFrom
        cmp NodeTableFrom,x
        bne try
        lda NodeTableTo,x
        cmp zpTo
        beq next
try:    jsr IsLegal
        bcc take
        ldx zpPly
        bne next                // always
take:   jmp Found
none:   sec
        rts
}
FromFound: {                    // the table's move, if it is in the list
        lda #STAGE_ALL
        sta NodeStage,x
        lda NodeTableFrom,x
        bmi FromAll
        jsr AimNode
        ldy NodeTotal,x
look:   dey
        bmi far
        lda (zpMovesFrom),y
        cmp NodeTableFrom,x
        bne look
        lda (zpMovesTo),y
        cmp NodeTableTo,x
        bne look
        sta zpTo
        lda NodeTableFrom,x
        sta zpFrom
        jmp Found
far:    lda #NO_SQUARE
        sta NodeTableFrom,x
}
FromAll: {
next:   ldy NodeIndex,x
        tya
        cmp NodeTotal,x
        beq none
        inc NodeIndex,x
        jsr AimNode
        lda (zpMovesTo),y
        sta zpTo
        lda (zpMovesFrom),y
        sta zpFrom
        cmp NodeTableFrom,x
        bne take
        lda NodeTableTo,x
        cmp zpTo
        beq next
take:   jmp Found
none:   sec
        rts
}

// LeaveLists - free a node's captures. X = ply
LeaveLists: {
        lda NodeStage,x
        cmp #STAGE_CAPTURES
        bcc none
        cmp #STAGE_ALL
        bcs none
        lda CaptureBegin,x
        sta zpCaptureTop
none:   rts
}

// AimNode - point at a node's list
//
// In:       X = ply
// Out:      zpMovesFrom, zpMovesTo
// Clobbers: A          Keeps: X, Y
// Cycles:   32
AimNode: {
        lda NodeBaseLo,x
        sta zpMovesFrom
        sta zpMovesTo
        lda NodeBaseHi,x
        clc
        adc #>NodeFrom
        sta zpMovesFrom+1
        adc #>(NodeTo-NodeFrom)
        sta zpMovesTo+1
        rts
        .errorif (<NodeFrom) != 0 || (<NodeTo) != 0, "page alignment"
}

// AimRoom - the same, and zpMoveTotal = places left for this node, 255 at most
AimRoom: {
        jsr AimNode
        sec
        lda #<QUIETS
        sbc NodeBaseLo,x
        tay
        lda #>QUIETS
        sbc NodeBaseHi,x
        beq little
        ldy #$FF
little: sty zpMoveTotal
        ldy #0
        rts
}

// NextBase - the next node's list begins after this one; the list is searched from its beginning
//
// In:       Y = moves of this node's list
NextBase: {
        ldx zpPly
        tya
        sta NodeTotal,x
        clc
        adc NodeBaseLo,x
        sta NodeBaseLo+1,x
        lda NodeBaseHi,x
        adc #0
        sta NodeBaseHi+1,x
        lda #0
        sta NodeIndex,x
        rts
}

// ListQuiets - all legal moves that GenerateCaptures leaves out, those that improve placement most first
//
// The moves are counted into classes and then listed class by class.
//
// In:       zpPly, its NodeBase
// Out:      NodeTotal, NodeIndex = 0, the list, NodeBase of the next ply
// Clobbers: A, X, Y, zpPtrA
// Cycles:   6,349 at the start, 12,093 on Kiwipete
ListQuiets: {
        ldx zpSide
        jsr GenerateLegalMovesSynced
        ldx zpPly
        jsr AimRoom             // Y = 0
        sty zpCount             // counted so far
        tya
        ldx #CLASSES-1
clear:  sta ClassNext,x
        dex
        bpl clear
        inx
next:   cpx MoveCount
        beq counted
        stx zpMoveIndex
        ldy MoveListTo,x
        bmi promotes            // a knight
        sty zpTo
        lda Work,y
        bne other
        ldy MoveListFrom,x
        sty zpFrom
        ldx Work,y              // X = the piece that moves
        txa
        and #TYPE_BITS
        bne quiet
        lda zpTo                // a pawn: not en passant, not a queen
        cmp #RANK_7
        bcc other
        cmp #RANK_1
        bcs other
        eor zpFrom
        and #FILE_BITS
        beq quiet
other:  ldx zpMoveIndex
        lda #NO_CLASS
        bmi mark                // always
quiet:  lda TableHalf-CODE_BITS,x
        sta zpPtrA
        lda PlacePage-CODE_BITS,x
        sta zpPtrA+1
        lda zpSide
        bmi white
        ldy zpTo                // Black's values are upside down: from less to
white:  lda (zpPtrA),y
        sta zpTemp
        tya
        eor zpFrom
        eor zpTo
        tay
        lda (zpPtrA),y
        sec
        sbc zpTemp              // what the piece gains
        bcs up
        adc #GAIN
        bcs class
promotes:
        lda #0
        beq count               // always: the last class
up:     cmp #GAIN
        bcc little
        lda #GAIN-1
        clc
little: adc #GAIN
class:  lsr
        lsr
        lsr
count:  ldy zpCount
        cpy zpMoveTotal
        bcs full
        inc zpCount
        tax
        inc ClassNext,x
        ldx zpMoveIndex
mark:   sta MoveKey,x
        inx
        bne next                // always
full:   ldx zpMoveIndex         // the others are left out
counted:
        stx zpMoveIndex
        ldx #CLASSES-1
        lda #0
        sta zpTemp
begin:  ldy ClassNext,x         // the best class comes first
        lda zpTemp
        sta ClassNext,x
        tya
        clc
        adc zpTemp
        sta zpTemp
        dex
        bpl begin
        inx
list:   cpx zpMoveIndex         // C = 0 in the loop
        beq done
        ldy MoveKey,x
        bmi listed
        lda ClassNext,y
        sta zpHit
        adc #1
        sta ClassNext,y
        ldy zpHit
        lda MoveListFrom,x
        sta (zpMovesFrom),y
        lda MoveListTo,x
        sta (zpMovesTo),y
listed: inx
        bne list                // always
done:   ldy zpCount
        jmp NextBase
}

// ListAllMoves - the generated moves: captures and queen promotions by key, then the others
//
// In:       the move list, zpPly, its NodeBase
// Out:      NodeTotal, NodeIndex = 0, the list, NodeBase of the next ply
// Clobbers: A, X, Y
// Cycles:   2,498 at the start, 6,098 on Kiwipete
ListAllMoves: {
        ldx zpPly
        jsr AimRoom
        sty zpCount             // listed so far
        ldx #0
next:   cpx MoveCount
        beq others
        stx zpMoveIndex
        lda MoveListTo,x
        bmi quiet               // a knight's promotion
        ldy MoveListFrom,x
        sty zpFrom
        tay
        lda Work,y
        beq noVictim
        pha
        ldy zpFrom
        lda Work,y
        and #TYPE_BITS
        tay
        bne piece
        lda MoveListTo,x        // a pawn that takes and becomes a queen
        and #ROW_BITS
        beq queensTaking
        cmp #RANK_1
        beq queensTaking
piece:  pla
        sty zpTemp
        tay
        lda SortValue-CODE_BITS,y
        ldy zpTemp              // the cheapest taker first
        sec
        sbc takerCost,y
        jmp insert
queensTaking:
        pla
        jmp queens
noVictim:
        ldy zpFrom              // a pawn that reaches the last row or changes file?
        lda Work,y
        and #TYPE_BITS
        bne quiet
        lda MoveListTo,x
        and #ROW_BITS
        beq queens              // RANK_8
        cmp #RANK_1
        beq queens
        lda MoveListTo,x
        eor zpFrom
        and #FILE_BITS
        beq quiet
        lda #8                  // en passant: a pawn taken by a pawn
        bne insert              // always
queens: lda #100
        bne insert              // always
quiet:  lda #0
        sta MoveKey,x
        inx
        bne next
others: ldy zpCount
        ldx #0
other:  cpx MoveCount
        beq done
        lda MoveKey,x
        bne listed
        cpy zpMoveTotal
        bcs done
        lda MoveListFrom,x
        sta (zpMovesFrom),y
        lda MoveListTo,x
        sta (zpMovesTo),y
        iny
listed: inx
        bne other
done:   jmp NextBase

insert: sta zpBestKey           // sorted by key, highest first
        sta MoveKey,x
        ldy zpCount
        cpy zpMoveTotal
        bcs dropped
        tya
slide:  beq place               // Z from Y
        dey
        lda NodeKey,y
        cmp zpBestKey
        bcs after
        iny
        sta NodeKey,y
        dey
        lda (zpMovesFrom),y
        iny
        sta (zpMovesFrom),y
        dey
        lda (zpMovesTo),y
        iny
        sta (zpMovesTo),y
        dey
        jmp slide
after:  iny
place:  lda zpBestKey
        sta NodeKey,y
        lda MoveListFrom,x
        sta (zpMovesFrom),y
        lda MoveListTo,x
        sta (zpMovesTo),y
        inc zpCount
dropped:
        inx
        jmp next
takerCost:
        .byte 0, 3, 4, 6, 2, 0, 0, 7    // by type: pawn, bishop, rook, queen, knight, king
}
