// parts.asm - the parts of the screen program between the arrays of the undo
//
// Uses:     main.asm (UNDO), record.asm (UNDO_LEVELS)
//
// MakeMove saves what it changes in arrays of a page each, one entry a level. The screen
// program begins again at level 0 after UNDO_LEVELS moves (see record.asm), so the rest of
// each page is free for routines that fit.
#importonce

.function PartAt(number) { .return UNDO + number*$100 + UNDO_LEVELS }

// PartEnds - a part must end before the next array
.macro PartEnds(number) {
        .errorif * > UNDO + (number+1)*$100, "part " + number + " of the screen program is " + (* - UNDO - (number+1)*$100) + " bytes too long"
}

* = PartAt(0) "Resigning, set-up"
#import "resign.asm"
#import "bookname.asm"
#import "setup.asm"                     // goes on in parts 1 and 2
#import "bestlines.asm"
* = PartAt(3) "Names"
#import "ending.asm"
#import "names.asm"                     // goes on in part 4
#import "controls.asm"
        PartEnds(4)
* = PartAt(5) "Positions as text, claims"
#import "fen.asm"
#import "claims.asm"
#import "hide.asm"
        PartEnds(5)
* = PartAt(6) "En passant, looking for mates"
#import "fenend.asm"
#import "solve.asm"
#import "reset.asm"
        PartEnds(6)
