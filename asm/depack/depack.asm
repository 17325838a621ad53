// depack.asm - a packed program that unpacks itself when it is RUN
//
// Provides: the code before the packed data: the line that starts it, the mover, the unpacker
// Uses:     settings.asm (made by `tempo pack`: LOAD and ENTRY of the program, ShortBits and LongBits of the
//           ranges, STREAM_END), packed.bin (the stream as tools/base/packers/src/own.rs describes it)
//
// The program will be where the packed data is loaded: the mover takes the data to the top of memory, the unpacker to
// the tape buffer and its tables to $02A7, where nothing of the program goes. All of memory is RAM meanwhile.
#import "settings.asm"

.const ALL_RAM = $34
.const ROMS    = $37
.label CPU_PORT = $01
.label bits    = $F7                    // of the serial port over RS-232: free for programs
.label count   = $F8
.label high    = $F9
.label range   = $FA
.label dst     = $FB
.label from    = $FD
.label NMI     = $FFFA
.var Packed = LoadBinary("packed.bin")
.const BEGIN   = STREAM_END - Packed.getSize()  // where the stream is when it is unpacked
.const PAGES   = ceil(Packed.getSize() / 256)

// Starts - the first distance of each range
.function Starts(widths) {
    .var starts = List().add(1)
    .for (var i = 0; i < 3; i++) .eval starts.add(starts.get(i) + pow(2, widths.get(i)))
    .return starts
}
.const Widths = List().addAll(ShortBits).addAll(LongBits)
.const Firsts = List().addAll(Starts(ShortBits)).addAll(Starts(LongBits))

// Bit - the next bit of the stream
//
// Out:      C
// Clobbers: A at times
.macro Bit() {
        asl bits
        bne some
        jsr Refill
some:
}

* = $0801 "BASIC line"
        BasicUpstart(Move)
* = $080D "Mover"

// Move - the stream to the top of memory, the unpacker and its tables to low places
//
// The stream goes from its last page to its first, because the two places may overlap.
Move: {
        sei
        lda #ALL_RAM
        sta CPU_PORT
        ldx #UnpackerEnd-Unpacker
copy:   lda UnpackerSource-1,x
        sta Unpacker-1,x
        dex
        bne copy
        ldx #TablesEnd-Bits
tables: lda TablesSource-1,x
        sta Bits-1,x
        dex
        bne tables
        lda #<Unpacker.restore          // the RESTORE key does nothing
        sta NMI
        lda #>Unpacker.restore
        sta NMI+1
        lda #$80                        // no bits yet
        sta bits
        lda #<LOAD
        sta dst
        lda #>LOAD
        sta dst+1
        ldx #PAGES
        ldy #0
page:   dey
source: lda Stream + Packed.getSize() - 256,y
target: sta STREAM_END - 256,y
        tya
        bne page
        dec source+2
        dec target+2
        dex
        bne page
        jmp Unpacker
}

UnpackerSource:
.pseudopc $0334 {
// Unpacker - the program from the stream
Unpacker: {
flag:   Bit()
        bcs match
        jsr Number
literal:
        jsr Byte
        sta (dst),y                     // Y = 0 at first
        iny
        cpy count
        bne literal
        jsr Advance
        iny
        beq flag                        // 255 of them: anything may follow
match:  jsr Number
        bcs end
        lda count                       // C = 1 for three bytes and more: their own ranges
        cmp #2
        tya
        rol
        sta range
        Bit()
        rol range
        Bit()
        rol range
        ldx range
        sty high
        ldy Bits,x
        beq whole
bit:    Bit()
        rol high
        dey
        bne bit
whole:  lda high
        ldy IsWide,x
        beq near
        jsr Byte
        ldy high
near:   clc                             // A = low byte, Y = high byte of the distance in its range
        adc FirstLo,x
        sta from
        tya
        adc FirstHi,x
        sta from+1
        sec
        lda dst
        sbc from
        sta from
        lda dst+1
        sbc from+1
        sta from+1
        ldy #0
again:  lda (from),y
        sta (dst),y
        cpy count                       // one byte more than the number says
        iny
        bcc again
        jsr Advance
        jmp flag
end:    lda #ROMS
        sta CPU_PORT
        cli
        jmp ENTRY
restore: rti
}

// Advance - Y bytes were written
//
// Keeps:    Y
Advance: {
        tya
        clc
        adc dst
        sta dst
        bcc done
        inc dst+1
done:   rts
}

// Number - from the stream
//
// Out:      C = 0: count; C = 1: the end. Y = 0
Number: {
        ldy #0
        lda #1
        sta count
next:   Bit()
        bcc done
        Bit()
        rol count
        bcc next
done:   rts
}

// Refill - eight more bits, and the first of them
//
// In:       C = 1, which marks the end of them
// Out:      C
Refill: {
        jsr Byte
        rol
        sta bits
        rts
}

// Byte - the next of the stream
//
// Out:      A
// Keeps:    C, X, Y
Byte: {
        lda next: BEGIN
        inc next
        bne done
        inc next+1
done:   rts
}

UnpackerEnd:
        .errorif UnpackerEnd > $0400, "the unpacker is too long for the tape buffer"
        .errorif UnpackerEnd - Unpacker > 255, "the unpacker is too long for the copy loop"
}

// The tables are in memory that neither BASIC nor the KERNAL uses.
TablesSource:
.pseudopc $02A7 {
Bits:   .fill 8, Widths.get(i) >= 8 ? Widths.get(i) - 8 : Widths.get(i)
IsWide: .fill 8, Widths.get(i) >= 8 ? 1 : 0
FirstLo: .fill 8, <Firsts.get(i)
FirstHi: .fill 8, >Firsts.get(i)
TablesEnd:
        .errorif TablesEnd > $0300, "the tables are too long for their place"
}

Stream: .fill Packed.getSize(), Packed.uget(i)
        .errorif BEGIN - (PAGES*256 - Packed.getSize()) < Stream, "the moved stream would cover the mover"
