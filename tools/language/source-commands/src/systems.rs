//! Machines on the command line: the registry of `tempo-emu` as values of an option.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use tempo_emu::System;

/// Parses the name of a machine. All spellings are taken, the names are shown.
pub fn parser() -> impl TypedValueParser<Value = System> {
    Parser
}

#[derive(Clone)]
struct Parser;

fn shown() -> impl Iterator<Item = PossibleValue> {
    System::ALL.into_iter().map(|system| PossibleValue::new(system.name()).help(system.title()))
}

impl TypedValueParser for Parser {
    type Value = System;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<System, Error> {
        let known = value.to_str().and_then(System::find);
        let name = known.map_or(value, |system| OsStr::new(system.name()));
        // The usual message for a word that is none of them.
        let name = PossibleValuesParser::new(shown()).parse_ref(command, arg, name)?;
        Ok(known.or_else(|| System::find(&name)).expect("a name of the registry"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(shown()))
    }
}
