// A sprite that follows the joystick in port 2.
#define DEBUG
#import "sprites.asm"

BasicUpstart2(start)

* = $1000 "Main"
start:      jsr sprites.setup
loop:       lda $dc00
            .for (var bit = 0; bit < 4; bit++) {
                lsr
                bcs skip
                Move(bit)
skip:
            }
#if DEBUG
            .break "if a == 0"
            inc $d020
#else
            nop
#endif
            jmp loop

.macro Move(direction) {
            .if (direction < 2) {
                .if (direction == 0) dec sprites.y; else inc sprites.y
            } else {
                .if (direction == 2) dec sprites.x; else inc sprites.x
            }
}
