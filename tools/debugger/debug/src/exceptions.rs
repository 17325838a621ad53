//! Exceptions: events that stop a program without a breakpoint, and the user's choice among them.

/// A reason to stop without a breakpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exception {
    /// A check of a test failed.
    Assert,
    /// A guard of a test was broken.
    Guard,
    /// A jam opcode.
    Jam,
    /// `brk` on a machine without a handler.
    Brk,
    /// A byte was read that was never written.
    Uninit,
    /// A return without a call, or the stack wrapped around.
    Stack,
    /// Code was changed.
    SelfMod,
    /// An instruction jumped to itself.
    Trap,
    /// An interrupt came.
    Irq,
    /// A non-maskable interrupt came.
    Nmi,
    /// The cycles are used up.
    Limit,
    /// `.break` and `.watch` of the source.
    SourceBreaks,
}

impl Exception {
    /// All of them.
    pub const ALL: [Exception; 12] = [
        Exception::Assert,
        Exception::Guard,
        Exception::Jam,
        Exception::Brk,
        Exception::Uninit,
        Exception::Stack,
        Exception::SelfMod,
        Exception::Trap,
        Exception::Irq,
        Exception::Nmi,
        Exception::Limit,
        Exception::SourceBreaks,
    ];

    /// The name in settings.
    pub fn id(self) -> &'static str {
        match self {
            Exception::Assert => "assert",
            Exception::Guard => "guard",
            Exception::Jam => "jam",
            Exception::Brk => "brk",
            Exception::Uninit => "uninit",
            Exception::Stack => "stack",
            Exception::SelfMod => "selfmod",
            Exception::Trap => "trap",
            Exception::Irq => "irq",
            Exception::Nmi => "nmi",
            Exception::Limit => "limit",
            Exception::SourceBreaks => "source-breaks",
        }
    }

    /// The text for people.
    pub fn label(self) -> &'static str {
        match self {
            Exception::Assert => "Failed check of a test",
            Exception::Guard => "Broken guard of a test",
            Exception::Jam => "Jam opcode",
            Exception::Brk => "BRK without a handler",
            Exception::Uninit => "Read of a byte never written",
            Exception::Stack => "Return without a call, stack wrap",
            Exception::SelfMod => "Self-modified code",
            Exception::Trap => "Jump to itself",
            Exception::Irq => "Interrupt entry",
            Exception::Nmi => "NMI entry",
            Exception::Limit => "Cycles used up",
            Exception::SourceBreaks => ".break and .watch of the source",
        }
    }

    /// By its name.
    pub fn from_id(id: &str) -> Option<Exception> {
        Exception::ALL.into_iter().find(|exception| exception.id() == id)
    }

    /// Whether it stops unless the user says otherwise.
    pub fn is_default(self) -> bool {
        !matches!(
            self,
            Exception::Uninit | Exception::Stack | Exception::SelfMod | Exception::Irq | Exception::Nmi
        )
    }

    fn bit(self) -> u16 {
        1 << (self as u16)
    }
}

/// The exceptions that stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceptions(u16);

impl Default for Exceptions {
    fn default() -> Exceptions {
        let on = Exception::ALL.into_iter().filter(|exception| exception.is_default());
        Exceptions(on.fold(0, |all, exception| all | exception.bit()))
    }
}

impl Exceptions {
    /// None of them.
    pub fn none() -> Exceptions {
        Exceptions(0)
    }

    /// One more.
    #[must_use]
    pub fn with(self, exception: Exception) -> Exceptions {
        Exceptions(self.0 | exception.bit())
    }

    /// One less.
    #[must_use]
    pub fn without(self, exception: Exception) -> Exceptions {
        Exceptions(self.0 & !exception.bit())
    }

    /// Whether one stops.
    pub fn has(self, exception: Exception) -> bool {
        self.0 & exception.bit() != 0
    }

    /// Whether every access must be seen for them.
    pub fn needs_accesses(self) -> bool {
        [Exception::Uninit, Exception::SelfMod].into_iter().any(|one| self.has(one))
    }

    /// Whether every instruction must be seen for them.
    pub fn needs_all(self) -> bool {
        self.needs_accesses() || self.has(Exception::Stack)
    }
}
