// slots.asm - how the piece lists go on
//
// Provides: SlotAfter
// Uses:     zeropage.asm
#importonce

// SlotAfter - the slot a list continues with, by slot address; a full list
// overflows into zpOverflowSlot, a second king into his spare slot
.function SlotNext(slot) {
    .if (slot == zpWhitePawns + MAX_PAWNS || slot == zpBlackPawns + MAX_PAWNS) .return zpOverflowSlot
    .if (slot == zpWhiteKnights + MAX_MINORS || slot == zpBlackKnights + MAX_MINORS) .return zpOverflowSlot
    .if (slot == zpWhiteBishops + MAX_MINORS || slot == zpBlackBishops + MAX_MINORS) .return zpOverflowSlot
    .if (slot == zpWhiteRooks + MAX_MINORS || slot == zpBlackRooks + MAX_MINORS) .return zpOverflowSlot
    .if (slot == zpWhiteQueens + MAX_QUEENS || slot == zpBlackQueens + MAX_QUEENS) .return zpOverflowSlot
    .if (slot == zpSpareWhite || slot == zpSpareBlack) .return slot
    .return slot < zpDummySlot ? slot + 1 : zpOverflowSlot
}
SlotAfter:  .fill $84, SlotNext(i)
        .errorif (>SlotAfter) != (>(SlotAfter+$83)), "SlotAfter must stay in its page"
