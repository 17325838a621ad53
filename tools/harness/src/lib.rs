//! Runs `.6502` test suites: unit tests for assembled 6502 code.
//!
//! Suites come in as text, events go out; reports are functions of the events. The crate opens no file, reads no
//! clock and prints nothing: those come through [`files::Files`], [`run::Clock`] and the caller.
//!
//! ```
//! use std::sync::Arc;
//!
//! use tempo_harness::check::{AssemblyCache, CheckOptions, check};
//! use tempo_harness::files::MemoryFiles;
//! use tempo_harness::parse::{Dialect, parse};
//! use tempo_harness::run::{NoClock, RunOptions, run};
//! use tempo_harness::source::Source;
//!
//! let mut files = MemoryFiles::default();
//! files.insert("five.asm", "*=$1000\nFive: lda #5\n rts\n");
//! let text = r#"suites { suite("numbers") {
//!     assemble("five.asm")
//!     test("five", "is five") { jsr([Five]) assert(a == 5) }
//! } }"#;
//!
//! let mut source = Source::new("five.6502", text);
//! let parsed = parse(&mut source, Dialect::Full, &files);
//! let source = Arc::new(source);
//! let checked = check(&source, &parsed.file, CheckOptions::default(), &files, &AssemblyCache::default());
//! assert!(checked.diagnostics.is_empty());
//! let totals = run(&[checked.plan], &RunOptions::default(), &NoClock, &mut |_event| {});
//! assert_eq!((totals.counts.passed, totals.cycles), (1, 8));
//! ```

// Text to tree.
pub mod ast;
pub mod diag;
pub mod dump;
pub mod lexer;
pub mod parse;
pub mod source;

// Tree to plan.
pub mod assemble;
pub mod check;
pub mod eval;
pub mod files;
pub mod layout;
pub mod lines;
pub mod names;
pub mod plan;

// Plan to events.
pub mod events;
pub mod machine;
pub mod probe;
pub mod random;
pub mod run;

// Events to text.
pub mod report;
