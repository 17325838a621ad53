//! Addresses of the C64 with the names people know them by.

/// An address, or the first of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The first address.
    pub address: u16,
    /// How many addresses there are.
    pub len: u16,
    /// The usual name; empty for areas.
    pub name: &'static str,
    /// What it is for, with its bits.
    pub text: &'static str,
}

const fn a(address: u16, name: &'static str, text: &'static str) -> Address {
    Address { address, len: 1, name, text }
}

const fn area(address: u16, len: u16, text: &'static str) -> Address {
    Address { address, len, name: "", text }
}

/// What an address is; the smallest area that has it.
pub fn find(address: u16) -> Option<&'static Address> {
    let has = |entry: &&Address| address >= entry.address && address - entry.address < entry.len;
    ADDRESSES.iter().filter(has).min_by_key(|entry| entry.len)
}

/// The known addresses, single ones before areas.
pub const ADDRESSES: &[Address] = &[
    a(0x0000, "port direction", "6510 port, direction: 1 is output"),
    a(0x0001, "port", "6510 port: bit 0 BASIC ROM, 1 KERNAL ROM, 2 I/O instead of characters, 3–5 cassette"),
    a(0x0073, "CHRGET", "BASIC: fetch the next character"),
    a(0x0090, "STATUS", "KERNAL I/O status"),
    a(0x00c6, "NDX", "characters in the keyboard buffer"),
    a(0x0277, "KEYD", "keyboard buffer, ten characters"),
    a(0x0286, "COLOR", "text colour of the screen editor"),
    a(0x0288, "HIBASE", "high byte of the screen's address"),
    a(0x028a, "RPTFLG", "key repeat: 128 repeats all"),
    a(0x0291, "MODE", "bit 7 forbids SHIFT+C= to change the character set"),
    a(0x0314, "CINV", "IRQ vector of the KERNAL, low byte"),
    a(0x0315, "CINV+1", "IRQ vector of the KERNAL, high byte"),
    a(0x0316, "CBINV", "BRK vector of the KERNAL"),
    a(0x0318, "NMINV", "NMI vector of the KERNAL, low byte"),
    a(0x0319, "NMINV+1", "NMI vector of the KERNAL, high byte"),
    a(0xd010, "sprite x msb", "VIC-II: bit n is bit 8 of the x position of sprite n"),
    a(
        0xd011,
        "control 1",
        "VIC-II: bits 0–2 vertical scroll, 3 25 rows, 4 screen on, 5 bitmap, 6 extended colour, 7 bit 8 of the raster line",
    ),
    a(0xd012, "raster", "VIC-II: read the raster line, write the line of the raster interrupt"),
    a(0xd013, "light pen x", "VIC-II: light pen, x"),
    a(0xd014, "light pen y", "VIC-II: light pen, y"),
    a(0xd015, "sprite enable", "VIC-II: bit n shows sprite n"),
    a(0xd016, "control 2", "VIC-II: bits 0–2 horizontal scroll, 3 40 columns, 4 multicolour"),
    a(0xd017, "sprite expand y", "VIC-II: bit n doubles the height of sprite n"),
    a(
        0xd018,
        "memory pointers",
        "VIC-II: bits 1–3 character set in 2 KB (3 bitmap in 8 KB), 4–7 screen in 1 KB",
    ),
    a(
        0xd019,
        "interrupt flags",
        "VIC-II: bit 0 raster, 1 sprite–background, 2 sprite–sprite, 3 light pen, 7 any; write 1 to clear",
    ),
    a(0xd01a, "interrupt enable", "VIC-II: bit 0 raster, 1 sprite–background, 2 sprite–sprite, 3 light pen"),
    a(0xd01b, "sprite priority", "VIC-II: bit n puts sprite n behind the text"),
    a(0xd01c, "sprite multicolour", "VIC-II: bit n gives sprite n four colours"),
    a(0xd01d, "sprite expand x", "VIC-II: bit n doubles the width of sprite n"),
    a(0xd01e, "sprite collision", "VIC-II: sprites that touched sprites; reading clears it"),
    a(0xd01f, "background collision", "VIC-II: sprites that touched the background; reading clears it"),
    a(0xd020, "border colour", "VIC-II: bits 0–3"),
    a(0xd021, "background colour", "VIC-II: bits 0–3"),
    a(0xd022, "background colour 1", "VIC-II: extra colour of multicolour and extended colour modes"),
    a(0xd023, "background colour 2", "VIC-II: extra colour of multicolour and extended colour modes"),
    a(0xd024, "background colour 3", "VIC-II: extra colour of extended colour mode"),
    a(0xd025, "sprite multicolour 0", "VIC-II: first shared colour of sprites"),
    a(0xd026, "sprite multicolour 1", "VIC-II: second shared colour of sprites"),
    a(0xd000, "sprite 0 x", "VIC-II"),
    a(0xd001, "sprite 0 y", "VIC-II"),
    a(0xd002, "sprite 1 x", "VIC-II"),
    a(0xd003, "sprite 1 y", "VIC-II"),
    a(0xd004, "sprite 2 x", "VIC-II"),
    a(0xd005, "sprite 2 y", "VIC-II"),
    a(0xd006, "sprite 3 x", "VIC-II"),
    a(0xd007, "sprite 3 y", "VIC-II"),
    a(0xd008, "sprite 4 x", "VIC-II"),
    a(0xd009, "sprite 4 y", "VIC-II"),
    a(0xd00a, "sprite 5 x", "VIC-II"),
    a(0xd00b, "sprite 5 y", "VIC-II"),
    a(0xd00c, "sprite 6 x", "VIC-II"),
    a(0xd00d, "sprite 6 y", "VIC-II"),
    a(0xd00e, "sprite 7 x", "VIC-II"),
    a(0xd00f, "sprite 7 y", "VIC-II"),
    a(0xd027, "sprite 0 colour", "VIC-II"),
    a(0xd028, "sprite 1 colour", "VIC-II"),
    a(0xd029, "sprite 2 colour", "VIC-II"),
    a(0xd02a, "sprite 3 colour", "VIC-II"),
    a(0xd02b, "sprite 4 colour", "VIC-II"),
    a(0xd02c, "sprite 5 colour", "VIC-II"),
    a(0xd02d, "sprite 6 colour", "VIC-II"),
    a(0xd02e, "sprite 7 colour", "VIC-II"),
    a(0xd400, "voice 1 frequency low", "SID, write only"),
    a(0xd401, "voice 1 frequency high", "SID, write only"),
    a(0xd402, "voice 1 pulse width low", "SID, write only"),
    a(0xd403, "voice 1 pulse width high", "SID, write only: bits 0–3"),
    a(
        0xd404,
        "voice 1 control",
        "SID, write only: bit 0 gate, 1 sync, 2 ring, 3 test, 4 triangle, 5 sawtooth, 6 pulse, 7 noise",
    ),
    a(0xd405, "voice 1 attack/decay", "SID, write only"),
    a(0xd406, "voice 1 sustain/release", "SID, write only"),
    a(0xd407, "voice 2 frequency low", "SID, write only"),
    a(0xd408, "voice 2 frequency high", "SID, write only"),
    a(0xd40b, "voice 2 control", "SID, write only"),
    a(0xd40c, "voice 2 attack/decay", "SID, write only"),
    a(0xd40d, "voice 2 sustain/release", "SID, write only"),
    a(0xd40e, "voice 3 frequency low", "SID, write only"),
    a(0xd40f, "voice 3 frequency high", "SID, write only"),
    a(0xd412, "voice 3 control", "SID, write only"),
    a(0xd413, "voice 3 attack/decay", "SID, write only"),
    a(0xd414, "voice 3 sustain/release", "SID, write only"),
    a(0xd415, "filter cutoff low", "SID, write only: bits 0–2"),
    a(0xd416, "filter cutoff high", "SID, write only"),
    a(0xd417, "filter resonance", "SID, write only: bits 0–2 voices, 3 external, 4–7 resonance"),
    a(
        0xd418,
        "volume",
        "SID, write only: bits 0–3 volume, 4 low pass, 5 band pass, 6 high pass, 7 voice 3 off",
    ),
    a(0xd419, "paddle x", "SID, read only"),
    a(0xd41a, "paddle y", "SID, read only"),
    a(0xd41b, "voice 3 oscillator", "SID, read only"),
    a(0xd41c, "voice 3 envelope", "SID, read only"),
    a(0xdc00, "CIA 1 port a", "keyboard columns, joystick 2: bits 0–3 directions, 4 fire; 0 is pressed"),
    a(0xdc01, "CIA 1 port b", "keyboard rows, joystick 1: bits 0–3 directions, 4 fire; 0 is pressed"),
    a(0xdc02, "CIA 1 direction a", "1 is output"),
    a(0xdc03, "CIA 1 direction b", "1 is output"),
    a(0xdc04, "CIA 1 timer a low", "read the timer, write its latch"),
    a(0xdc05, "CIA 1 timer a high", "read the timer, write its latch"),
    a(0xdc06, "CIA 1 timer b low", "read the timer, write its latch"),
    a(0xdc07, "CIA 1 timer b high", "read the timer, write its latch"),
    a(0xdc08, "CIA 1 tenths", "time of day"),
    a(0xdc09, "CIA 1 seconds", "time of day"),
    a(0xdc0a, "CIA 1 minutes", "time of day"),
    a(0xdc0b, "CIA 1 hours", "time of day"),
    a(0xdc0c, "CIA 1 serial", "shift register"),
    a(
        0xdc0d,
        "CIA 1 interrupts",
        "IRQ: bit 0 timer a, 1 timer b, 2 alarm, 3 serial, 4 flag, 7 any (read) or set (write); reading clears",
    ),
    a(0xdc0e, "CIA 1 control a", "timer a: bit 0 runs, 3 one shot, 4 load"),
    a(0xdc0f, "CIA 1 control b", "timer b: bit 0 runs, 3 one shot, 4 load, 5–6 source"),
    a(0xdd00, "CIA 2 port a", "bits 0–1 VIC bank, inverted; 2 RS-232, 3–7 serial bus"),
    a(0xdd01, "CIA 2 port b", "user port"),
    a(0xdd02, "CIA 2 direction a", "1 is output"),
    a(0xdd03, "CIA 2 direction b", "1 is output"),
    a(0xdd04, "CIA 2 timer a low", "read the timer, write its latch"),
    a(0xdd05, "CIA 2 timer a high", "read the timer, write its latch"),
    a(0xdd06, "CIA 2 timer b low", "read the timer, write its latch"),
    a(0xdd07, "CIA 2 timer b high", "read the timer, write its latch"),
    a(
        0xdd0d,
        "CIA 2 interrupts",
        "NMI: bit 0 timer a, 1 timer b, 2 alarm, 3 serial, 4 flag, 7 any (read) or set (write); reading clears",
    ),
    a(0xdd0e, "CIA 2 control a", "timer a: bit 0 runs, 3 one shot, 4 load"),
    a(0xdd0f, "CIA 2 control b", "timer b: bit 0 runs, 3 one shot, 4 load, 5–6 source"),
    a(0xe544, "CLSR", "KERNAL: clear the screen"),
    a(0xea31, "IRQ", "KERNAL: its interrupt routine, clock and keyboard"),
    a(0xea81, "IRQ end", "KERNAL: pull the registers and return from the interrupt"),
    a(0xfce2, "RESET", "KERNAL: cold start"),
    a(0xff81, "CINT", "KERNAL: initialise screen editor and video chip"),
    a(0xff84, "IOINIT", "KERNAL: initialise the CIAs"),
    a(0xff87, "RAMTAS", "KERNAL: test memory"),
    a(0xff8a, "RESTOR", "KERNAL: restore the vectors"),
    a(0xff8d, "VECTOR", "KERNAL: read or set the vectors"),
    a(0xff90, "SETMSG", "KERNAL: control messages"),
    a(0xff93, "SECOND", "KERNAL: secondary address after LISTEN"),
    a(0xff96, "TKSA", "KERNAL: secondary address after TALK"),
    a(0xff99, "MEMTOP", "KERNAL: top of memory"),
    a(0xff9c, "MEMBOT", "KERNAL: bottom of memory"),
    a(0xff9f, "SCNKEY", "KERNAL: scan the keyboard"),
    a(0xffa2, "SETTMO", "KERNAL: time-out of the bus"),
    a(0xffa5, "ACPTR", "KERNAL: byte from the serial bus"),
    a(0xffa8, "CIOUT", "KERNAL: byte to the serial bus"),
    a(0xffab, "UNTLK", "KERNAL: end talking"),
    a(0xffae, "UNLSN", "KERNAL: end listening"),
    a(0xffb1, "LISTEN", "KERNAL: make a device listen"),
    a(0xffb4, "TALK", "KERNAL: make a device talk"),
    a(0xffb7, "READST", "KERNAL: read the I/O status"),
    a(0xffba, "SETLFS", "KERNAL: set file number A, device X, secondary address Y"),
    a(0xffbd, "SETNAM", "KERNAL: set the file name, length A at X/Y"),
    a(0xffc0, "OPEN", "KERNAL: open a file"),
    a(0xffc3, "CLOSE", "KERNAL: close file A"),
    a(0xffc6, "CHKIN", "KERNAL: input from file X"),
    a(0xffc9, "CHKOUT", "KERNAL: output to file X"),
    a(0xffcc, "CLRCHN", "KERNAL: input and output to keyboard and screen"),
    a(0xffcf, "CHRIN", "KERNAL: read a character"),
    a(0xffd2, "CHROUT", "KERNAL: print the character in A"),
    a(0xffd5, "LOAD", "KERNAL: load (A=0) or verify a file"),
    a(0xffd8, "SAVE", "KERNAL: save a file"),
    a(0xffdb, "SETTIM", "KERNAL: set the clock"),
    a(0xffde, "RDTIM", "KERNAL: read the clock"),
    a(0xffe1, "STOP", "KERNAL: look for the STOP key"),
    a(0xffe4, "GETIN", "KERNAL: a character from the buffer"),
    a(0xffe7, "CLALL", "KERNAL: close all files"),
    a(0xffea, "UDTIM", "KERNAL: move the clock on"),
    a(0xffed, "SCREEN", "KERNAL: columns and rows of the screen"),
    a(0xfff0, "PLOT", "KERNAL: read (carry set) or set the cursor"),
    a(0xfff3, "IOBASE", "KERNAL: base of the I/O"),
    a(0xfffa, "NMI vector", "processor: NMI, low byte"),
    a(0xfffb, "NMI vector+1", "processor: NMI, high byte"),
    a(0xfffc, "RESET vector", "processor: reset, low byte"),
    a(0xfffd, "RESET vector+1", "processor: reset, high byte"),
    a(0xfffe, "IRQ vector", "processor: IRQ and BRK, low byte"),
    a(0xffff, "IRQ vector+1", "processor: IRQ and BRK, high byte"),
    area(0x0100, 0x100, "the stack"),
    area(0x0400, 1000, "the screen after a reset"),
    area(0x07f8, 8, "sprite pointers of the screen at $0400"),
    area(0xd800, 1000, "colour RAM: bits 0–3"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_and_unique() {
        assert_eq!(find(0xd020).unwrap().name, "border colour");
        assert_eq!(find(0x0450).unwrap().text, "the screen after a reset");
        assert_eq!(find(0xdbe8), None);
        for (index, entry) in ADDRESSES.iter().enumerate() {
            let same = |other: &Address| other.address == entry.address && other.len == entry.len;
            assert!(!ADDRESSES[..index].iter().any(same), "{:04x} is listed twice", entry.address);
        }
    }
}
