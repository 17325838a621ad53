#import lib.asm
