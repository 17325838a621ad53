//! The registry of machines: each is a line with its names and what it is made of. Commands, projects, suites, editors and
//! debuggers have their words from here.

use alloc::boxed::Box;

use tempo_isa::Cpu as Isa;

use crate::c64::{C64, Model};
use crate::machine::{BankedMachine, Flat, Furnishing, Machine, Picture, Visit, place, renew};
use crate::{Cmos, Hooks, Nmos, Registers, Ricoh2A03, Rom, RomError, Stop, Until, Variant};

/// The kinds of machines, each a type with what tells its models apart.
macro_rules! kinds {
    ($($kind:ident: $machine:ty,)*) => {
        /// What a machine is made of.
        #[derive(Debug, Clone, Copy)]
        enum Made {
            $($kind(<$machine as Machine>::Model),)*
        }

        /// A machine of any kind.
        #[derive(Clone)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the kinds are described where they are made")]
        pub enum AnyMachine {
            $($kind(Box<$machine>),)*
        }

        /// Runs an expression on the machine, whichever it is.
        macro_rules! on {
            ($any:expr, $name:ident => $code:expr) => {
                match $any { $(AnyMachine::$kind($name) => $code,)* }
            };
        }

        impl AnyMachine {
            fn made(made: Made) -> AnyMachine {
                match made { $(Made::$kind(model) => AnyMachine::$kind(Box::new(Machine::new(model))),)* }
            }

            /// Takes over another machine's state, without new memory where that is possible.
            pub fn copy_from(&mut self, other: &AnyMachine) {
                match (self, other) {
                    $((AnyMachine::$kind(mine), AnyMachine::$kind(theirs)) => mine.copy_from(theirs),)*
                    (mine, theirs) => *mine = theirs.clone(),
                }
            }

            /// Whether nothing can tell two machines apart.
            pub fn is_same(&self, other: &AnyMachine) -> bool {
                match (self, other) {
                    $((AnyMachine::$kind(one), AnyMachine::$kind(two)) => one.is_same(two),)*
                    _ => false,
                }
            }
        }

        impl Made {
            const fn is_whole(self) -> bool {
                match self { $(Made::$kind(_) => <$machine as Machine>::IS_WHOLE,)* }
            }

            const fn has_sockets(self) -> bool {
                match self { $(Made::$kind(_) => <$machine as Machine>::HAS_SOCKETS,)* }
            }

            const fn isa(self) -> Isa {
                match self { $(Made::$kind(_) => <<$machine as Machine>::Chip as Variant>::ISA,)* }
            }
        }
    };
}

kinds! {
    Nmos: Flat<Nmos>,
    Ricoh2A03: Flat<Ricoh2A03>,
    Cmos: Flat<Cmos>,
    Banked: BankedMachine,
    C64: C64,
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

    /// What a word of suites that sim6502 gives a meaning of its own does not mean.
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

    /// The whole C64 of this model.
    pub fn of_c64(model: Model) -> System {
        let mut all = System::ALL.into_iter();
        all.find(|system| system.c64() == Some(model)).expect("every model has a line in the registry")
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

impl AnyMachine {
    /// The registers.
    pub fn registers(&self) -> &Registers {
        on!(self, machine => &machine.cpu().registers)
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        on!(self, machine => machine.cpu().cycles)
    }

    /// Sets registers and cycles. If they are others than before, what the last instruction decided is forgotten.
    pub fn place(&mut self, registers: Registers, cycles: u64) {
        on!(self, machine => place(machine.parts().0, registers, cycles));
    }

    /// The same with a CPU that knows nothing of the run before, even if they are not others.
    pub fn renew(&mut self, registers: Registers, cycles: u64) {
        on!(self, machine => renew(machine.parts().0, registers, cycles));
    }

    /// Does something with the machine that is written for all of them.
    pub fn visit<V: Visit>(&mut self, visit: V) -> V::Output {
        on!(self, machine => visit.visit(&mut **machine))
    }

    /// Runs with hooks until one of the ends.
    #[inline(always)]
    pub fn run<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Stop {
        on!(self, machine => machine.run(hooks, until))
    }

    /// Runs one instruction.
    pub fn step(&mut self) -> Stop {
        self.run(&mut crate::NoHooks, Until::cycles(1))
    }

    /// What the CPU would read, without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        on!(self, machine => machine.peek(addr))
    }

    /// A store from outside.
    pub fn poke(&mut self, addr: u16, value: u8) {
        on!(self, machine => machine.poke(addr, value));
    }

    /// Puts bytes straight into RAM. They must fit.
    pub fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        on!(self, machine => machine.load_at(addr, bytes));
    }

    /// Puts an image in a ROM socket. A machine without sockets ignores it.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        on!(self, machine => machine.insert(rom, image))
    }

    /// The beam's line, and its cycle there, from 1.
    pub fn beam(&self) -> Option<(u16, u8)> {
        on!(self, machine => machine.beam())
    }

    /// The last complete picture.
    pub fn picture(&self) -> Option<Picture<'_>> {
        on!(self, machine => machine.picture())
    }

    /// Presses or releases the key with this name; whether there is one.
    pub fn set_key(&mut self, name: &str, is_down: bool) -> bool {
        on!(self, machine => machine.set_key(name, is_down))
    }

    /// About how many bytes a clone takes.
    pub fn size(&self) -> usize {
        on!(self, machine => machine.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_one_machine() {
        let mut seen = alloc::collections::BTreeSet::new();
        for system in System::ALL {
            for word in system.words() {
                assert!(seen.insert(word), "{word} is the name of two machines");
                assert_eq!(System::find(word), Some(system));
                assert_eq!(System::find(&word.replace('-', "_").to_uppercase()), Some(system));
            }
            assert_eq!(System::find_in_suite(system.suite_name()), Some(system));
        }
        assert_eq!(System::find("amiga"), None);
        assert_eq!(
            (System::find("c64"), System::find_in_suite("c64")),
            (Some(System::C64Pal), Some(System::C64Memory))
        );
        assert_eq!(System::find("c64-pal"), Some(System::C64Pal));
        for &model in Model::ALL {
            assert_eq!(System::of_c64(model).c64(), Some(model));
        }
    }

    #[test]
    fn every_machine_runs_looks_and_stores() {
        for system in System::ALL {
            let mut machine = system.build();
            // inc $1100; jmp $1000
            machine.load_at(0x1000, &[0xee, 0x00, 0x11, 0x4c, 0x00, 0x10]);
            machine.poke(0x1100, 7);
            let registers = Registers { pc: 0x1000, ..*machine.registers() };
            machine.place(registers, machine.cycles());
            let before = machine.clone();
            machine.step();
            assert_eq!((machine.peek(0x1100), machine.registers().pc), (8, 0x1003), "{system}");
            assert!(machine.cycles() >= before.cycles() + 6 && !machine.is_same(&before), "{system}");
            assert_eq!(
                (machine.beam().is_some(), machine.set_key("A", true)),
                (system.is_whole(), system.is_whole())
            );
            let again = &mut before.clone();
            again.step();
            assert_eq!(again.peek(0x1100), 8);
        }
    }

    #[test]
    fn the_bank_switch_of_a_6510_is_that_of_its_machine() {
        let seen = |system: System| {
            let mut machine = system.build();
            machine.load_at(0xd000, &[0x11]);
            machine.load_at(0xe000, &[0x12]);
            [machine.peek(0xd000), machine.peek(0xe000)]
        };
        assert_eq!(seen(System::Mos6502), [0x11, 0x12]);
        assert_eq!(seen(System::Mos6510), [0xff, 0x12]);
        assert_eq!(seen(System::C64Memory), [0x00, 0x00]);
    }
}
