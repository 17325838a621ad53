// start.asm - the entry from BASIC
//
// Provides: Start, Prepare
// Uses:     ai/reu.asm, game.asm, position/zobrist.asm, storage.asm, ui/play.asm
//
// SYS comes with BASIC at $A000-$BFFF, where the image goes on below the ROM:
// this file must be under $A000.
#importonce

// Start - SYS comes here and does not return
//
// Takes the machine: no ROM, own interrupts, zero page and stack.
Start: {
        sei
        cld
        ldx #$FF
        txs
        lda #ALL_RAM_IO
        sta CPU_PORT
        inc BookOn
        jsr FindExpansion       // before the screen covers it
        jsr Prepare
        jmp Play
}
        .errorif Start >= $A000, "BASIC cannot call code below its ROM"

// Prepare - keys, and a game that can be played
//
// Out:      A = StartState = state of the game, GAME_NORMAL
// Clobbers: A, X, Y
// Cycles:   80,641
Prepare: {
        jsr InitZobristTables
        jsr NewGame
        jsr CheckGameState
        sta StartState
        rts
}
