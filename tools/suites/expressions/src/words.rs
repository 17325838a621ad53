//! The words of the language, by the place they may stand in. Data only.

/// Statements a test may start with, for hints and for finding the next statement after a fault.
pub const STEPS: &[&str] = &[
    "assert",
    "jsr",
    "memfill",
    "memdump",
    "forall",
    "each",
    "stub",
    "spy",
    "io",
    "capture",
    "fen",
    "bytes",
    "words",
    "text",
    "file",
    "copy",
    "random",
    "frames",
    "keys",
    "irq",
    "nmi",
    "joystick",
    "disk",
    "screenshot",
    "snapshot",
];

/// Lines a suite may hold.
pub const ENTRIES: &[&str] = &[
    "symbols",
    "load",
    "rom",
    "setup",
    "test",
    "bench",
    "assemble",
    "define",
    "layout",
    "procedure",
    "stub",
    "spy",
    "io",
    "guard",
    "protect",
    "uninit",
    "selfmod",
    "stack",
    "zp",
    "preserve",
    "include",
];

/// Whether a file of lines for others to include may start with this word.
pub fn is_shareable(word: &str) -> bool {
    ENTRIES.contains(&word) && !matches!(word, "test" | "bench")
}

/// Statements of other back ends.
pub const BACKEND_STEPS: &[&str] =
    &["basic", "run", "wait_ready", "wait_text", "send_key", "pause", "resume", "cold_start", "uci"];

/// Conditions and values of other back ends.
pub const BACKEND_VALUES: &[&str] = &["screen_contains", "screen_line", "uci_status", "uci_data"];

/// Options of `test`, `bench` and `suite`.
pub const OPTIONS: &[&str] = &[
    "skip", "trace", "timeout", "tags", "isolate", "budget", "protect", "uninit", "selfmod", "stack", "zp",
    "preserve",
];

/// Keywords of the base language: not usable as symbol names there.
pub const BASE_KEYWORDS: &[&str] = &[
    "suites",
    "suite",
    "test",
    "setup",
    "load",
    "symbols",
    "rom",
    "system",
    "processor",
    "assert",
    "jsr",
    "peekbyte",
    "peekword",
    "memcmp",
    "memchk",
    "memfill",
    "memdump",
    "cycles",
    "address",
    "strip_header",
    "stop_on_rts",
    "stop_on_address",
    "fail_on_brk",
    "skip",
    "trace",
    "timeout",
    "tags",
    "c64",
    "C64",
    "generic_6502",
    "generic_6510",
    "generic_65c02",
    "generic_65C02",
    "basic",
    "run",
    "wait_ready",
    "wait_text",
    "send_key",
    "cold_start",
    "pause",
    "resume",
    "screen_contains",
    "screen_line",
    "wait",
    "cycles_count",
    "screen",
    "watch",
    "value",
    "ultimate",
    "fs_root",
    "uci",
    "uci_status",
    "uci_data",
    "true",
    "false",
];

/// Words that mean something inside an expression.
pub const VALUES: &[&str] = &[
    "true", "false", "cycles", "peekbyte", "peekword", "memchk", "memcmp", "calls", "captured", "spy",
    "bytes", "text", "fen", "screen", "and", "or", "not", "in",
];

/// Whether a procedure of this name could not be called: the word means something else at the start of a statement.
pub fn is_reserved_procedure(word: &str) -> bool {
    is_reserved_name(word)
        || ENTRIES.contains(&word)
        || matches!(word, "suite" | "suites" | "system" | "processor" | "ultimate")
        || crate::ast::Register::parse(word).is_some()
        || crate::ast::Flag::parse(word).is_some()
}

/// Whether a variable of this name would hide a part of the language. Registers and flags may be hidden:
/// `forall(n in 0..255)` means its own `n`.
pub fn is_reserved_name(word: &str) -> bool {
    STEPS.contains(&word)
        || VALUES.contains(&word)
        || BACKEND_STEPS.contains(&word)
        || BACKEND_VALUES.contains(&word)
}
