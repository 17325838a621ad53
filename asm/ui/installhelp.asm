// installhelp.asm - the page of help goes below the I/O chips
//
// Provides: InstallHelp
// Uses:     main.asm (HELP, HelpLoaded), constants.asm (ALL_RAM)
//
// This code is loaded where the screen will be, and runs once before there is one.
#importonce

// InstallHelp - copy the help to its home
//
// In:       interrupts off
// Clobbers: A, X
InstallHelp: {
        lda #ALL_RAM
        sta CPU_PORT
        ldx #0
copy:   lda HelpLoaded,x
        sta HELP,x
        inx
        bne copy
        lda #ALL_RAM_IO
        sta CPU_PORT
        rts
}
