#import "frames-of-imports-part.inc"
        nop
