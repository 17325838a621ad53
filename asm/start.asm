// start.asm - the entry from BASIC
//
// Provides: Start
// Uses:     ai/book.asm, game.asm, position/zobrist.asm, storage.asm
//
// SYS comes with BASIC at $A000-$BFFF, where the image goes on below the ROM:
// this file must lie under $A000.
#importonce

// Start - SYS comes here
//
// Takes the machine as the chess program wants it (no ROM, no interrupts),
// sets up a game, asks for its state and gives everything back to BASIC.
//
// Out:      A = state of the game, GAME_NORMAL
// Cycles:   120,612
Start: {
        sei
        cld
        lda CPU_PORT
        pha
        lda #ALL_RAM_IO
        sta CPU_PORT
        ldx #2                  // BASIC wants its zero page back
save:   lda $00,x
        sta SavedZeroPage,x
        inx
        bne save
        jsr InstallBook
        jsr InitZobristTables
        jsr NewGame
        jsr CheckGameState
        sta StartState
        ldx #2
restore:
        lda SavedZeroPage,x
        sta $00,x
        inx
        bne restore
        pla
        sta CPU_PORT
        cli
        lda StartState
        rts
}
        .errorif Start >= $A000, "BASIC cannot call code below its ROM"
