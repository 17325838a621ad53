#import "missing.asm"
