// main.asm - imports and the plan of memory, nothing else
//
// The program's home is $01 = $35: I/O chips at $D000-$DFFF, RAM everywhere else, also
// below the ROMs at $A000-$BFFF and $E000-$FFFF. RAM below the I/O chips is used on
// purpose: the VIC sees it in its bank $C000-$FFFF, so the character set is there;
// texts and the opening book are there too, read with $01 = $34. The image reaches up to
// there: whatever loads it has to write to RAM, as the depacker does. A RAM expansion has
// its registers among the I/O chips, at $DF00.
#import "constants.asm"
#import "zeropage.asm"

// --- The plan: where each part begins, and what it is; it ends where the next one begins -----
.struct Part { from, name }
.const Plan = List()
    .eval Plan.add(Part($0000, "zero page and stack"))
    .const LOW = $0200
    .eval Plan.add(Part(LOW, "sort keys; BASIC's before and after"))
    .const RECORD = $0400
    .eval Plan.add(Part(RECORD, "record of the moves; BASIC's before and after"))
    .const RULES = $0801
    .eval Plan.add(Part(RULES, "rules: data, tables, keys, make, rebuild, generator, attacks"))
    .const SEARCH = $6364
    .eval Plan.add(Part(SEARCH, "search and evaluation"))
    .const SCREEN_PROGRAM = $9807
    .eval Plan.add(Part(SCREEN_PROGRAM, "screen program"))
    .const NODES = $B800
    .eval Plan.add(Part(NODES, "move lists of the search"))
    .const SPRITES = $C000
    .eval Plan.add(Part(SPRITES, "sprites, and RAM of the screen program"))
    .const SCREEN_REST = $C280
    .eval Plan.add(Part(SCREEN_REST, "rest of the screen program"))
    .const SCREEN = $C400
    .eval Plan.add(Part(SCREEN, "screen"))
    .const UNDO = $C800
    .eval Plan.add(Part(UNDO, "undo of the public position; parts of the screen program between its arrays"))
    .const CHARSET = $D000
    .eval Plan.add(Part(CHARSET, "characters, texts and opening book below I/O"))
    .const TRANSPOSITIONS = $E000
    .eval Plan.add(Part(TRANSPOSITIONS, "transposition table"))
    .const PATH = $F500
    .eval Plan.add(Part(PATH, "the search's path"))
    .const HISTORY = $F800
    .eval Plan.add(Part(HISTORY, "history: hashes and changes"))
    .const VECTORS = $FFFA
    .eval Plan.add(Part(VECTORS, "NMI, reset and IRQ, for when the KERNAL is out"))
    .eval Plan.add(Part($10000, "the end"))

// Fits - a part that has code or data must end where the plan says, or before
.macro Fits(from, end) {
    .for (var i = 0; i < Plan.size()-1; i++) {
        .if (Plan.get(i).from == from) {
            .var size = Plan.get(i+1).from - from
        .errorif end - from > size, Plan.get(i).name + ": " + (end - from) + " bytes, " + size + " planned"
        }
    }
}
    .for (var i = 1; i < Plan.size(); i++) {
        .errorif Plan.get(i).from <= Plan.get(i-1).from, "the plan is not in order at " + Plan.get(i).name
    }

// --- Rules ---------------------------------------------------------------------------
* = RULES "BASIC line"
        BasicUpstart(Start)
* = $0810 "Entry"
#import "start.asm"
#import "moves/movelist.asm"
#import "moves/perft.asm"
.memblock "Data"
RulesData:
#import "storage.asm"
.memblock "Tables"
#import "moves/vectors.asm"
#import "rules/draws.asm"       // here, because it fits before the next page of tables
#import "moves/tables.asm"
.memblock "Values and keys"
#import "data/values.asm"
#import "position/slots.asm"
#import "position/keys.asm"
#import "ai/eval.asm"
#import "position/zobrist.asm"
.memblock "Make and unmake"
#import "position/make.asm"
#import "position/unmake.asm"
#import "position/check.asm"
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
.memblock "Rules"
#import "moves/pseudo.asm"
#import "rules/history.asm"
#import "game.asm"
RulesEnd:
        Fits(RULES, RulesEnd)

// --- Search --------------------------------------------------------------------------
* = SEARCH "Search"
#import "moves/captures.asm"
#import "ai/blend.asm"
#import "ai/terms.asm"
#import "ai/endgame.asm"
#import "ai/quiesce.asm"
#import "ai/fits.asm"
#import "ai/tt.asm"
#import "ai/clock.asm"
#import "ai/order.asm"
#import "ai/search.asm"
#import "ai/static.asm"
#import "ai/path.asm"
#import "moves/checks.asm"
#import "ai/mates.asm"
#import "ai/root.asm"
#import "data/book.asm"
#import "ai/book.asm"
#import "ai/clear.asm"
SearchEnd:
        Fits(SEARCH, SearchEnd)

// --- Screen ----------------------------------------------------------------------------
* = SCREEN_PROGRAM "Screen program"
.encoding "ascii"
#import "data/art.asm"
#import "ui/screen.asm"
#import "ui/board.asm"
#import "ui/input.asm"
#import "ui/sound.asm"
#import "ui/clock.asm"
#import "ui/levels.asm"
#import "ui/notation.asm"
#import "ui/record.asm"
#import "ui/panel.asm"
#import "ui/disk.asm"
#import "ui/pgnwrite.asm"
#import "ui/pgnread.asm"
#import "ui/play.asm"
#import "ui/offers.asm"
#import "ui/analyse.asm"
.encoding "screencode_mixed"
ScreenProgramEnd:
        Fits(SCREEN_PROGRAM, ScreenProgramEnd)
* = SPRITES + SPRITE_IMAGES*64 "Third byte of the moves" virtual
        InfoSpace()
InfoEnd:
        Fits(SPRITES, InfoEnd)
* = SCREEN_REST "Rest of the screen program"
.encoding "ascii"
#import "ui/ponder.asm"
.encoding "screencode_mixed"
ScreenRestEnd:
        Fits(SCREEN_REST, ScreenRestEnd)

// Code that runs once lies where the search will have its lists, and code that takes the place
// of what only a caller of the rules needs.
* = NODES "Start-up"
#import "ui/begin.asm"
.encoding "ascii"
#import "ui/late.asm"
.encoding "screencode_mixed"
BeginEnd:
        Fits(NODES, BeginEnd)

// --- The other transposition table is loaded where the screen will be ---------------------
* = SCREEN "RAM expansion"
#import "ai/reu.asm"
ExpansionEnd:
        Fits(SCREEN, ExpansionEnd)

// --- The screen program's moves need no more than the first entries of the undo's arrays ----
.encoding "ascii"
#import "ui/parts.asm"
.encoding "screencode_mixed"

// --- Below the I/O chips ---------------------------------------------------------------
* = CHARSET "Characters, texts, book"
        CharacterSet()
.encoding "ascii"
MenuTexts:
        MenuText()
HelpTexts:
        HelpText()
SetUpTexts:
        SetUpText()
ClockNames:
        ClockText()
        MateText()
        NameText()
.encoding "screencode_mixed"
BookBegin:
        .fill BookBytes.size(), BookBytes.get(i)
BelowEnd:
        Fits(CHARSET, BelowEnd)

// --- RAM that is not loaded ------------------------------------------------------------
* = LOW "Sort keys" virtual
        LowSpace()
LowEnd:
        Fits(LOW, LowEnd)
* = RECORD "Record of the moves" virtual
        RecordSpace()
RecordEnd:
        Fits(RECORD, RecordEnd)
* = NODES "Node lists" virtual
        NodeSpace()
NodesEnd:
        Fits(NODES, NodesEnd)
* = PATH "Path" virtual
        PathSpace()
PathEnd:
        Fits(PATH, PathEnd)
* = UNDO "Undo" virtual
        UndoSpace()
        StartSpace()
UndoEnd:
        Fits(UNDO, UndoEnd)
* = HISTORY "History" virtual
        HistorySpace()
        GameSpace()
HistorySpaceEnd:
        Fits(HISTORY, HistorySpaceEnd)
