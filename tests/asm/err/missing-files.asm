#import "absent.asm"            // error: Can't open file: absent.asm
