//! Parameters of segments, files and disks, one item for each place they may be in.

use super::Whose;
use crate::intern::Name;

/// A parameter in square brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Where it may be.
    pub place: Place,
    /// As written.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Where it comes from.
    pub whose: Whose,
}

/// Where a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// After `.segmentdef`, and after `.segment` if it defines one.
    Segment,
    /// After `.segmentout`, and wherever else the content of a segment is described.
    Content,
    /// After `.file`.
    File,
    /// After `.disk`.
    Disk,
    /// For a file in the braces of `.disk`.
    DiskFile,
    /// After `.cartridge`.
    Cartridge,
    /// For a bank in the braces of `.cartridge`.
    Bank,
}

impl Place {
    /// The name of the place for people.
    pub const fn name(self) -> &'static str {
        match self {
            Place::Segment => ".segmentdef",
            Place::Content => "any segment",
            Place::File => ".file",
            Place::Disk => ".disk",
            Place::DiskFile => ".disk file",
            Place::Cartridge => ".cartridge",
            Place::Bank => ".cartridge bank",
        }
    }

    /// Whether parameters of another place may be here.
    pub const fn includes(self, other: Place) -> bool {
        let has_content = !matches!(self, Place::Disk | Place::Cartridge | Place::Bank);
        self.is(other) || (other.is(Place::Content) && has_content)
    }

    /// The place of the items in the braces after this one.
    pub const fn items(self) -> Option<Place> {
        match self {
            Place::Disk => Some(Place::DiskFile),
            Place::Cartridge => Some(Place::Bank),
            _ => None,
        }
    }

    /// The parameters that may be here.
    pub fn parameters(self) -> impl Iterator<Item = &'static Parameter> {
        PARAMETERS.iter().filter(move |parameter| self.includes(parameter.place))
    }

    /// The names of the parameters of this place alone.
    pub(crate) const fn own(self) -> &'static [Name] {
        match self {
            Place::Segment => SEGMENT,
            Place::Content => CONTENT,
            Place::File => FILE,
            Place::Disk => DISK,
            Place::DiskFile => DISK_FILE,
            Place::Cartridge => CARTRIDGE,
            Place::Bank => BANK,
        }
    }

    const fn is(self, other: Place) -> bool {
        self as u8 == other as u8
    }
}

/// How many parameters a place has of its own.
const fn count(place: Place) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < PARAMETERS.len() {
        count += PARAMETERS[index].place.is(place) as usize;
        index += 1;
    }
    count
}

/// The names of the parameters that a place has of its own.
const fn names<const COUNT: usize>(place: Place) -> [Name; COUNT] {
    let mut names = [crate::names::EMPTY; COUNT];
    let (mut found, mut index) = (0, 0);
    while index < PARAMETERS.len() {
        if PARAMETERS[index].place.is(place) {
            names[found] = crate::names::word(PARAMETERS[index].name);
            found += 1;
        }
        index += 1;
    }
    names
}

const SEGMENT: &[Name] = &names::<{ count(Place::Segment) }>(Place::Segment);
const CONTENT: &[Name] = &names::<{ count(Place::Content) }>(Place::Content);
const FILE: &[Name] = &names::<{ count(Place::File) }>(Place::File);
const DISK: &[Name] = &names::<{ count(Place::Disk) }>(Place::Disk);
const DISK_FILE: &[Name] = &names::<{ count(Place::DiskFile) }>(Place::DiskFile);
const CARTRIDGE: &[Name] = &names::<{ count(Place::Cartridge) }>(Place::Cartridge);
const BANK: &[Name] = &names::<{ count(Place::Bank) }>(Place::Bank);

/// The origin of the parameters of a place: that of its directive.
const fn whose(place: Place) -> Whose {
    match place {
        Place::Cartridge | Place::Bank => Whose::Ours,
        _ => Whose::Kick,
    }
}

macro_rules! parameters {
    ($([$($constant:ident)?] $place:ident $name:literal $about:literal;)*) => {
        /// Every parameter.
        pub const PARAMETERS: &[Parameter] =
            &[$(Parameter { place: Place::$place, name: $name, about: $about, whose: whose(Place::$place) }),*];

        /// The names of parameters, for the evaluator.
        pub(crate) mod constants {
            use crate::intern::Name;
            use crate::names::word;

            $($(pub(crate) const $constant: Name = word($name);)?)*
        }
    };
}

// The name in brackets is the constant that the evaluator knows the word by; a word has one, wherever it stands.
parameters! {
    [START] Segment "start" "The address that it begins at.";
    [START_AFTER] Segment "startAfter" "The segment after which it begins.";
    [ALIGN] Segment "align" "Moves the start up to a multiple of a number.";
    [VIRTUAL] Segment "virtual" "Keeps its labels and emits no bytes.";
    [DEST] Segment "dest" "A word that is copied to the debug dump.";
    [OUT_PRG] Segment "outPrg" "Writes it to a program file.";
    [OUT_BIN] Segment "outBin" "Writes it to a file without a load address.";
    [MIN] Content "min" "The lowest address that it may use.";
    [MAX] Content "max" "The highest address that it may use.";
    [FILL] Content "fill" "Fills it up to exactly min to max.";
    [FILL_BYTE] Content "fillByte" "The byte for that, and for gaps; 0 without it.";
    [SEGMENTS] Content "segments" "Segments whose bytes it contains.";
    [PRG_FILES] Content "prgFiles" "Program files whose bytes it contains, at their load addresses.";
    [SID_FILES] Content "sidFiles" "Tunes whose data it contains, at their load addresses.";
    [ALLOW_OVERLAP] Content "allowOverlap" "Lets later blocks overwrite earlier ones.";
    [MODIFY] Content "modify" "Passes its bytes through a modifier.";
    [HIDE] Content "hide" "Leaves it out of memory maps.";
    [NAME] File "name" "The name of the file.";
    [TYPE] File "type" "prg or bin: with or without a load address.";
    [MBFILES] File "mbfiles" "Writes a file for each memory block.";
    [FILENAME] Disk "filename" "The name of the image.";
    [] Disk "name" "The name of the disk.";
    [ID] Disk "id" "The characters after its name.";
    [FORMAT] Disk "format" "The layout of the tracks: commodore, speeddos or dolphindos.";
    [INTERLEAVE] Disk "interleave" "How many sectors further on the next one of a file is.";
    [DONT_SPLIT] Disk "dontSplitFilesOverDir" "Begins a file after the directory track if it would be on both sides of it.";
    [STORE_IN_DIR] Disk "storeFilesInDir" "Lets files use what the directory leaves free on its track.";
    [SHOW_INFO] Disk "showInfo" "Prints what is where on the disk.";
    [] DiskFile "name" "The name in the directory.";
    [] DiskFile "type" "prg, seq, usr, rel or del; a `<` at its end locks the file.";
    [] DiskFile "hide" "Leaves it out of the directory.";
    [] DiskFile "interleave" "How many sectors further on the next one of this file is.";
    [NO_START_ADDR] DiskFile "noStartAddr" "Writes it without a load address.";
    [] Cartridge "filename" "The name of the image.";
    [] Cartridge "type" "8k, 16k, ultimax, magicdesk, ocean, easyflash or gmod2.";
    [] Cartridge "name" "The name in the header, up to 32 characters.";
    [BANK_NUMBER] Bank "bank" "The number of the bank.";
    [] Bank "lo" "Segments with the bytes at $8000.";
    [] Bank "hi" "Segments with the bytes at $A000 or $E000.";
}
