//! The plan: suites whose names, files and constants are settled, ready to run. Plain data.
//! Made by the checker, read by the runner; holds no machine.

mod step;

use std::sync::Arc;

pub use step::{
    Backend, Board, Call, Double, Equivalent, Expr, Forall, Form, Hole, Jsr, Kept, Reference, Set, Step,
    StepKind, Stop, Template, Variable, has_doubles,
};

pub use tempo_rig::Roms;

use tempo_emu::System;

use crate::ast::{Strictness, TestKind};
use crate::lines::Lines;
use crate::names::Names;
use crate::source::{Source, Span};

/// One suite file.
#[derive(Debug, Clone)]
pub struct FilePlan {
    pub source: Arc<Source>,
    pub suites: Vec<SuitePlan>,
}

#[derive(Debug, Clone)]
pub struct SuitePlan {
    pub name: String,
    pub span: Span,
    pub machine: System,
    /// Every test starts on a fresh machine.
    pub isolate: bool,
    pub tests: Vec<Arc<TestPlan>>,
}

/// A value a name can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

#[derive(Debug, Clone)]
pub struct TestPlan {
    pub id: String,
    pub description: String,
    pub kind: TestKind,
    pub span: Span,
    /// The row's values, for tests with a table.
    pub values: Vec<(String, Value)>,
    pub skip: bool,
    pub trace: bool,
    /// Cycles; 0 means no limit.
    pub timeout: u64,
    pub budget: Option<u64>,
    /// Lower case.
    pub tags: Vec<String>,
    pub setup: Option<Arc<Vec<Step>>>,
    pub body: Arc<Vec<Step>>,
    pub place: Arc<Surroundings>,
    pub guards: Arc<Guards>,
    /// Something must watch each instruction: guards, stubs, spies.
    pub needs_probe: bool,
}

/// The setup by the suite lines above a test.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    pub loads: Vec<Load>,
    pub roms: Roms,
    pub names: Arc<Names>,
    pub lines: Arc<Lines>,
    pub doubles: Vec<(Span, Double)>,
}

/// Bytes that are put into RAM before every test.
#[derive(Debug, Clone)]
pub struct Load {
    pub address: u16,
    pub bytes: Arc<[u8]>,
}

/// Addresses from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRange {
    pub first: u16,
    pub last: u16,
}

/// An event that must not happen while the program runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guards {
    pub write: Vec<AddressRange>,
    pub read: Vec<AddressRange>,
    pub uninit: Strictness,
    pub selfmod: Strictness,
    pub stack: Strictness,
    /// The zero-page bytes the program owns; `None`: no guard.
    pub zero_page: Option<Vec<AddressRange>>,
    /// Registers and flags that every call must leave as they were.
    pub preserve: Vec<String>,
}

impl Guards {
    pub fn is_off(&self) -> bool {
        *self == Guards::default()
    }
}
