//! The documented entries of BASIC and KERNAL, by address: what a program that calls one of them expects. Whether our ROMs
//! have it is read off their images, here and in the table of docs/c64.md.

use core::fmt;

use tempo_emu::AnyComputer;
use tempo_emu::c64::{self, C64};

/// A documented entry of a C64's ROMs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RomEntry {
    /// Its address.
    pub address: u16,
    /// Its usual name.
    pub name: &'static str,
    /// Its effect.
    pub does: &'static str,
}

/// The contents of our ROMs at an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The routine.
    Ours,
    /// A return: the call does nothing, and nothing is missed.
    Harmless,
    /// Nothing: the call ends the run, and is named.
    Absent,
    /// Data.
    Data,
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Presence::Ours => "ours",
            Presence::Harmless => "harmless",
            Presence::Absent => "absent",
            Presence::Data => "data",
        })
    }
}

impl RomEntry {
    /// Returns the contents of our ROMs here.
    pub fn presence(&self) -> Presence {
        const RTS: u8 = 0x60;
        let byte = match self.address {
            0xa000..=0xbfff => c64::BASIC[usize::from(self.address - 0xa000)],
            _ => c64::KERNAL[usize::from(self.address - 0xe000)],
        };
        match byte {
            c64::ABSENT => Presence::Absent,
            _ if self.does.starts_with("data") => Presence::Data,
            RTS => Presence::Harmless,
            _ => Presence::Ours,
        }
    }
}

/// An entry that was called and that our ROMs do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absent {
    /// The address that the CPU stopped at.
    pub address: u16,
    /// The `jsr` that led there, if it was one.
    pub caller: Option<u16>,
}

impl Absent {
    /// The entry that stopped the CPU of a machine, if that is why it stopped.
    pub fn of(machine: &AnyComputer) -> Option<Absent> {
        let machine = machine.c64()?;
        let address = machine.absent_entry()?;
        Some(Absent { address, caller: caller(machine, address) })
    }
}

/// The `jsr` to an address whose return address is the last on the stack.
fn caller(machine: &C64, address: u16) -> Option<u16> {
    const JSR: u8 = 0x20;
    let s = machine.cpu.registers.s;
    let byte = |offset: u8| machine.board.peek(0x0100 + u16::from(s.wrapping_add(offset)));
    let at = u16::from_le_bytes([byte(1), byte(2)]).wrapping_sub(2);
    let bytes = [0, 1, 2].map(|offset| machine.board.peek(at.wrapping_add(offset)));
    let [low, high] = address.to_le_bytes();
    // The jump table leads on to the entry.
    let goes_there = bytes[1..] == [low, high] || bytes[2] == 0xff;
    (bytes[0] == JSR && goes_there).then_some(at)
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.address;
        // The upper ROM begins with a part of BASIC.
        let is_basic = address < 0xe500;
        let (rom, options) =
            if is_basic { ("BASIC", "--kernal FILE --basic FILE") } else { ("the KERNAL", "--kernal FILE") };
        let at = ENTRIES.partition_point(|entry| entry.address <= address);
        match ENTRIES[..at].last() {
            Some(entry) if entry.address == address => write!(f, "{rom}'s {} (${address:04X})", entry.name)?,
            Some(entry) if address - entry.address < 0x100 => {
                write!(f, "${address:04X}, a place within {rom}'s {} (${:04X}),", entry.name, entry.address)?;
            }
            _ => write!(f, "{rom}'s ${address:04X}")?,
        }
        write!(f, " was called, and our ROMs have no such routine; {options} gives the real one")
    }
}

macro_rules! entries {
    ($($address:literal $name:literal $does:literal,)*) => {
        /// The entries, by address.
        pub const ENTRIES: &[RomEntry] =
            &[$(RomEntry { address: $address, name: $name, does: $does }),*];
    };
}

entries! {
    0xa000 "vectors" "data: cold start, warm start",
    0xa00c "STMDSP" "data: the routines of statements, minus 1",
    0xa38a "FNDFOR" "finds a FOR on the stack",
    0xa3b8 "BLTU" "opens a gap in memory, and sets its end",
    0xa3bf "BLTUC" "moves memory upwards, from its end on",
    0xa3fb "GETSTK" "is there room on the stack?",
    0xa408 "REASON" "is there room in memory?",
    0xa435 "OMERR" "?OUT OF MEMORY",
    0xa437 "ERROR" "the error in X, through $0300",
    0xa43a "ERRFIN" "prints the error in X, then READY",
    0xa474 "READY" "prints READY., then the main loop",
    0xa480 "MAIN" "the main loop, through $0302",
    0xa483 "NMAIN" "reads a line and carries it out",
    0xa49c "MAIN1" "stores a program line",
    0xa52a "FINI" "CLR and links after a new line",
    0xa533 "LNKPRG" "links the lines of the program",
    0xa560 "INLIN" "reads a line to $0200",
    0xa579 "CRUNCH" "makes tokens of a line",
    0xa57c "NCRNCH" "the same, behind $0304",
    0xa613 "FNDLIN" "finds the line with the number in $14",
    0xa617 "FNDLNC" "the same, from A, X on",
    0xa642 "SCRTCH" "NEW as a statement",
    0xa644 "SCRTCC" "NEW",
    0xa659 "RUNC" "text at the program's start, and CLR",
    0xa65e "CLEAR" "CLR as a statement",
    0xa660 "CLEARC" "CLR",
    0xa663 "CLRVAR" "CLR without closing files",
    0xa677 "CLRSTK" "RESTORE, and an empty stack",
    0xa67a "STKINI" "an empty stack but for the return",
    0xa68e "STXPT" "text at the program's start",
    0xa69c "LIST" "lists the program",
    0xa71a "NQPLOP" "prints a token as text",
    0xa742 "FOR" "the statement",
    0xa7ae "NEWSTT" "carries out the statements of the text",
    0xa7e4 "GONE" "carries out the next statement",
    0xa7ea "GONE1" "the statement after SYS",
    0xa7ed "GONE3" "carries out the statement in A",
    0xa81d "RESTOR" "RESTORE",
    0xa82c "ISCNTC" "does STOP end the program?",
    0xa82f "STOP" "the statement",
    0xa831 "END" "the statement",
    0xa857 "CONT" "the statement",
    0xa871 "RUN" "the statement",
    0xa883 "GOSUB" "the statement",
    0xa8a0 "GOTO" "the statement",
    0xa8a3 "GOTOC" "GOTO the line in $14, from here or the start",
    0xa8bc "LUK4IT" "GOTO the line in $14",
    0xa8d2 "RETURN" "the statement",
    0xa8f8 "DATA" "skips to the next statement",
    0xa906 "DATAN" "the length of the statement",
    0xa909 "REMN" "the length of the line",
    0xa928 "IF" "the statement",
    0xa93b "REM" "skips to the next line",
    0xa94b "ONGOTO" "the statement ON",
    0xa96b "LINGET" "a line number from the text to $14",
    0xa9a5 "LET" "an assignment",
    0xaa80 "PRINTN" "the statement PRINT#",
    0xaa86 "CMD" "the statement",
    0xaaa0 "PRINT" "the statement",
    0xaabc "PRNUM" "prints the number in FAC",
    0xaabf "PRTXT" "prints the number's text at A, Y",
    0xaad7 "CRDO" "prints a return",
    0xab1e "STROUT" "prints text at A, Y up to a zero or quote",
    0xab21 "STRPRT" "prints the string in FAC",
    0xab24 "STRPR2" "prints A characters at $22",
    0xab3b "OUTSPC" "prints a space, or moves the cursor on",
    0xab3f "OUTSP" "prints a space",
    0xab42 "OUTSKP" "moves the cursor on",
    0xab45 "OUTQST" "prints a question mark",
    0xab47 "OUTDO" "prints A",
    0xab7b "GET" "the statement",
    0xaba5 "INPUTN" "the statement INPUT#",
    0xabbf "INPUT" "the statement",
    0xac06 "READ" "the statement",
    0xad1e "NEXT" "the statement",
    0xad8a "FRMNUM" "a number from the text",
    0xad8d "CHKNUM" "is it a number?",
    0xad8f "CHKSTR" "is it a string? It is an error",
    0xad9e "FRMEVL" "an expression from the text",
    0xae83 "EVAL" "an operand from the text",
    0xae86 "NEVAL" "the same, behind $030A",
    0xaea8 "PIVAL" "data: pi",
    0xaef1 "PARCHK" "an expression in brackets",
    0xaef7 "CHKCLS" "expects )",
    0xaefa "CHKOPN" "expects (",
    0xaefd "CHKCOM" "expects a comma",
    0xaeff "SYNCHR" "expects the character in A",
    0xaf08 "SNERR" "?SYNTAX ERROR",
    0xaf28 "ISVAR" "a variable from the text",
    0xafa7 "ISFUN" "a function from the text",
    0xb081 "DIM" "the statement",
    0xb08b "PTRGET" "finds or makes a variable",
    0xb113 "ISLETC" "is A a letter?",
    0xb1aa "FACINX" "FAC to A, Y",
    0xb1b2 "INTIDX" "a positive integer from the text",
    0xb1bf "AYINT" "FAC to a signed integer",
    0xb248 "FCERR" "?ILLEGAL QUANTITY",
    0xb37d "FRE" "the function",
    0xb391 "GIVAYF" "A, Y to FAC, signed",
    0xb39e "POS" "the function",
    0xb3a2 "SNGFLT" "Y to FAC",
    0xb3b3 "DEF" "the statement",
    0xb465 "STRD" "STR$",
    0xb475 "STRINI" "room for a string",
    0xb487 "STRLIT" "a string from text",
    0xb526 "GARBAG" "collects strings that are not used",
    0xb63d "CAT" "joins strings",
    0xb67a "MOVINS" "copies a string",
    0xb6a3 "FRESTR" "gives a string up",
    0xb6db "FRETMS" "takes a string off its stack",
    0xb6ec "CHRD" "CHR$",
    0xb700 "LEFTD" "LEFT$",
    0xb72c "RIGHTD" "RIGHT$",
    0xb737 "MIDD" "MID$",
    0xb77c "LEN" "the function",
    0xb78b "ASC" "the function",
    0xb79b "GTBYTC" "a byte from the text after the next character, to X",
    0xb79e "GETBYT" "a byte from the text to X",
    0xb7a1 "CONINT" "FAC to X",
    0xb7ad "VAL" "the function",
    0xb7eb "GETNUM" "an address and a byte from the text",
    0xb7f1 "COMBYT" "a comma and a byte from the text",
    0xb7f7 "GETADR" "FAC to $14 and A, Y, unsigned",
    0xb80d "PEEK" "the function",
    0xb824 "POKE" "the statement",
    0xb82d "WAIT" "the statement",
    0xb849 "FADDH" "FAC = FAC + 0.5",
    0xb850 "FSUB" "FAC = memory - FAC",
    0xb853 "FSUBT" "FAC = ARG - FAC",
    0xb867 "FADD" "FAC = memory + FAC",
    0xb86a "FADDT" "FAC = ARG + FAC",
    0xb8d2 "FADFLT" "gives FAC the sign in C, then NORMAL",
    0xb8d7 "NORMAL" "normalises FAC",
    0xb8f7 "ZEROFC" "FAC = 0",
    0xb947 "NEGFAC" "turns mantissa and sign of FAC over",
    0xb97e "OVERR" "?OVERFLOW",
    0xb9bc "FONE" "data: 1",
    0xb9ea "LOG" "the function",
    0xba28 "FMULT" "FAC = memory * FAC",
    0xba2b "FMULTT" "FAC = ARG * FAC",
    0xba8c "CONUPK" "memory to ARG",
    0xbae2 "MUL10" "FAC = FAC * 10",
    0xbaf9 "TENC" "data: 10",
    0xbafe "DIV10" "FAC = FAC / 10",
    0xbb0f "FDIV" "FAC = memory / FAC",
    0xbb12 "FDIVT" "FAC = ARG / FAC",
    0xbb8a "DVERR" "?DIVISION BY ZERO",
    0xbba2 "MOVFM" "memory to FAC",
    0xbbc7 "MOV2F" "FAC to $5C",
    0xbbca "MOV1F" "FAC to $57",
    0xbbd4 "MOVMF" "FAC to memory, rounded",
    0xbbfc "MOVFA" "ARG to FAC",
    0xbc0c "MOVAF" "FAC to ARG, rounded",
    0xbc0f "MOVEF" "FAC to ARG",
    0xbc1b "ROUND" "rounds FAC",
    0xbc2b "SIGN" "the sign of FAC in A",
    0xbc39 "SGN" "the function",
    0xbc3c "FLOAT" "A to FAC, signed",
    0xbc44 "FLOATS" "a word in FAC to FAC, signed",
    0xbc49 "FLOATC" "the same, C = 1: unsigned",
    0xbc4f "FLOATB" "four bytes in FAC to FAC",
    0xbc58 "ABS" "the function",
    0xbc5b "FCOMP" "compares FAC with memory",
    0xbc9b "QINT" "FAC to a signed integer of 32 bits",
    0xbccc "INT" "the function",
    0xbcf3 "FIN" "a number from the text",
    0xbdb3 "N0999" "data: 99999999.9",
    0xbdb8 "N9999" "data: 999999999",
    0xbdbd "NMIL" "data: 1000000000",
    0xbdc2 "INPRT" "prints the number of the line",
    0xbdcd "LINPRT" "prints A, X as an unsigned number",
    0xbdd7 "FACOUT" "prints FAC",
    0xbddd "FOUT" "FAC to text at $0100",
    0xbddf "FOUTC" "FAC to text at $00FF + Y",
    0xbf11 "FHALF" "data: 0.5",
    0xbf71 "SQR" "the function",
    0xbf78 "FPWR" "a power, from memory",
    0xbf7b "FPWRT" "a power: ARG to the FAC",
    0xbfb4 "NEGOP" "FAC = -FAC",
    0xbfed "EXP" "the function",
    0xe043 "POLYX" "a polynomial of odd powers",
    0xe059 "POLY" "a polynomial",
    0xe097 "RND" "the function",
    0xe0f9 "BIOERR" "an error of a KERNAL call",
    0xe10c "BCHOUT" "CHROUT with errors",
    0xe112 "BCHIN" "CHRIN with errors",
    0xe118 "BCKOUT" "CHKOUT with errors",
    0xe11e "BCKIN" "CHKIN with errors",
    0xe124 "BGETIN" "GETIN with errors",
    0xe12a "SYS" "the statement",
    0xe130 "SYSTM" "SYS to the address in $14",
    0xe147 "SYSRET" "the return from SYS",
    0xe156 "SAVET" "the statement SAVE",
    0xe165 "VERFYT" "the statement VERIFY",
    0xe168 "LOADT" "the statement LOAD",
    0xe1be "OPENT" "the statement OPEN",
    0xe1c7 "CLOSET" "the statement CLOSE",
    0xe1d4 "SLPARA" "the parameters of LOAD and SAVE",
    0xe200 "COMBYT" "a comma and a byte, if there is one",
    0xe206 "DEFLT" "is there another parameter?",
    0xe20e "CMMERR" "expects a comma and more",
    0xe219 "OCPARA" "the parameters of OPEN and CLOSE",
    0xe264 "COS" "the function",
    0xe26b "SIN" "the function",
    0xe2b4 "TAN" "the function",
    0xe30e "ATN" "the function",
    0xe37b "BASSFT" "warm start",
    0xe386 "READYX" "READY, through $0300",
    0xe38b "NERROX" "the error in X, behind $0300",
    0xe394 "INIT" "cold start",
    0xe3a2 "INITAT" "data: CHRGET",
    0xe3bf "INITCZ" "sets BASIC's zero page up",
    0xe422 "INITMS" "the first text",
    0xe447 "BVTRS" "data: BASIC's vectors",
    0xe453 "INITV" "sets BASIC's vectors",
    0xe4da "COLCLR" "the cursor's colour to the cell",
    0xe500 "IOBASE" "where the CIAs are",
    0xe505 "SCREEN" "columns and rows",
    0xe50a "PLOT" "reads or sets the cursor",
    0xe50c "PLOTS" "sets the cursor to X, Y",
    0xe518 "CINT1" "sets the screen editor up",
    0xe544 "CLSR" "clears the screen",
    0xe566 "NXTD" "the cursor to the top left",
    0xe56c "STUPT" "addresses of the cursor's line",
    0xe59a "VPAN" "the VIC's defaults, the cursor to the top left",
    0xe5a0 "PANIC" "the VIC's defaults, keyboard and screen",
    0xe5a8 "INITV2" "the VIC's defaults",
    0xe5b4 "LP2" "a character of the keyboard buffer",
    0xe5ca "LOOP4" "input of a line",
    0xe632 "LOOP5" "a character of the line that is read",
    0xe684 "QTSWC" "a quotation mark switches quote mode",
    0xe691 "NXT33" "a letter to the screen",
    0xe693 "NXT3" "a screen code to the screen",
    0xe6b6 "WLOGIC" "the cursor one cell on",
    0xe716 "PRT" "prints A on the screen",
    0xe87c "NXLN" "the cursor to the next line",
    0xe8cb "CHKCOL" "a colour's code sets the colour",
    0xe8da "COLTAB" "data: codes of colours",
    0xe8ea "SCROL" "scrolls the screen",
    0xe965 "NEWLIN" "opens a line",
    0xe9c8 "MOVLIN" "copies a row",
    0xe9f0 "SETPNT" "the address of row X",
    0xe9ff "CLRLN" "clears row X",
    0xea13 "DSPP" "A in colour X at the cursor",
    0xea1c "DSPP2" "the same without the colour's address",
    0xea24 "SCOLOR" "the address of the colours",
    0xea31 "KEY" "the usual interrupt",
    0xea7b "KEY2" "its end: keyboard",
    0xea7e "KPREND" "its end: acknowledges",
    0xea81 "PREND2" "its end: registers",
    0xea87 "SCNKEY" "scans the keyboard",
    0xeb48 "SHFLOG" "shifts, then the key",
    0xeb81 "MODE1" "data: keys",
    0xebc2 "MODE2" "data: keys with SHIFT",
    0xec03 "MODE3" "data: keys with C=",
    0xec44 "LOWER" "lower case",
    0xec4f "UPPER" "upper case",
    0xec78 "CONTRL" "data: keys with CTRL",
    0xecb9 "TVIC" "data: the VIC's defaults",
    0xecf0 "LDTB2" "data: low bytes of the rows' addresses",
    0xed09 "TALK" "a device is to send",
    0xed0c "LISTN" "a device is to receive",
    0xed11 "LIST1" "a command to the bus",
    0xed36 "ISOURA" "a byte to the bus with ATN",
    0xed40 "ISOUR" "a byte to the bus",
    0xedb9 "SECND" "the secondary address after LISTN",
    0xedbe "SCATN" "releases ATN",
    0xedc7 "TKSA" "the secondary address after TALK",
    0xedcc "TKATN" "releases ATN, and listens",
    0xeddd "CIOUT" "a byte to the listener",
    0xedef "UNTLK" "the device ends sending",
    0xedfe "UNLSN" "the device ends receiving",
    0xee13 "ACPTR" "a byte from the talker",
    0xee85 "CLKHI" "releases CLK",
    0xee8e "CLKLO" "pulls CLK",
    0xee97 "DATAHI" "releases DATA",
    0xeea0 "DATALO" "pulls DATA",
    0xeea9 "DEBPIA" "DATA to C, CLK to N",
    0xeeb3 "W1MS" "waits a millisecond",
    0xeebb "RSTRAB" "RS-232",
    0xf12b "SPMSG" "a message of the KERNAL",
    0xf12f "MSG" "the same without asking",
    0xf13e "NGETIN" "GETIN",
    0xf157 "NBASIN" "CHRIN",
    0xf1ca "NBSOUT" "CHROUT",
    0xf1dd "CASOUT" "CHROUT to a file",
    0xf20e "NCHKIN" "CHKIN",
    0xf250 "NCKOUT" "CHKOUT",
    0xf291 "NCLOSE" "CLOSE",
    0xf30f "LOOKUP" "finds the logical file in A",
    0xf31f "JZ100" "the file's device and secondary address",
    0xf32f "NCLALL" "CLALL",
    0xf333 "NCLRCH" "CLRCHN",
    0xf34a "NOPEN" "OPEN",
    0xf3d5 "OPENI" "a name to a device of the bus",
    0xf49e "LOADSP" "LOAD",
    0xf4a5 "NLOAD" "LOAD, behind $0330",
    0xf5af "LUKING" "the message SEARCHING",
    0xf5c1 "OUTFN" "prints the file's name",
    0xf5d2 "LODING" "the message LOADING",
    0xf5dd "SAVESP" "SAVE",
    0xf5ed "NSAVE" "SAVE, behind $0332",
    0xf642 "CLSEI" "closes a file of the bus",
    0xf68f "SAVING" "the message SAVING",
    0xf69b "UDTIM" "counts a jiffy",
    0xf6bc "UD60" "looks at STOP",
    0xf6dd "RDTIM" "reads the clock",
    0xf6e4 "SETTIM" "sets the clock",
    0xf6ed "NSTOP" "is STOP held?",
    0xf6fb "ERROR1" "error 1, and the others at $F6FE, $F701 to $F713",
    0xf72c "FAH" "the next header on tape",
    0xf76a "TAPEH" "writes a header",
    0xf7d0 "ZZZ" "the tape's buffer",
    0xf7ea "FAF" "finds a file on tape",
    0xf817 "CSTE1" "waits for PLAY",
    0xf838 "CSTE2" "waits for PLAY and RECORD",
    0xf841 "RBLK" "reads a block from tape",
    0xf84a "TRD" "reads from tape",
    0xf864 "WBLK" "writes a block to tape",
    0xf875 "TAPE" "the tape's interrupts",
    0xf8d0 "TSTOP" "does STOP end the tape?",
    0xf92c "READ" "the tape's interrupt",
    0xfbcd "WRITE" "the tape's interrupt",
    0xfc93 "TNIF" "the usual interrupt again",
    0xfcca "TNOF" "the tape's motor off",
    0xfcd1 "CMPSTE" "is the end reached?",
    0xfcdb "INCSAL" "the next byte",
    0xfce2 "START" "reset",
    0xfcef "START1" "reset without a cartridge",
    0xfd02 "A0INT" "is there a cartridge?",
    0xfd10 "TBLA0R" "data: CBM80",
    0xfd15 "RESTOR" "the KERNAL's vectors",
    0xfd1a "VECTOR" "reads or sets the vectors",
    0xfd30 "VECTSS" "data: the vectors",
    0xfd50 "RAMTAS" "sets memory up",
    0xfda3 "IOINIT" "sets the chips up",
    0xfdf9 "SETNAM" "the name of a file",
    0xfe00 "SETLFS" "number, device, secondary address",
    0xfe07 "READSS" "the status",
    0xfe18 "SETMSG" "messages on or off",
    0xfe1a "READST" "the status of the bus",
    0xfe1c "UDST" "sets bits of the status",
    0xfe21 "SETTMO" "the bus's timeout",
    0xfe25 "MEMTOP" "the end of memory",
    0xfe27 "GETTOP" "reads it",
    0xfe2d "SETTOP" "sets it",
    0xfe34 "MEMBOT" "the start of memory",
    0xfe43 "NMI" "the NMI",
    0xfe47 "NNMI" "the NMI, behind $0318",
    0xfe56 "NNMI10" "RESTORE: the cartridge, or STOP",
    0xfe66 "TIMB" "BRK: warm start",
    0xfe72 "NNMI20" "the NMI of RS-232, and its end",
    0xfebc "PREND" "its end: registers",
    0xff43 "SIMIRQ" "acts like an interrupt",
    0xff48 "PULS" "the interrupt",
    0xff5b "PCINT" "CINT",
}
