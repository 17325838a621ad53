// names.asm - the KERNAL's variables where programs expect them, the chips, and codes of characters
//
// Provides: names and constants; no bytes
#importonce

// Moves on to an address. What lies between stops the CPU, and its caller is told which routine there is none of.
.const ABSENT = $F2
.macro To(address) {
        .errorif * > address, "the code before $" + toHexString(address) + " reaches to $" + toHexString(*)
        .fill address - *, ABSENT
}

.macro Absent(address) {
        :To(address)
        .byte ABSENT
}

// Zero page
.label Status = $90             // ST: $40 end of file, $80 no device, $02 time-out
.label StopKey = $91            // column 7 of the keyboard: $7F while STOP is held
.label Verify = $93
.label OpenFiles = $98          // entries in the file tables
.label InputDevice = $99
.label OutputDevice = $9A
.label MessageFlags = $9D       // bit 7: messages of LOAD are printed
.label Clock = $A0              // 24 bits, the highest byte first
.label EndLo = $AE              // the end of LOAD and SAVE
.label EndHi = $AF
.label NameLength = $B7
.label LogicalFile = $B8
.label SecondAddress = $B9
.label Device = $BA
.label NameLo = $BB
.label NameHi = $BC
.label StartLo = $C1            // the start of SAVE
.label StartHi = $C2
.label LoadLo = $C3             // where LOAD puts a file with secondary address 0
.label LoadHi = $C4
.label LastKey = $C5
.label KeyCount = $C6           // characters in the keyboard buffer
.label Reverse = $C7
.label InputEnd = $C8           // column after the last character of a line that is read
.label InputRow = $C9
.label InputColumn = $CA
.label CurrentKey = $CB
.label CursorOff = $CC          // 0: the cursor blinks
.label BlinkCount = $CD
.label UnderCursor = $CE
.label CursorShown = $CF
.label ReadingLine = $D0        // not 0: CHRIN is handing out a line
.label LineLo = $D1             // the first cell of the logical line
.label LineHi = $D2
.label Column = $D3             // in the logical line: 0-39 or 0-79
.label QuoteMode = $D4
.label LineEnd = $D5            // 39 or 79
.label Row = $D6
.label PrintChar = $D7
.label InsertCount = $D8        // cells opened by INST and not yet filled
.label RowLinks = $D9           // 25 bytes; bit 7 clear: the row continues the one above
.label ColourLo = $F3           // the colour of the first cell
.label ColourHi = $F4
.label KeyTableLo = $F5
.label KeyTableHi = $F6
.label zpFromLo = $AC           // for moving rows
.label zpFromHi = $AD
.label zpToLo = $A5
.label zpToHi = $A6
.label zpColourFromLo = $A7
.label zpColourFromHi = $A8
.label zpColourToLo = $A9
.label zpColourToHi = $AA
.label zpScratch = $AB
.label zpPromptLo = $FB         // the prompt, between lines only
.label zpPromptHi = $FC

// Pages 2 and 3
.label LineBuffer = $0200       // 89 bytes, for the prompt
.label FileNumbers = $0259      // three tables of 10
.label FileDevices = $0263
.label FileSeconds = $026D
.label KeyBuffer = $0277
.label MemoryBottom = $0281
.label MemoryTop = $0283
.label SerialTimeout = $0285
.label Colour = $0286
.label ColourUnderCursor = $0287
.label ScreenPage = $0288
.label KeyBufferSize = $0289
.label RepeatMode = $028A       // bit 7: all keys, bit 6: none, else cursor keys, DEL and space
.label RepeatCount = $028B
.label RepeatDelay = $028C
.label Shifts = $028D           // 1 SHIFT, 2 C=, 4 CTRL
.label LastShifts = $028E
.label VECTOR_KEYS = $028F
.label CaseLock = $0291         // bit 7: SHIFT and C= do not switch the character set
.label PalFlag = $02A6          // 1 on PAL, 0 on NTSC
.label VECTOR_IRQ = $0314
.label VECTOR_BRK = $0316
.label VECTOR_NMI = $0318
.label VECTOR_OPEN = $031A
.label VECTOR_CLOSE = $031C
.label VECTOR_CHKIN = $031E
.label VECTOR_CHKOUT = $0320
.label VECTOR_CLRCHN = $0322
.label VECTOR_CHRIN = $0324
.label VECTOR_CHROUT = $0326
.label VECTOR_STOP = $0328
.label VECTOR_GETIN = $032A
.label VECTOR_CLALL = $032C
.label VECTOR_LOAD = $0330
.label VECTOR_SAVE = $0332
.const VECTORS = 32             // bytes

// Chips
.label VIC = $D000
.label VIC_MEMORY = $D018
.label SID_VOLUME = $D418
.label CIA1_A = $DC00
.label CIA1_B = $DC01
.label CIA1_ICR = $DC0D
.label CIA2_ICR = $DD0D

// Cycles of a second, and of a sixtieth
.const CLOCK_PAL = 985248
.const CLOCK_NTSC = 1022727
.const JIFFY = floor(CLOCK_PAL / 60)
.const JIFFY_NTSC = floor(CLOCK_NTSC / 60)

.const ROWS = 25
.const COLUMNS = 40
.const MAX_FILES = 10
.const SPACE = $20
.const QUOTE = $22
.const RETURN = $0D
.const NO_KEY = 64

// Errors that calls return with carry set; the host has more (tools/machine/c64/src/drive.rs)
.const TOO_MANY_FILES = 1
.const FILE_OPEN = 2
.const FILE_NOT_OPEN = 3
.const DEVICE_NOT_PRESENT = 5
.const NOT_OUTPUT_FILE = 7
.const NAME_MISSING = 8

// Asks the machine's host: an opcode that stops the CPU, and the number of the service. The host answers in
// registers and memory and lets the CPU go on after the two bytes.
.macro HOST(service) {
        .byte $02, service
}
.const HOST_LOAD = 0
.const HOST_SAVE = 1
.const HOST_OPEN = 2
.const HOST_CLOSE = 3
.const HOST_READ = 4
.const HOST_WRITE = 5
.const HOST_BUS_COMMAND = 6
.const HOST_BUS_WRITE = 7
.const HOST_BUS_READ = 8
