// A condition on a symbol that only looks like one that is defined.
#define DEBUG
#define HAS_SOUND
#define STAGE1
*=$1000
#if DEBG                        // warning: W0107
        nop
#endif
#if HAS_SOUDN && DEBUG          // warning: W0107
        nop
#endif
#if HASS_SOUND                  // warning: W0107
        nop
#endif
// These may be meant: a digit, a letter in the place of another, a last letter, a short name.
#if HAS_SOUNDS || STAGE2 || STAGE11 || HAS_ROUND || PAL
        nop
#endif
#if NTSC
        nop
#endif
        rts
