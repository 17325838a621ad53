// names.asm - registers, bits and memory of the drive
#importonce

.label VIA1_PB    = $1800       // the serial bus
.label VIA1_DDRB  = $1802
.label VIA2_PB    = $1c00       // the mechanics
.label VIA2_PA    = $1c01       // the byte under the head
.label VIA2_DDRB  = $1c02
.label VIA2_DDRA  = $1c03
.label VIA2_T1LO  = $1c04
.label VIA2_T1HI  = $1c05
.label VIA2_PCR   = $1c0c
.label VIA2_IFR   = $1c0d

// Port B of VIA 1. The inputs are 1 while the line is low; ATN is bit 7.
.const DATA_OUT   = %00000010
.const CLOCK_IN   = %00000100
.const CLOCK_OUT  = %00001000
.const ATN_ANSWER = %00010000
.const BUS_OUTPUTS = DATA_OUT | CLOCK_OUT | ATN_ANSWER

// Port B of VIA 2. Bit 7 is 0 during a sync.
.const STEPPER    = %00000011
.const MOTOR      = %00000100
.const LAMP       = %00001000
.const NOTCH      = %00010000
.const DENSITY    = %01100000
.const DISK_OUTPUTS = STEPPER | MOTOR | LAMP | DENSITY

// CA2 high lets bytes through to SO, CB2 high reads and low writes.
.const READING    = %11101110
.const WRITING    = %11001110

.const HEADER_BLOCK = $08
.const DATA_BLOCK   = $07
.const GAP_BYTE     = $55

.label zpPointer  = $02         // 2: address of a command
.label zpCount    = $04
.label zpAnswer   = $05         // $80 while ATN_ANSWER is set
.label zpByte     = $06         // the byte on the bus
.label zpTrack    = $07         // under the head
.label zpWanted   = $08         // track and sector of a command
.label zpSector   = $09
.label zpTries    = $0a
.label zpIn       = $0b         // 2: of a group of five bytes
.label zpOut      = $0d         // 2: of its four
.label zpGroup    = $0f         // 5
.label zpFour     = $14         // 4
.label zpPairs    = $18         // 4: of the fast transfer
.label zpTemp     = $1c
.label zpPhase    = $1d         // of the fast transfer: ATN_ANSWER as it is

.label Block      = $02ff       // $07, 256 bytes, their checksum, two zeros
.label Sector     = $0300
.label Checksum   = $0400
.label Raw        = $0600       // 325 bytes as they are on the disk
.const RAW_BYTES  = 325
.const GROUPS     = RAW_BYTES / 5
