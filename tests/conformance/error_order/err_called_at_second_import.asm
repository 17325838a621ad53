#import "fails_later.inc"
 nop
#define FAILS
#import "fails_later.inc"
