// main.asm - imports and the map of memory, nothing else
//
//   $0801  BASIC line, then data, tables and code, in one piece
//   $C000  (not loaded) move lists of the search
//   $E000  (not loaded) history of positions
//
// The program runs with $01 = $35: RAM everywhere, I/O at $D000.
#import "constants.asm"
#import "zeropage.asm"

* = $0801 "BASIC line"
        BasicUpstart(Start)
* = $0810 "Entry"
#import "start.asm"

* = $0900 "Data"
#import "storage.asm"

.memblock "Tables"
#import "moves/tables.asm"
.memblock "Values and keys"
#import "ai/eval.asm"
#import "position/zobrist.asm"

.memblock "Make and unmake"
#import "position/make.asm"
#import "position/unmake.asm"
#import "position/public.asm"
.memblock "Rebuild"
#import "position/sync.asm"

.memblock "Generator"
#import "moves/rays.asm"
#import "moves/pins.asm"
#import "moves/evasions.asm"
#import "moves/king.asm"
#import "moves/enpassant.asm"
#import "ai/movegen.asm"
.memblock "Attacks"
#import "moves/attack.asm"

.memblock "Rules and search"
#import "moves/pseudo.asm"
#import "moves/perft.asm"
#import "rules/draws.asm"
#import "rules/history.asm"
#import "ai/search.asm"
#import "game.asm"

* = $C000 "Search" virtual
        SearchSpace()
* = $E000 "History" virtual
        HistorySpace()

// With -D DISK the program goes onto a disk image as well.
#if DISK
.disk [filename="chess.d64", name="TEMPO CHESS", id="64 2A"] {
    [name="CHESS", type="prg", segments="Default"]
}
#endif
