//! Plugins that are built in under the names of the Java classes, the modifiers they give, and the parameters of these;
//! with them the one modifier that needs no plugin.

use super::Plain;

/// A modifier of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// ByteBoozer 1.
    ByteBoozer,
    /// ByteBoozer 2.
    B2,
    /// A program that unpacks itself.
    B2Exe,
    /// Exomizer with an address.
    MemExomizer,
    /// The same, forward.
    ForwardMemExomizer,
    /// The same, backward.
    BackwardMemExomizer,
    /// Exomizer, every block by itself.
    LevelExomizer,
    /// Exomizer without an address.
    RawExomizer,
    /// Differences.
    DeltaPacker,
    /// TSCrunch.
    Ts,
    /// A program file of Atari DOS.
    Xex,
}

/// A modifier as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModifierItem {
    /// Which one it is.
    pub modifier: Modifier,
    /// As written after `.modify` and in `modify=`.
    pub name: &'static str,
    /// Its arguments with their defaults.
    pub arguments: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Names of the parameters that go with `modify=`; none if it is for `.modify` alone.
    pub parameters: &'static [&'static str],
}

const START_OF_PROGRAM: &str = "_start";
const START: &str = "_startAddressForValidation";
const FORWARD: &str = "_forwardCrunching";
const LITERALS: &str = "_useLiterals";
const OFFSETS: &str = "_outputBlockOffsets";
const REVERSE: &str = "_reverseOutput";
const FARTHEST: &str = "_maximumOffsetSize";
const JUMP: &str = "_jmpAdress";
const IN_PLACE: &str = "_inplace";
const SELF_EXTRACTING: &str = "_sfx";
const CACHE: &str = "_useCruncherCache";
const RUN: &str = "_RunAddr";
const INIT: &str = "_InitAddr";

/// Every parameter of a modifier.
pub const MODIFIER_PARAMETERS: &[Plain] = &[
    super::plain(START_OF_PROGRAM, "The address that the BASIC line jumps to."),
    super::plain(
        START,
        "The end that the pack start is counted from; for Exomizer where the packed data will be.",
    ),
    super::plain(FORWARD, "Packs for a reader that goes forwards."),
    super::plain(LITERALS, "Allows runs of literals."),
    super::plain(OFFSETS, "Has no effect here: only .modify appends the offsets of blocks."),
    super::plain(REVERSE, "Has no effect here."),
    super::plain(FARTHEST, "The largest distance of a copy."),
    super::plain(JUMP, "The address that a self-extracting program jumps to."),
    super::plain(IN_PLACE, "Packs so that the data is unpacked over itself."),
    super::plain(SELF_EXTRACTING, "Makes a program that unpacks itself."),
    super::plain(CACHE, "Accepted and ignored."),
    super::plain(RUN, "The address at which Atari DOS starts the program after loading."),
    super::plain(INIT, "The address of a routine that Atari DOS calls after loading."),
];

/// Every modifier of a plugin.
pub const MODIFIERS: &[ModifierItem] = &[
    ModifierItem {
        modifier: Modifier::ByteBoozer,
        name: "ByteBoozer",
        arguments: "start = $FFFA",
        about: "Packs with ByteBoozer 1, address first.",
        parameters: &[START, FORWARD, CACHE],
    },
    ModifierItem {
        modifier: Modifier::B2,
        name: "B2",
        arguments: "start = $FFFA",
        about: "Packs with ByteBoozer 2, address first.",
        parameters: &[START, FORWARD, CACHE],
    },
    ModifierItem {
        modifier: Modifier::B2Exe,
        name: "B2exe",
        arguments: "jmp = the first block",
        about: "Makes a program for $0801 that unpacks itself and jumps to an address.",
        parameters: &[START, FORWARD, JUMP, CACHE],
    },
    ModifierItem {
        modifier: Modifier::MemExomizer,
        name: "MemExomizer",
        arguments: "forward = false, literals = true, check",
        about: "Packs with Exomizer and adds the address.",
        parameters: &[START, FORWARD, LITERALS, CACHE],
    },
    ModifierItem {
        modifier: Modifier::ForwardMemExomizer,
        name: "ForwardMemExomizer",
        arguments: "check",
        about: "MemExomizer for a reader that goes forwards.",
        parameters: &[START, FORWARD, LITERALS, CACHE],
    },
    ModifierItem {
        modifier: Modifier::BackwardMemExomizer,
        name: "BackwardMemExomizer",
        arguments: "check",
        about: "MemExomizer for a reader that goes backwards.",
        parameters: &[START, FORWARD, LITERALS, CACHE],
    },
    ModifierItem {
        modifier: Modifier::LevelExomizer,
        name: "LevelExomizer",
        arguments: "forward = false, literals = true, offsets = false",
        about: "Packs every memory block by itself, for loaders of levels.",
        parameters: &[FORWARD, LITERALS, OFFSETS, CACHE],
    },
    ModifierItem {
        modifier: Modifier::RawExomizer,
        name: "RawExomizer",
        arguments: "forward = false, literals = true, reverse = false, maxOffset = 65535",
        about: "Packs with Exomizer without an address.",
        parameters: &[FORWARD, LITERALS, REVERSE, FARTHEST, CACHE],
    },
    ModifierItem {
        modifier: Modifier::DeltaPacker,
        name: "DeltaPacker",
        arguments: "reverse = false",
        about: "Writes differences that a running adc restores.",
        parameters: &[],
    },
    ModifierItem {
        modifier: Modifier::Ts,
        name: "TS",
        arguments: "inplace = false, sfx = false, jmp = the block",
        about: "Packs with TSCrunch.",
        parameters: &[IN_PLACE, SELF_EXTRACTING, JUMP, CACHE],
    },
    ModifierItem {
        modifier: Modifier::Xex,
        name: "XexFormat",
        arguments: "run, init",
        about: "Writes a program file of Atari DOS: load blocks, then the vectors RUN and INIT.",
        parameters: &[RUN, INIT],
    },
];

/// A modifier of segments as it is written: in `modify=`, with parameters beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentModifier {
    /// As written.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [&'static str],
}

/// The modifier that every program has.
pub const BASIC_UPSTART: SegmentModifier = SegmentModifier {
    name: "BasicUpstart",
    about: "Puts a BASIC line at $0801 that starts the program.",
    parameters: &[START_OF_PROGRAM],
};

/// The modifiers of segments.
pub fn segment_modifiers() -> impl Iterator<Item = SegmentModifier> {
    let packers = MODIFIERS.iter().filter(|item| !item.parameters.is_empty());
    let packers = packers.map(|item| SegmentModifier {
        name: item.name,
        about: item.about,
        parameters: item.parameters,
    });
    std::iter::once(BASIC_UPSTART).chain(packers)
}

/// Whether a plugin is there for segments, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// `.modify` and `modify=`.
    Everywhere,
    /// `.modify` alone.
    Modify,
}

/// A plugin that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plugin {
    /// The name of the Java class.
    pub class: &'static str,
    /// The result.
    pub modifiers: &'static [Modifier],
    /// Where they may be used.
    pub reach: Reach,
}

const FAMILY: &[Modifier] = &[
    Modifier::ByteBoozer,
    Modifier::B2,
    Modifier::B2Exe,
    Modifier::MemExomizer,
    Modifier::ForwardMemExomizer,
    Modifier::BackwardMemExomizer,
    Modifier::LevelExomizer,
    Modifier::RawExomizer,
    Modifier::DeltaPacker,
];
const EXOMIZERS: &[Modifier] = &[
    Modifier::MemExomizer,
    Modifier::ForwardMemExomizer,
    Modifier::BackwardMemExomizer,
    Modifier::LevelExomizer,
    Modifier::RawExomizer,
];

const fn archive(class: &'static str, modifiers: &'static [Modifier]) -> Plugin {
    Plugin { class, modifiers, reach: Reach::Everywhere }
}

const fn single(class: &'static str, modifiers: &'static [Modifier]) -> Plugin {
    Plugin { class, modifiers, reach: Reach::Modify }
}

/// Every plugin.
pub const PLUGINS: &[Plugin] = &[
    archive("se.triad.kickass.CruncherPlugins", FAMILY),
    archive("se.booze.kickass.CruncherPlugins", FAMILY),
    archive("se.triad.kickass.exomizer.ExomizerArchive", EXOMIZERS),
    archive("tscrunch.kickass.CruncherPlugins", &[Modifier::Ts]),
    archive("dk.camelot64.kickass.xexplugin.AtariXex", &[Modifier::Xex]),
    single("tscrunch.kickass.TS", &[Modifier::Ts]),
    single("se.triad.kickass.exomizer.MemExomizer", &[Modifier::MemExomizer]),
    single("se.triad.kickass.exomizer.ForwardMemExomizer", &[Modifier::ForwardMemExomizer]),
    single("se.triad.kickass.exomizer.BackwardMemExomizer", &[Modifier::BackwardMemExomizer]),
    single("se.triad.kickass.exomizer.LevelExomizer", &[Modifier::LevelExomizer]),
    single("se.triad.kickass.exomizer.RawExomizer", &[Modifier::RawExomizer]),
    single("se.booze.byteboozer.ByteBoozer", &[Modifier::ByteBoozer]),
    single("se.booze.byteboozer.B2", &[Modifier::B2]),
    single("se.booze.byteboozer.B2Exe", &[Modifier::B2Exe]),
    single("se.booze.deltapacker.DeltaPacker", &[Modifier::DeltaPacker]),
];

impl Modifier {
    /// Its item in the table.
    pub fn item(self) -> &'static ModifierItem {
        MODIFIERS.iter().find(|item| item.modifier == self).expect("every modifier has an item")
    }

    /// The name as written.
    pub fn name(self) -> &'static str {
        self.item().name
    }
}

impl Plugin {
    /// A sentence about it.
    pub fn about(&self) -> String {
        let names: Vec<&str> = self.modifiers.iter().map(|modifier| modifier.name()).collect();
        let place = match self.reach {
            Reach::Everywhere => "for .modify and segments",
            Reach::Modify => "for .modify alone",
        };
        format!("{}, {place}.", names.join(", "))
    }
}

/// Whether a parameter may wait for a label. All others must be known in the first pass.
pub(crate) fn may_wait(parameter: &str) -> bool {
    [RUN, INIT].contains(&parameter)
}

/// The plugin of a class.
pub fn plugin(class: &str) -> Option<&'static Plugin> {
    PLUGINS.iter().find(|plugin| plugin.class == class)
}
