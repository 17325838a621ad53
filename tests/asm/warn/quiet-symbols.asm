// Symbols that differ in their last letter, and one that a comment shows how to define.
#define SPRITE
//#define DEBGU
#define DEBUG
#define PART_A
        * = $1000
#if SPRITES
        nop
#endif
#if PART_AB
        nop
#endif
#if DEBGU
        nop
#endif
        rts
