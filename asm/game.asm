// game.asm - setting up, and the state of a game
//
// Provides: NewGame, CheckGameState
// Uses:     ai/movegen.asm (GenerateLegalMoves), ai/tt.asm (ClearTable), moves/attack.asm (IsKingInCheck),
//           rules/draws.asm, rules/history.asm, storage.asm, constants.asm
#importonce

// NewGame - the start position, White to move, a history of one
//
// Out:      all public data; an empty transposition table
// Clobbers: A, X, Y, private position
// Cycles:   15,537
NewGame: {
        ldx #$7F
        lda #EMPTY_PIECE
clear:  sta Board88,x
        dex
        bpl clear
        ldx #7
pieces: lda firstRow,x
        sta Board88,x
        ora #WHITE_COLOR
        sta Board88+RANK_1,x
        lda #BLACK_PAWN
        sta Board88+RANK_7,x
        lda #WHITE_PAWN
        sta Board88+RANK_2,x
        dex
        bpl pieces
        lda #E1
        sta whitekingsq
        lda #E8
        sta blackkingsq
        lda #RIGHTS
        sta castlerights
        lda #NO_SQUARE
        sta enpassantsq
        lda #WHITE_COLOR
        sta SearchSide
        lda #0
        sta SearchDepth
        sta HalfmoveClock
        sta FullmoveNumber+1
        sta HistoryCount
        sta MoveCount
        lda #1
        sta FullmoveNumber
        jsr ClearTable
        jmp RecordPosition      // the start position counts
firstRow:
        .byte BLACK_ROOK, BLACK_KNIGHT, BLACK_BISHOP, BLACK_QUEEN
        .byte BLACK_KING, BLACK_BISHOP, BLACK_KNIGHT, BLACK_ROOK
}

// CheckGameState - what the side to move faces
//
// In:       the public position and history; SearchSide to move
// Out:      A = GAME_...: mate and stalemate before the draws, the draws
//           before check. The move list holds the legal moves
// Clobbers: A, X, Y, private position
// Cycles:   11,304 at the start, 12,914 on Kiwipete
CheckGameState: {
        ldx SearchSide
        jsr GenerateLegalMoves
        beq noMove              // A = MoveCount, Z with it
        jsr CheckFiftyMoveRule
        bcs fifty
        jsr CheckRepetition
        bcs repeated
        jsr CheckInsufficientMaterial
        bcs material
        ldx SearchSide
        jsr IsKingInCheck
        lda #GAME_NORMAL
        adc #0                  // C = 1: GAME_CHECK
        rts
noMove: ldx SearchSide
        jsr IsKingInCheck
        lda #GAME_STALEMATE
        sbc #0                  // C = 1: stays; C = 0: one less
        eor #%0001              // 3 becomes 2, mate; 2 becomes 3, stalemate
        rts
fifty:  lda #GAME_DRAW_50
        rts
repeated:
        lda #GAME_DRAW_REPEAT
        rts
material:
        lda #GAME_DRAW_MATERIAL
        rts
}
