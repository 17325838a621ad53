// Labels that only this program could use.
*=$1000
start:  ldx #3                  // other programs may start here
routine: {
loop:   dex
        bne loop
inner:  rts                     // warning: W0301
seen:   rts
}
more:   jmp routine.seen
{
debugging: rts                  // used if DEBUG is defined
}
#if DEBUG
        jsr debugging
#endif
!back:  dex                     // warning: W0301
!:      bne !-
.macro Called() {
here:   lda code:#0             // warning: W0301
        sta here
}
.macro NotCalled() {
label:  rts
}
        Called()
        Called()
        rts
