//! The names of a C64's addresses: registers of its chips, entries and vectors of the KERNAL, and the memory that
//! programs use by name.

use crate::hardware::places;
pub use crate::hardware::{Chip, Field, Hardware, Part, Place};

/// The names.
pub static HARDWARE: Hardware = Hardware { places: PLACES, chips: &CHIPS, first_mirror: unmirrored };

/// The place an address belongs to, with the mirrors of the chips in the I/O area taken into account.
pub fn at(addr: u16) -> Option<&'static Place> {
    HARDWARE.at(addr)
}

/// The place that begins exactly there: no mirror, no byte inside of an area.
pub fn named(addr: u16) -> Option<&'static Place> {
    HARDWARE.named(addr)
}

/// The place of this name, in any case.
pub fn by_name(name: &str) -> Option<&'static Place> {
    HARDWARE.by_name(name)
}

/// All places, by address.
pub fn all() -> &'static [Place] {
    HARDWARE.places
}

/// The chips in the I/O area.
const CHIPS: [Chip; 4] = [
    Chip { name: "VIC", first: 0xd000, count: 0x2f },
    Chip { name: "SID", first: 0xd400, count: 0x1d },
    Chip { name: "CIA 1", first: 0xdc00, count: 0x10 },
    Chip { name: "CIA 2", first: 0xdd00, count: 0x10 },
];

/// Chips are not decoded in full: the VIC repeats every $40 bytes, the SID every $20, the CIAs every $10.
fn unmirrored(addr: u16) -> u16 {
    match addr {
        0xd000..=0xd3ff => 0xd000 | addr & 0x3f,
        0xd400..=0xd7ff => 0xd400 | addr & 0x1f,
        0xdc00..=0xdcff => 0xdc00 | addr & 0x0f,
        0xdd00..=0xddff => 0xdd00 | addr & 0x0f,
        _ => addr,
    }
}

static PLACES: &[Place] = places! {
    Cpu 0x0000 CPU_DDR "direction of the 6510's port" "a set bit is an output; usually $2F";
    Cpu 0x0001 CPU_PORT "memory map and cassette" "bits 0-2 LORAM, HIRAM, CHAREN; 3 cassette write, 4 sense, 5 motor; usually $37, $35 for RAM with I/O, $34 for RAM only";
    Memory 0x0014 + 2 LINNUM "integer that BASIC read last";
    Memory 0x002b + 2 TXTTAB "start of the BASIC program";
    Memory 0x002d + 2 VARTAB "end of the BASIC program";
    Memory 0x0090 STATUS "status of the last input or output" "bit 6 end of file, bit 7 device not present";
    Memory 0x0091 STKEY "STOP key" "$7F while it is pressed";
    Memory 0x009d MSGFLG "messages of the KERNAL" "bit 7 shows errors, bit 6 the others";
    Memory 0x00a0 + 3 JIFFIES "jiffy clock, high byte first" "counts sixtieths of a second";
    Memory 0x00ae + 2 EAL "end address of LOAD and SAVE";
    Memory 0x00b7 FNLEN "length of the file name";
    Memory 0x00b8 LA "logical file number";
    Memory 0x00b9 SA "secondary address";
    Memory 0x00ba FA "device number" "the drive that the last file came from";
    Memory 0x00bb + 2 FNADR "address of the file name";
    Memory 0x00c5 LSTX "key pressed at the last scan" "$40 for none";
    Memory 0x00c6 NDX "characters in the keyboard buffer";
    Memory 0x00c7 RVS "reverse mode of the screen";
    Memory 0x00cb SFDX "key pressed now" "$40 for none";
    Memory 0x00cc BLNSW "cursor blinks" "0 blinks";
    Memory 0x00d1 + 2 PNT "start of the cursor's screen line";
    Memory 0x00d3 PNTR "column of the cursor";
    Memory 0x00d6 TBLX "row of the cursor";
    Memory 0x00f3 + 2 USER "start of the cursor's line in colour RAM";
    Memory 0x00fb + 4 FREEZP "zero page that BASIC and KERNAL leave to programs";
    Memory 0x0277 + 10 KEYD "keyboard buffer";
    Memory 0x0286 COLOR "colour of the next character";
    Memory 0x0288 HIBASE "page of the screen for the KERNAL";
    Memory 0x0289 XMAX "size of the keyboard buffer";
    Memory 0x028a RPTFLG "repeating keys" "bit 7 all, bit 6 none";
    Memory 0x028d SHFLAG "shift keys" "bit 0 SHIFT, 1 Commodore, 2 CTRL";
    Memory 0x0291 MODE "whether SHIFT and Commodore switch the character set";
    Memory 0x02a6 PALNTS "television standard" "1 PAL, 0 NTSC";
    Vector 0x0300 + 2 IERROR "BASIC: error message";
    Vector 0x0302 + 2 IMAIN "BASIC: main loop";
    Vector 0x0304 + 2 ICRNCH "BASIC: text to tokens";
    Vector 0x0306 + 2 IQPLOP "BASIC: tokens to text";
    Vector 0x0308 + 2 IGONE "BASIC: run a statement";
    Vector 0x030a + 2 IEVAL "BASIC: read an operand";
    Memory 0x030c SAREG "A before and after SYS";
    Memory 0x030d SXREG "X before and after SYS";
    Memory 0x030e SYREG "Y before and after SYS";
    Memory 0x030f SPREG "flags before and after SYS";
    Vector 0x0314 + 2 CINV "IRQ, through the KERNAL" "the handler ends with jmp $EA31 or $EA81";
    Vector 0x0316 + 2 CBINV "BRK, through the KERNAL";
    Vector 0x0318 + 2 NMINV "NMI, through the KERNAL";
    Vector 0x031a + 2 IOPEN "OPEN";
    Vector 0x031c + 2 ICLOSE "CLOSE";
    Vector 0x031e + 2 ICHKIN "CHKIN";
    Vector 0x0320 + 2 ICKOUT "CHKOUT";
    Vector 0x0322 + 2 ICLRCH "CLRCHN";
    Vector 0x0324 + 2 IBASIN "CHRIN";
    Vector 0x0326 + 2 IBSOUT "CHROUT";
    Vector 0x0328 + 2 ISTOP "STOP";
    Vector 0x032a + 2 IGETIN "GETIN";
    Vector 0x032c + 2 ICLALL "CLALL";
    Vector 0x0330 + 2 ILOAD "LOAD";
    Vector 0x0332 + 2 ISAVE "SAVE";
    Memory 0x033c + 192 TBUFFR "cassette buffer";
    Memory 0x0400 + 1000 SCREEN "screen, 40 by 25 characters";
    Memory 0x07f8 + 8 SPRITE_POINTERS "sprite pointers of the usual screen" "a sprite's data begins at 64 times its pointer, in the VIC's bank";
    Vic 0xd000 SPRITE0_X "X position of sprite 0" "bit 8 is in $D010";
    Vic 0xd001 SPRITE0_Y "Y position of sprite 0";
    Vic 0xd002 SPRITE1_X "X position of sprite 1" "bit 8 is in $D010";
    Vic 0xd003 SPRITE1_Y "Y position of sprite 1";
    Vic 0xd004 SPRITE2_X "X position of sprite 2" "bit 8 is in $D010";
    Vic 0xd005 SPRITE2_Y "Y position of sprite 2";
    Vic 0xd006 SPRITE3_X "X position of sprite 3" "bit 8 is in $D010";
    Vic 0xd007 SPRITE3_Y "Y position of sprite 3";
    Vic 0xd008 SPRITE4_X "X position of sprite 4" "bit 8 is in $D010";
    Vic 0xd009 SPRITE4_Y "Y position of sprite 4";
    Vic 0xd00a SPRITE5_X "X position of sprite 5" "bit 8 is in $D010";
    Vic 0xd00b SPRITE5_Y "Y position of sprite 5";
    Vic 0xd00c SPRITE6_X "X position of sprite 6" "bit 8 is in $D010";
    Vic 0xd00d SPRITE6_Y "Y position of sprite 6";
    Vic 0xd00e SPRITE7_X "X position of sprite 7" "bit 8 is in $D010";
    Vic 0xd00f SPRITE7_Y "Y position of sprite 7";
    Vic 0xd010 SPRITES_X8 "bit 8 of the sprites' X positions" "bit n for sprite n";
    Vic 0xd011 VIC_CONTROL1 "control 1" "bits 0-2 vertical scroll, 3 25 rows, 4 display on, 5 bitmap, 6 extended colour, 7 bit 8 of the raster line";
    Vic 0xd012 VIC_RASTER "raster line" "read: bits 0-7 of the current line; write: the line of the raster interrupt; bit 8 is bit 7 of $D011";
    Vic 0xd013 VIC_LIGHT_PEN_X "light pen X, in steps of two pixels" "read only";
    Vic 0xd014 VIC_LIGHT_PEN_Y "light pen Y" "read only";
    Vic 0xd015 SPRITES_ON "sprites on" "bit n for sprite n";
    Vic 0xd016 VIC_CONTROL2 "control 2" "bits 0-2 horizontal scroll, 3 40 columns, 4 multicolour";
    Vic 0xd017 SPRITES_TALL "sprites of double height" "bit n for sprite n";
    Vic 0xd018 VIC_MEMORY "memory of the VIC" "bits 4-7 screen in steps of $400, 1-3 characters in steps of $800 (3: bitmap at $2000), within the bank";
    Vic 0xd019 VIC_IRQ "interrupts pending" "bit 0 raster, 1 sprite hits data, 2 sprites collide, 3 light pen, 7 any; write a 1 to acknowledge";
    Vic 0xd01a VIC_IRQ_MASK "interrupts enabled" "bits 0-3 as in $D019";
    Vic 0xd01b SPRITES_BEHIND "sprites behind the characters" "bit n for sprite n";
    Vic 0xd01c SPRITES_MULTI "multicolour sprites" "bit n for sprite n";
    Vic 0xd01d SPRITES_WIDE "sprites of double width" "bit n for sprite n";
    Vic 0xd01e SPRITES_HIT "sprites that touched sprites" "reading clears it";
    Vic 0xd01f SPRITES_HIT_DATA "sprites that touched characters or bitmap" "reading clears it";
    Vic 0xd020 BORDER "border colour" "bits 0-3";
    Vic 0xd021 BACKGROUND "background colour" "bits 0-3";
    Vic 0xd022 BACKGROUND1 "background colour 1: multicolour and extended" "bits 0-3";
    Vic 0xd023 BACKGROUND2 "background colour 2: multicolour and extended" "bits 0-3";
    Vic 0xd024 BACKGROUND3 "background colour 3: extended" "bits 0-3";
    Vic 0xd025 SPRITES_MULTI0 "shared sprite colour 0" "bits 0-3";
    Vic 0xd026 SPRITES_MULTI1 "shared sprite colour 1" "bits 0-3";
    Vic 0xd027 SPRITE0_COLOR "colour of sprite 0" "bits 0-3";
    Vic 0xd028 SPRITE1_COLOR "colour of sprite 1" "bits 0-3";
    Vic 0xd029 SPRITE2_COLOR "colour of sprite 2" "bits 0-3";
    Vic 0xd02a SPRITE3_COLOR "colour of sprite 3" "bits 0-3";
    Vic 0xd02b SPRITE4_COLOR "colour of sprite 4" "bits 0-3";
    Vic 0xd02c SPRITE5_COLOR "colour of sprite 5" "bits 0-3";
    Vic 0xd02d SPRITE6_COLOR "colour of sprite 6" "bits 0-3";
    Vic 0xd02e SPRITE7_COLOR "colour of sprite 7" "bits 0-3";
    Sid 0xd400 VOICE1_FREQ_LO "frequency of voice 1, low byte" "write only";
    Sid 0xd401 VOICE1_FREQ_HI "frequency of voice 1, high byte" "write only";
    Sid 0xd402 VOICE1_PULSE_LO "pulse width of voice 1, low byte" "write only";
    Sid 0xd403 VOICE1_PULSE_HI "pulse width of voice 1, high nibble" "write only";
    Sid 0xd404 VOICE1_CONTROL "control of voice 1" "write only; bit 0 gate, 1 sync, 2 ring, 3 test, 4 triangle, 5 sawtooth, 6 pulse, 7 noise";
    Sid 0xd405 VOICE1_AD "attack and decay of voice 1" "write only; high nibble attack";
    Sid 0xd406 VOICE1_SR "sustain and release of voice 1" "write only; high nibble sustain";
    Sid 0xd407 VOICE2_FREQ_LO "frequency of voice 2, low byte" "write only";
    Sid 0xd408 VOICE2_FREQ_HI "frequency of voice 2, high byte" "write only";
    Sid 0xd409 VOICE2_PULSE_LO "pulse width of voice 2, low byte" "write only";
    Sid 0xd40a VOICE2_PULSE_HI "pulse width of voice 2, high nibble" "write only";
    Sid 0xd40b VOICE2_CONTROL "control of voice 2" "write only; bit 0 gate, 1 sync, 2 ring, 3 test, 4 triangle, 5 sawtooth, 6 pulse, 7 noise";
    Sid 0xd40c VOICE2_AD "attack and decay of voice 2" "write only; high nibble attack";
    Sid 0xd40d VOICE2_SR "sustain and release of voice 2" "write only; high nibble sustain";
    Sid 0xd40e VOICE3_FREQ_LO "frequency of voice 3, low byte" "write only";
    Sid 0xd40f VOICE3_FREQ_HI "frequency of voice 3, high byte" "write only";
    Sid 0xd410 VOICE3_PULSE_LO "pulse width of voice 3, low byte" "write only";
    Sid 0xd411 VOICE3_PULSE_HI "pulse width of voice 3, high nibble" "write only";
    Sid 0xd412 VOICE3_CONTROL "control of voice 3" "write only; bit 0 gate, 1 sync, 2 ring, 3 test, 4 triangle, 5 sawtooth, 6 pulse, 7 noise";
    Sid 0xd413 VOICE3_AD "attack and decay of voice 3" "write only; high nibble attack";
    Sid 0xd414 VOICE3_SR "sustain and release of voice 3" "write only; high nibble sustain";
    Sid 0xd415 SID_CUTOFF_LO "filter cutoff, low three bits" "write only";
    Sid 0xd416 SID_CUTOFF_HI "filter cutoff, high byte" "write only";
    Sid 0xd417 SID_RESONANCE "resonance and filtered voices" "write only; bits 0-2 voices, 3 external, 4-7 resonance";
    Sid 0xd418 SID_VOLUME "volume and filter mode" "write only; bits 0-3 volume, 4 low pass, 5 band pass, 6 high pass, 7 voice 3 off";
    Sid 0xd419 SID_PADDLE_X "paddle X" "read only";
    Sid 0xd41a SID_PADDLE_Y "paddle Y" "read only";
    Sid 0xd41b SID_OSC3 "high byte of voice 3's wave" "read only; with noise, random numbers";
    Sid 0xd41c SID_ENV3 "envelope of voice 3" "read only";
    Memory 0xd800 + 1000 COLOR_RAM "colour RAM" "bits 0-3; the others read as chance";
    Cia1 0xdc00 CIA1_PORT_A "keyboard columns, joystick 2" "joystick: 0 up, 1 down, 2 left, 3 right, 4 fire; 0 means pressed";
    Cia1 0xdc01 CIA1_PORT_B "keyboard rows, joystick 1" "joystick: 0 up, 1 down, 2 left, 3 right, 4 fire; 0 means pressed";
    Cia1 0xdc02 CIA1_DDR_A "direction of port A" "a set bit is an output";
    Cia1 0xdc03 CIA1_DDR_B "direction of port B" "a set bit is an output";
    Cia1 0xdc04 CIA1_TIMER_A_LO "timer A, low byte" "read: the count; write: the latch";
    Cia1 0xdc05 CIA1_TIMER_A_HI "timer A, high byte" "read: the count; write: the latch, loaded if the timer is stopped";
    Cia1 0xdc06 CIA1_TIMER_B_LO "timer B, low byte" "read: the count; write: the latch";
    Cia1 0xdc07 CIA1_TIMER_B_HI "timer B, high byte" "read: the count; write: the latch, loaded if the timer is stopped";
    Cia1 0xdc08 CIA1_TOD_TENTHS "time of day, tenths" "reading ends the hold that the hours began";
    Cia1 0xdc09 CIA1_TOD_SECONDS "time of day, seconds in BCD";
    Cia1 0xdc0a CIA1_TOD_MINUTES "time of day, minutes in BCD";
    Cia1 0xdc0b CIA1_TOD_HOURS "time of day, hours in BCD" "bit 7 afternoon; reading holds the clock";
    Cia1 0xdc0c CIA1_SERIAL "serial shift register";
    Cia1 0xdc0d CIA1_IRQ "IRQ control" "read: bit 0 timer A, 1 timer B, 2 alarm, 3 serial, 4 FLAG, 7 any, and clears them; write: bit 7 sets or clears the mask bits given";
    Cia1 0xdc0e CIA1_CONTROL_A "control of timer A" "bit 0 start, 1 output to PB6, 2 toggle, 3 one shot, 4 load, 5 count CNT, 6 serial output, 7 50 Hz";
    Cia1 0xdc0f CIA1_CONTROL_B "control of timer B" "bit 0 start, 1 output to PB7, 2 toggle, 3 one shot, 4 load, 5-6 what it counts, 7 alarm";
    Cia2 0xdd00 CIA2_PORT_A "VIC bank and serial bus" "bits 0-1 bank, inverted: 3 is $0000; 3 ATN, 4 CLOCK, 5 DATA out; 6 CLOCK, 7 DATA in";
    Cia2 0xdd01 CIA2_PORT_B "user port";
    Cia2 0xdd02 CIA2_DDR_A "direction of port A" "a set bit is an output";
    Cia2 0xdd03 CIA2_DDR_B "direction of port B" "a set bit is an output";
    Cia2 0xdd04 CIA2_TIMER_A_LO "timer A, low byte" "read: the count; write: the latch";
    Cia2 0xdd05 CIA2_TIMER_A_HI "timer A, high byte" "read: the count; write: the latch, loaded if the timer is stopped";
    Cia2 0xdd06 CIA2_TIMER_B_LO "timer B, low byte" "read: the count; write: the latch";
    Cia2 0xdd07 CIA2_TIMER_B_HI "timer B, high byte" "read: the count; write: the latch, loaded if the timer is stopped";
    Cia2 0xdd08 CIA2_TOD_TENTHS "time of day, tenths" "reading ends the hold that the hours began";
    Cia2 0xdd09 CIA2_TOD_SECONDS "time of day, seconds in BCD";
    Cia2 0xdd0a CIA2_TOD_MINUTES "time of day, minutes in BCD";
    Cia2 0xdd0b CIA2_TOD_HOURS "time of day, hours in BCD" "bit 7 afternoon; reading holds the clock";
    Cia2 0xdd0c CIA2_SERIAL "serial shift register";
    Cia2 0xdd0d CIA2_NMI "NMI control" "read: bit 0 timer A, 1 timer B, 2 alarm, 3 serial, 4 FLAG, 7 any, and clears them; write: bit 7 sets or clears the mask bits given";
    Cia2 0xdd0e CIA2_CONTROL_A "control of timer A" "bit 0 start, 1 output to PB6, 2 toggle, 3 one shot, 4 load, 5 count CNT, 6 serial output, 7 50 Hz";
    Cia2 0xdd0f CIA2_CONTROL_B "control of timer B" "bit 0 start, 1 output to PB7, 2 toggle, 3 one shot, 4 load, 5-6 what it counts, 7 alarm";
    Kernal 0xe544 CLEAR_SCREEN "clears the screen" "changes A, X, Y";
    Kernal 0xea31 KERNAL_IRQ "IRQ handler: clock, cursor, keyboard, then returns from the interrupt";
    Kernal 0xea81 KERNAL_IRQ_END "pulls Y, X, A and returns from the interrupt";
    Kernal 0xfce2 RESET "starts the machine again";
    Kernal 0xff81 CINT "starts the screen editor";
    Kernal 0xff84 IOINIT "starts CIAs and SID";
    Kernal 0xff87 RAMTAS "tests RAM, clears the system's pages";
    Kernal 0xff8a RESTOR "sets the vectors at $0314 to the KERNAL's";
    Kernal 0xff8d VECTOR "reads (carry set) or sets the vectors at $0314" "X, Y: address of the table";
    Kernal 0xff90 SETMSG "messages of the KERNAL" "A: bit 7 errors, bit 6 the others";
    Kernal 0xff93 SECOND "secondary address after LISTEN" "A";
    Kernal 0xff96 TKSA "secondary address after TALK" "A";
    Kernal 0xff99 MEMTOP "reads (carry set) or sets the end of BASIC's memory" "X, Y";
    Kernal 0xff9c MEMBOT "reads (carry set) or sets the start of BASIC's memory" "X, Y";
    Kernal 0xff9f SCNKEY "scans the keyboard";
    Kernal 0xffa2 SETTMO "time-out of the IEEE bus" "A";
    Kernal 0xffa5 ACPTR "reads a byte from the serial bus" "result in A";
    Kernal 0xffa8 CIOUT "sends a byte to the serial bus" "A";
    Kernal 0xffab UNTLK "ends TALK";
    Kernal 0xffae UNLSN "ends LISTEN";
    Kernal 0xffb1 LISTEN "makes a device listen" "A: device";
    Kernal 0xffb4 TALK "makes a device talk" "A: device";
    Kernal 0xffb7 READST "status of the last input or output" "result in A";
    Kernal 0xffba SETLFS "sets the file" "A: logical number, X: device, Y: secondary address";
    Kernal 0xffbd SETNAM "sets the file name" "A: length, X and Y: address";
    Kernal 0xffc0 OPEN "opens the file" "carry set on an error, its number in A";
    Kernal 0xffc3 CLOSE "closes a file" "A: logical number";
    Kernal 0xffc6 CHKIN "takes input from a file" "X: logical number";
    Kernal 0xffc9 CHKOUT "sends output to a file" "X: logical number";
    Kernal 0xffcc CLRCHN "input from the keyboard, output to the screen again";
    Kernal 0xffcf CHRIN "reads a character, a whole line from the keyboard" "result in A";
    Kernal 0xffd2 CHROUT "prints a character" "A; registers are kept";
    Kernal 0xffd5 LOAD "loads or verifies a file" "A: 0 load, X and Y: address for secondary address 0; end in X and Y";
    Kernal 0xffd8 SAVE "saves memory" "A: zero-page pointer to the start, X and Y: end";
    Kernal 0xffdb SETTIM "sets the jiffy clock" "A, X, Y: low byte first";
    Kernal 0xffde RDTIM "reads the jiffy clock" "A, X, Y: low byte first";
    Kernal 0xffe1 STOP "tests the STOP key" "zero flag set if it is pressed";
    Kernal 0xffe4 GETIN "takes a character from the keyboard buffer" "result in A, 0 for none";
    Kernal 0xffe7 CLALL "forgets all files";
    Kernal 0xffea UDTIM "advances the jiffy clock";
    Kernal 0xffed SCREEN_SIZE "columns in X, rows in Y";
    Kernal 0xfff0 PLOT "reads (carry set) or sets the cursor" "X: row, Y: column";
    Kernal 0xfff3 IOBASE "address of the I/O area in X and Y";
    Vector 0xfffa + 2 NMI_VECTOR "NMI, when the KERNAL is off";
    Vector 0xfffc + 2 RESET_VECTOR "reset";
    Vector 0xfffe + 2 IRQ_VECTOR "IRQ and BRK, when the KERNAL is off";
};

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn places_ascend_without_overlap_and_names_are_unique() {
        let mut names = BTreeSet::new();
        for pair in all().windows(2) {
            assert!(
                pair[0].addr + (pair[0].len - 1) < pair[1].addr,
                "{} reaches {}",
                pair[0].name,
                pair[1].name
            );
        }
        for place in all() {
            assert!(names.insert(place.name), "{} stands twice", place.name);
            assert!(!place.text.is_empty() && place.len > 0);
        }
    }

    #[test]
    fn bits_are_read_from_the_words() {
        let fields = |addr: u16| -> Vec<String> {
            let all = HARDWARE.fields(addr);
            all.iter().map(|field| format!("{}-{} {}", field.first, field.last, field.name)).collect()
        };
        assert_eq!(fields(0xd011)[..3], ["0-2 vertical scroll", "3-3 25 rows", "4-4 display on"]);
        assert_eq!(
            fields(0xd018),
            ["1-3 characters in steps of $800 (3: bitmap at $2000)", "4-7 screen in steps of $400"]
        );
        assert_eq!(fields(0xd015)[7], "7-7 sprite 7");
        assert_eq!(
            fields(0xd01a),
            ["0-0 raster", "1-1 sprite hits data", "2-2 sprites collide", "3-3 light pen"]
        );
        assert_eq!(fields(0xd404)[0], "0-0 gate");
        assert_eq!(fields(0xdc0d).len(), 6);
        assert_eq!(fields(0xdc00), ["0-0 up", "1-1 down", "2-2 left", "3-3 right", "4-4 fire"]);
        assert_eq!((fields(0xd012), fields(0xd000), fields(0xd020)), (vec![], vec![], vec![]));
        let field = &HARDWARE.fields(0xd018)[0];
        assert_eq!((field.mask(), field.of(0x15)), (0x0e, 2));
        for place in all() {
            for pair in HARDWARE.fields(place.addr).windows(2) {
                assert!(pair[0].last < pair[1].first, "{}", place.name);
            }
        }
    }

    #[test]
    fn mirrors_and_areas_lead_to_their_place() {
        assert_eq!(at(0xd020).map(|place| place.name), Some("BORDER"));
        assert_eq!(at(0xd060).map(|place| place.name), Some("BORDER"));
        assert_eq!(at(0xdc1d).map(|place| place.name), Some("CIA1_IRQ"));
        assert_eq!(at(0x0427).map(|place| place.name), Some("SCREEN"));
        assert_eq!(at(0x0315).map(|place| place.name), Some("CINV"));
        assert_eq!(at(0xd02f), None);
        assert_eq!(at(0xc000), None);
        assert_eq!(named(0xd060), None);
        assert_eq!(by_name("chrout").map(|place| place.addr), Some(0xffd2));
    }
}
