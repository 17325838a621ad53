//! CPUs on the command line: the registry of `tempo-isa` as values of an option.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tempo_isa::Cpu;

/// Parses the name of one of these CPUs.
pub fn parser(cpus: impl Iterator<Item = Cpu>) -> impl TypedValueParser<Value = Cpu> {
    let names = cpus.map(|cpu| PossibleValue::new(cpu.name()).help(cpu.title()));
    PossibleValuesParser::new(names).map(|name| Cpu::from_name(&name).expect("a name of the registry"))
}
