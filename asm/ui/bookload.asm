// bookload.asm - a file of the book on disk
//
// Provides: BookLoad
// Uses:     disk.asm (LeaveKernal), bookfile.asm (BookOverlay), bookname.asm (BookLimit)
#importonce

// BookLoad - load the file and run what it brings; without it the disk is not asked again
//
// In:       the KERNAL, the file's name
// Out:      as BookMove
// Clobbers: A, X, Y, MoveCount and list, private position, zero page of the KERNAL
BookLoad: {
        lda #1
        ldx #DEVICE
        tay                             // to the address that the file has
        jsr K_SETLFS
        lda #0
        jsr K_LOAD
        bcs failed
        jsr LeaveKernal
        jmp BookOverlay
failed: jsr LeaveKernal
        lsr BookLimit
        clc
        rts
}
