// workspace.asm - RAM that is not loaded: main.asm places it in virtual blocks
//
// Provides: macros that reserve it: SearchSpace, HistorySpace
// Uses:     constants.asm
//
// Labels go to the root scope (@), so that only main.asm decides on places.
#importonce

.const PACKED_SIZE  = 34                // 32 bytes of board, state, side
.const MAX_NODE     = 16                // plies the search can look ahead
.const NODE_MOVES   = $500              // moves of all nodes on the path

.macro SearchSpace() {
@NodeFrom:      .fill NODE_MOVES, 0     // move lists of the path, one behind the other
@NodeTo:        .fill NODE_MOVES, 0
@NodeKey:       .fill NODE_MOVES, 0     // sort keys
@NodeBaseLo:    .fill MAX_NODE, 0       // where a node's list begins
@NodeBaseHi:    .fill MAX_NODE, 0
@NodeIndex:     .fill MAX_NODE, 0       // the move being searched
@NodeTotal:     .fill MAX_NODE, 0
@NodeDepth:     .fill MAX_NODE, 0       // plies left
@NodeAlphaLo:   .fill MAX_NODE+1, 0
@NodeAlphaHi:   .fill MAX_NODE+1, 0
@NodeBetaLo:    .fill MAX_NODE+1, 0
@NodeBetaHi:    .fill MAX_NODE+1, 0
}

.macro HistorySpace() {
@PackedHistory: .fill MAX_HISTORY*PACKED_SIZE, 0
@SavedZeroPage: .fill $100, 0
}
