// hide.asm - the picture while the C64 thinks
//
// Provides: HideScreen, ShowAgain, ScreenOn
// Uses:     screen.asm (VIC_CONTROL1)
#importonce

// HideScreen - no picture while it thinks, if that is chosen: the search has all cycles
// ShowAgain - the picture
//
// Clobbers: A
HideScreen: {
        lda ScreenOn
        bne ShowAgain.done
        lda #%0000_1011
        bne ShowAgain.set               // always
}
ShowAgain: {
        lda #%0001_1011
set:    sta VIC_CONTROL1
done:   rts
}
ScreenOn: .byte 1                       // 0: none while the C64 thinks about its move
