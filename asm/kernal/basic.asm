// basic.asm - the BASIC ROM, $A000-$BFFF: map, nothing else
//
// Not a BASIC: the routines that programs in machine code call, at their documented addresses, and as much of the
// interpreter as a program needs to be started: SYS, POKE, PRINT, GOTO, RUN and the like, with numbers but no variables.
// Any other entry stops the CPU, and the tool names it.
// Assemble: tempo asm asm/kernal/basic.asm; `UPDATE=1 cargo test -p tempo-c64 --test rom` renews the copy that `emu` carries.
#import "names.asm"
#import "basic-names.asm"

* = $A000 "BASIC"
        .word $E394, $E37B      // cold and warm start
        .text "CBMBASIC"
#import "errors.asm"
#import "words.asm"
#import "statements.asm"
#import "expressions.asm"
#import "numbers.asm"
#import "number-text.asm"
        :To($C000)
