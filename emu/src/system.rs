//! The registry of machines: each is a line with its names and what it is made of. Commands, projects, suites, editors and
//! debuggers have their words from here.

use alloc::boxed::Box;
use alloc::vec::Vec;

use tempo_isa::Cpu as Isa;

use crate::c64::{C64, Model};
use crate::computer::{Computer, Timing};
use crate::hardware::Hardware;
use crate::keyboard::Keyboard;
use crate::machine::{BankedMachine, Flat, Furnishing, Machine};
use crate::state::{self, StateError};
use crate::{Cmos, Nmos, Ricoh2A03, Rom, Variant};

/// A type of machines that is in the registry.
pub(crate) trait Kind: Machine {
    fn made(model: Self::Model) -> Made;
}

/// The kinds of machines, each a type with what tells its models apart: those that are a CPU and memory, and whole
/// computers.
macro_rules! kinds {
    (bare { $($bare:ident: $plain:ty,)* } whole { $($whole:ident: $computer:ty,)* }) => {
        /// The parts of a machine.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) enum Made {
            $($bare(<$plain as Machine>::Model),)*
            $($whole(<$computer as Machine>::Model),)*
        }

        /// A machine of any kind.
        #[derive(Clone)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the kinds are described where they are made")]
        pub enum AnyMachine {
            $($bare(Box<$plain>),)*
            $($whole(Box<$computer>),)*
        }

        /// A whole computer of any kind.
        #[derive(Clone)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the kinds are described where they are made")]
        pub enum AnyComputer {
            $($whole(Box<$computer>),)*
        }

        /// Runs an expression on the machine, whichever it is.
        macro_rules! on {
            ($any:expr, $name:ident => $code:expr) => {
                match $any {
                    $(AnyMachine::$bare($name) => $code,)*
                    $(AnyMachine::$whole($name) => $code,)*
                }
            };
        }

        /// Runs an expression on the computer, whichever it is.
        macro_rules! at {
            ($any:expr, $name:ident => $code:expr) => {
                match $any { $(AnyComputer::$whole($name) => $code,)* }
            };
        }

        /// A fact about the type of a machine.
        macro_rules! of_type {
            ($made:expr, $machine:ident => $fact:expr) => {
                match $made {
                    $(Made::$bare(_) => { type $machine = $plain; $fact })*
                    $(Made::$whole(_) => { type $machine = $computer; $fact })*
                }
            };
        }

        /// A fact about the type of a computer and its model; `None` for other machines.
        macro_rules! of_computer {
            ($made:expr, $machine:ident, $model:pat => $fact:expr) => {
                match $made {
                    $(Made::$whole($model) => { type $machine = $computer; Some($fact) })*
                    _ => None,
                }
            };
        }

        $(impl From<$computer> for AnyComputer {
            fn from(machine: $computer) -> AnyComputer {
                AnyComputer::$whole(Box::new(machine))
            }
        })*

        impl AnyMachine {
            fn made(made: Made) -> AnyMachine {
                match made {
                    $(Made::$bare(model) => AnyMachine::$bare(Box::new(Machine::new(model))),)*
                    $(Made::$whole(model) => AnyMachine::$whole(Box::new(Machine::new(model))),)*
                }
            }

            fn loaded(made: Made, bytes: &[u8]) -> Result<AnyMachine, StateError> {
                Ok(match made {
                    $(Made::$bare(model) => AnyMachine::$bare(Box::new(System::load(model, bytes)?)),)*
                    $(Made::$whole(model) => AnyMachine::$whole(Box::new(System::load(model, bytes)?)),)*
                })
            }

            /// Takes over another machine's state, without new memory where that is possible.
            pub fn copy_from(&mut self, other: &AnyMachine) {
                match (self, other) {
                    $((AnyMachine::$bare(mine), AnyMachine::$bare(theirs)) => mine.copy_from(theirs),)*
                    (mine, theirs) => *mine = theirs.clone(),
                }
            }

            /// Whether nothing can tell two machines apart.
            pub fn is_same(&self, other: &AnyMachine) -> bool {
                match (self, other) {
                    $((AnyMachine::$bare(one), AnyMachine::$bare(two)) => one.is_same(two),)*
                    $((AnyMachine::$whole(one), AnyMachine::$whole(two)) => one.is_same(two),)*
                    _ => false,
                }
            }
        }

        impl AnyComputer {
            fn made(made: Made) -> Option<AnyComputer> {
                match made {
                    $(Made::$whole(model) => Some(AnyComputer::$whole(Box::new(Machine::new(model)))),)*
                    _ => None,
                }
            }

            fn loaded(made: Made, bytes: &[u8]) -> Option<Result<AnyComputer, StateError>> {
                match made {
                    $(Made::$whole(model) => Some(System::load::<$computer>(model, bytes).map(AnyComputer::from)),)*
                    _ => None,
                }
            }

            fn how_made(&self) -> Made {
                match self { $(AnyComputer::$whole(machine) => Made::$whole(machine.model()),)* }
            }

            /// Whether nothing can tell two machines apart.
            #[allow(unreachable_patterns, reason = "there may be one kind only")]
            pub fn is_same(&self, other: &AnyComputer) -> bool {
                match (self, other) {
                    $((AnyComputer::$whole(one), AnyComputer::$whole(two)) => one.is_same(two),)*
                    _ => false,
                }
            }
        }

        $(impl Kind for $plain {
            fn made(model: Self::Model) -> Made {
                Made::$bare(model)
            }
        })*

        $(impl Kind for $computer {
            fn made(model: Self::Model) -> Made {
                Made::$whole(model)
            }
        })*

        impl Made {
            const fn is_whole(self) -> bool {
                of_type!(self, M => M::IS_WHOLE)
            }

            const fn has_sockets(self) -> bool {
                of_type!(self, M => M::HAS_SOCKETS)
            }

            const fn isa(self) -> Isa {
                of_type!(self, M => <<M as Machine>::Chip as Variant>::ISA)
            }

            const fn hardware(self) -> &'static Hardware {
                of_type!(self, M => M::HARDWARE)
            }

            fn is_furnished(self, addr: u16, has: impl Fn(Rom) -> bool) -> bool {
                of_type!(self, M => M::is_furnished(addr, has))
            }

            const fn keyboard(self) -> Option<&'static Keyboard> {
                of_computer!(self, M, _ => M::KEYBOARD)
            }

            const fn palette(self) -> Option<&'static [[u8; 3]]> {
                of_computer!(self, M, _ => M::PALETTE)
            }

            const fn joysticks(self) -> Option<u8> {
                of_computer!(self, M, _ => M::JOYSTICKS)
            }

            fn timing(self) -> Option<Timing> {
                of_computer!(self, M, model => M::timing(model))
            }
        }
    };
}

kinds! {
    bare {
        Nmos: Flat<Nmos>,
        Ricoh2A03: Flat<Ricoh2A03>,
        Cmos: Flat<Cmos>,
        Banked: BankedMachine,
    }
    whole {
        C64: C64,
    }
}

/// A machine's line in the registry.
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    suite: &'static str,
    made: Made,
    title: &'static str,
}

macro_rules! systems {
    ($($(#[$attribute:meta])* $system:ident $name:literal $aliases:expr, $suite:literal $made:expr, $title:literal;)*) => {
        /// A machine that programs can be run on, by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[non_exhaustive]
        pub enum System {
            $($(#[$attribute])* #[doc = $title] $system,)*
        }

        impl System {
            /// All of them, in the order of lists.
            pub const ALL: [System; [$($name),*].len()] = [$(System::$system),*];
        }

        static ENTRIES: [Entry; System::ALL.len()] = [$(
            Entry { name: $name, aliases: &$aliases, suite: $suite, made: $made, title: $title }
        ),*];
    };
}

// The columns: variant, name, other spellings, name in suites, what it is made of, description.
systems! {
    #[default]
    Mos6502   "6502"       ["cpu", "bare", "generic-6502"], "generic_6502"  Made::Nmos(()),                   "6502 and 64 KB of RAM";
    Mos6510   "6510"       ["generic-6510"],                "banked_6510"   Made::Banked(Furnishing::Bare),   "6510: the same with the bank switch at $00/$01; nothing answers at $D000 while I/O is switched in";
    Wdc65c02  "65c02"      ["generic-65c02"],               "generic_65c02" Made::Cmos(()),                   "WDC 65C02 with the Rockwell bit instructions, and 64 KB of RAM";
    Ricoh2A03 "2a03"       ["generic-2a03"],                "generic_2a03"  Made::Ricoh2A03(()),              "Ricoh 2A03, the 6502 without decimal mode, and 64 KB of RAM";
    C64Memory "c64-memory" [],                              "c64_memory"    Made::Banked(Furnishing::C64),    "banked memory of a C64 without its chips: ROM sockets, I/O as plain bytes";
    C64Pal    "c64"        ["c64-pal", "pal"],              "c64_pal"       Made::C64(Model::Pal),            "whole C64 with a 6569 (PAL): 312 lines of 63 cycles";
    C64Ntsc   "c64-ntsc"   ["ntsc"],                        "c64_ntsc"      Made::C64(Model::Ntsc),           "whole C64 with a 6567R8 (NTSC): 263 lines of 65 cycles";
    C64cPal   "c64c-pal"   ["c64c"],                        "c64c_pal"      Made::C64(Model::C64c),           "whole C64C with an 8565 (PAL), 6526A and 8580: 312 lines of 63 cycles";
    C64NtscOld "c64-ntscold" ["ntscold"],                   "c64_ntscold"   Made::C64(Model::NtscOld),        "whole C64 with a 6567R56A (early NTSC): 262 lines of 64 cycles";
    Drean     "c64-drean"  ["drean"],                       "c64_drean"     Made::C64(Model::Drean),          "whole C64 with a 6572 (PAL-N, made by Drean): 312 lines of 65 cycles";
}

/// The words of sim6502, which suites share with it, and what they do not mean. `c64` has another meaning everywhere else.
const SIM6502: [(&str, System, Option<&str>); 4] = [
    ("generic_6502", System::Mos6502, None),
    (
        "generic_6510",
        System::Mos6502,
        Some("as in sim6502 $00 and $01 are plain bytes; `banked_6510` has the bank switch"),
    ),
    ("generic_65c02", System::Wdc65c02, None),
    ("c64", System::C64Memory, Some(System::WITHOUT_CHIPS)),
];

impl System {
    /// The meaning of `c64` in a suite, for tests that expect more.
    pub const WITHOUT_CHIPS: &'static str =
        "`system(c64)` is banked memory without chips, as in sim6502; `system(c64_pal)` is the whole machine";

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// The machine with this name or alias, in small or capital letters, with dashes or underscores.
    pub fn find(word: &str) -> Option<System> {
        let is = |name: &str| {
            let plain = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
            name.len() == word.len() && name.bytes().zip(word.bytes()).all(|(a, b)| plain(a) == plain(b))
        };
        System::ALL.into_iter().find(|system| system.words().any(is))
    }

    /// The machine that a suite calls so.
    pub fn find_in_suite(word: &str) -> Option<System> {
        let given = SIM6502.iter().find(|(given, ..)| given.eq_ignore_ascii_case(word)).map(|row| row.1);
        let own = || System::ALL.into_iter().find(|system| system.suite_name() == word);
        given.or_else(own).or_else(|| System::find(word))
    }

    /// The machines that suites can name, in their words: those of sim6502 first.
    pub fn suite_words() -> impl Iterator<Item = &'static str> {
        let own = System::ALL.into_iter().map(System::suite_name);
        let given = |word: &str| SIM6502.iter().any(|(given, ..)| *given == word);
        SIM6502.iter().map(|row| row.0).chain(own.filter(move |word| !given(word)))
    }

    /// Whether sim6502 knows this word, too.
    pub fn is_of_sim6502(word: &str) -> bool {
        SIM6502.iter().any(|(given, ..)| given.eq_ignore_ascii_case(word))
    }

    /// The meaning that a word does not have in suites, because sim6502 gives it another one.
    pub fn remark_on(word: &str) -> Option<&'static str> {
        SIM6502.iter().find(|(given, ..)| given.eq_ignore_ascii_case(word)).and_then(|row| row.2)
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Other spellings of the name.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.entry().aliases
    }

    /// The name and all other spellings.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        core::iter::once(self.name()).chain(self.aliases().iter().copied())
    }

    /// The name in a suite.
    pub const fn suite_name(self) -> &'static str {
        self.entry().suite
    }

    /// A line of description.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Whether it has chips that run by themselves: video, timers, interrupts.
    pub const fn is_whole(self) -> bool {
        self.entry().made.is_whole()
    }

    /// Whether it has sockets for ROMs.
    pub const fn has_sockets(self) -> bool {
        self.entry().made.has_sockets()
    }

    /// The instruction set.
    pub const fn isa(self) -> Isa {
        self.entry().made.isa()
    }

    /// The model, if it is a whole C64.
    pub const fn c64(self) -> Option<Model> {
        match self.entry().made {
            Made::C64(model) => Some(model),
            _ => None,
        }
    }

    /// The names of its addresses.
    pub const fn hardware(self) -> &'static Hardware {
        self.entry().made.hardware()
    }

    /// Whether a read at an address is answered by ROM, by a chip, or by RAM that the machine has filled, rather than by RAM
    /// that a program must have written. `has` tells the sockets with an image.
    pub fn is_furnished(self, addr: u16, has: impl Fn(Rom) -> bool) -> bool {
        self.entry().made.is_furnished(addr, has)
    }

    /// The keyboard, if it is a whole computer.
    pub const fn keyboard(self) -> Option<&'static Keyboard> {
        self.entry().made.keyboard()
    }

    /// The colours of its picture by number, if it is a whole computer.
    pub const fn palette(self) -> Option<&'static [[u8; 3]]> {
        self.entry().made.palette()
    }

    /// How many joysticks can be plugged in.
    pub const fn joysticks(self) -> u8 {
        match self.entry().made.joysticks() {
            Some(count) => count,
            None => 0,
        }
    }

    /// Whether a joystick can be plugged in as this number.
    pub fn has_control_port(self, number: i64) -> bool {
        (1..=i64::from(self.joysticks())).contains(&number)
    }

    /// The clock and the frames, if it is a whole computer.
    pub fn timing(self) -> Option<Timing> {
        self.entry().made.timing()
    }

    /// Makes one as it is after it was switched on, if it is a whole computer.
    pub fn computer(self) -> Option<AnyComputer> {
        AnyComputer::made(self.entry().made)
    }

    /// The machine that bytes were saved of.
    pub fn of_state(bytes: &[u8]) -> Result<System, StateError> {
        state::open(bytes).map(|(system, _)| system)
    }

    /// Makes the machine that was saved, which must be one of this name.
    pub fn restore(self, bytes: &[u8]) -> Result<AnyMachine, StateError> {
        AnyMachine::loaded(self.entry().made, bytes)
    }

    /// The same for a whole computer; `None` for other machines.
    pub fn restore_computer(self, bytes: &[u8]) -> Option<Result<AnyComputer, StateError>> {
        AnyComputer::loaded(self.entry().made, bytes)
    }

    fn of(made: Made) -> System {
        let mut all = System::ALL.into_iter();
        all.find(|system| system.entry().made == made).expect("every model has a line in the registry")
    }

    /// A machine as bytes.
    pub(crate) fn save<M: Kind>(machine: &M) -> Vec<u8> {
        state::pack(System::of(M::made(machine.model())), machine)
    }

    /// The machine of this model that was saved.
    pub(crate) fn load<M: Kind>(model: M::Model, bytes: &[u8]) -> Result<M, StateError> {
        let expected = System::of(M::made(model));
        let (found, fields) = state::open(bytes)?;
        if found != expected {
            return Err(StateError::Other { found, expected });
        }
        let machine: M = state::unpack(fields)?;
        match machine.model() == model {
            true => Ok(machine),
            false => Err(StateError::Impossible("its parts are those of another model")),
        }
    }

    /// Makes one, as it is after it was switched on.
    pub fn build(self) -> AnyMachine {
        AnyMachine::made(self.entry().made)
    }
}

impl core::fmt::Display for System {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

mod any;
#[cfg(test)]
mod tests;
