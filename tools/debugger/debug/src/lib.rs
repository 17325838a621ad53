#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// The machine and its past.
mod calls;
mod history;
mod hook;
mod machine;

// What the program is called.
mod map;
mod names;

// What stops it.
mod condition;
mod exceptions;
mod judge;
mod points;
mod step;

// The debugger.
mod coverage;
mod debugger;
mod drive;
mod driven;
mod frames;
mod launch;
mod listing;
mod mirror;
pub mod recorded;
mod reverse;
mod values;
mod why;

pub use calls::{Call, CallKind, Calls, Frames, Role};
pub use condition::{BeamClock, Clock, DebuggerForm, ExpressionError, Fault, Program, View};
pub use coverage::{Coverage, Traced};
pub use debugger::{Debugger, Reason, StopAt, Stopped, Target};
pub use drive::{drive_instructions, drive_state};
pub use driven::{Accesses, Ran};
pub use exceptions::{Exception, Exceptions};
pub use frames::{Frame, Place};
pub use history::Moment;
pub use hook::{EXECUTE, Flags, Judge, Now, READ, Touch, WRITE};
pub use launch::{Drive, Setup, parse_number};
pub use listing::Row;
pub use machine::{AtEnd, Halt, Input, Machine};
pub use map::{Expansion, File, LinePlaces, SourceMap, Spot, Statement};
pub use names::{Name, Names};
pub use points::{Hits, Message, Origin, Point, Points, Watch};
pub use step::{Granularity, StepKind};
pub use tempo_emu::System;
pub use tempo_rig::{Action, Recording, Roms};
pub use values::{Answer, show_byte, show_number};
pub use why::{Origin as Maker, Subject, Writer};
