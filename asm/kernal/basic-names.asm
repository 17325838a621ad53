// basic-names.asm - BASIC's variables where programs expect them, its tokens, and the entries that both ROMs use
//
// Provides: names and constants; no bytes
#importonce

// Zero page
.label IntegerLo = $14          // an unsigned number: the argument of SYS, PEEK, POKE, GOTO
.label IntegerHi = $15
.label PointerLo = $22
.label PointerHi = $23
.label CompareLo = $24
.label CompareHi = $25
.label Product = $26            // five bytes, the highest first
.label ProgramStart = $2B
.label ProgramEnd = $2D
.label ArrayStart = $2F
.label ArrayEnd = $31
.label StringStart = $33
.label MemoryEnd = $37
.label LineNumber = $39
.label ValueType = $0D          // $FF: text, 0: number
.label MoveToLo = $58           // for MoveUp: ends of target and source (the byte after the last), start of the source
.label MoveToHi = $59
.label MoveEndLo = $5A
.label MoveEndHi = $5B
.label MoveFromLo = $5F
.label MoveFromHi = $60
.label ArgRest = $56            // what falls out of Arg's mantissa at the bottom
.label Trial = $57              // four bytes of a division
.label Decimals = $5D           // of a number in text: digits after the point; the power of ten
.label Power = $5E
.label PointSeen = $5F
.label PowerSign = $60
.label Fac = $61                // exponent, four bytes of mantissa, sign in bit 7
.label FacSign = $66
.label NumberSign = $67
.label Arg = $69
.label ArgSign = $6E
.label SignsDiffer = $6F        // bit 7
.label FacRest = $70            // the mantissa's fifth byte
.label OutIndex = $71
.label ChrGet = $73
.label ChrGot = $79
.label TextLo = $7A
.label TextHi = $7B

.label VECTOR_ERROR = $0300
.label VECTOR_MAIN = $0302
.label VECTOR_STATEMENT = $0308
.label RegisterA = $030C
.label RegisterX = $030D
.label RegisterY = $030E
.label RegisterP = $030F
.label NumberText = $0100

// Entries of the BASIC ROM
.label BASIC_ERROR = $A437
.label BASIC_ERROR_TEXT = $A43A
.label BASIC_READY = $A474
.label BASIC_MAIN = $A483
.label BASIC_CRUNCH = $A57C
.label BASIC_DETOKEN = $A71A
.label BASIC_STATEMENT = $A7E4
.label BASIC_NEXT = $A7AE
.label BASIC_EVAL = $AE86
.label BASIC_NEW = $A644
.label BASIC_PRINT_TEXT = $AB1E
.label BASIC_NUMBER = $AD8A
.label BASIC_ADDRESS = $B7F7
.label BASIC_ILLEGAL_QUANTITY = $B248

// Entries of BASIC in the KERNAL ROM
.label BASIC_SYS = $E12A
.label AFTER_SYS = $E147

.const TOKEN_END = $80
.const TOKEN_DATA = $83
.const TOKEN_GOTO = $89
.const TOKEN_RUN = $8A
.const TOKEN_REM = $8F
.const TOKEN_STOP = $90
.const TOKEN_POKE = $97
.const TOKEN_PRINT = $99
.const TOKEN_CLR = $9C
.const TOKEN_SYS = $9E
.const TOKEN_NEW = $A2
.const TOKEN_TAB = $A3
.const TOKEN_PLUS = $AA
.const TOKEN_MINUS = $AB
.const TOKEN_TIMES = $AC
.const TOKEN_DIVIDE = $AD
.const TOKEN_PEEK = $C2

// BASIC's errors by number
.const SYNTAX = 11
.const ILLEGAL_QUANTITY = 14
.const OVERFLOW = 15
.const OUT_OF_MEMORY = 16
.const UNDEFINED_STATEMENT = 17
.const DIVISION_BY_ZERO = 20
.const TYPE_MISMATCH = 22
