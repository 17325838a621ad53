//! An answer as reports show it: one line for people, and the fields of the JSON event.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::decide::{Answered, Verdict};
use crate::question::Input;

/// Names and numbers in their order; an object in JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, i64)>);

impl Pairs {
    /// The inputs of a question with their values.
    pub fn of(inputs: &[Input], values: &[u64]) -> Pairs {
        let value = |value: &u64| i64::try_from(*value).unwrap_or(i64::MAX);
        Pairs(inputs.iter().zip(values).map(|(input, number)| (input.name.clone(), value(number))).collect())
    }
}

impl std::fmt::Display for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, (name, value)) in self.0.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{name} = {value}")?;
        }
        Ok(())
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Bounds of cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bounds {
    pub min: u64,
    pub max: u64,
    pub at_min: Pairs,
    pub at_max: Pairs,
}

/// An answer for reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
    /// The number of inputs, if it is below 2^64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// Its logarithm to base 2, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<f64>,
    /// Inputs that were run without a failure.
    pub tried: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Pairs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub paths: u64,
    pub conflicts: u64,
    #[serde(skip)]
    pub variables: u64,
    #[serde(skip)]
    pub clauses: u64,
    #[serde(skip)]
    pub emulated: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<Bounds>,
}

impl Summary {
    /// Of a number of cases, before anything is known.
    pub fn new(verdict: &'static str, cases: u128) -> Summary {
        let count = u64::try_from(cases).ok();
        Summary {
            verdict,
            how: None,
            cases: count,
            bits: if count.is_none() { Some((cases as f64).log2()) } else { None },
            tried: 0,
            seed: None,
            example: None,
            reason: None,
            paths: 0,
            conflicts: 0,
            variables: 0,
            clauses: 0,
            emulated: 0,
            cycles: None,
        }
    }

    /// Of an answer.
    pub fn of(answer: &Answered, inputs: &[Input]) -> Summary {
        let cycles = answer.cycles.as_ref().map(|cycles| Bounds {
            min: cycles.min,
            max: cycles.max,
            at_min: Pairs::of(inputs, &cycles.at_min),
            at_max: Pairs::of(inputs, &cycles.at_max),
        });
        Summary {
            how: answer.how.map(|how| how.name()),
            tried: answer.tried,
            example: answer.example.as_ref().map(|example| Pairs::of(inputs, &example.inputs)),
            reason: answer.reason.clone(),
            paths: answer.paths,
            conflicts: answer.conflicts,
            variables: answer.variables,
            clauses: answer.clauses,
            emulated: answer.emulated,
            cycles,
            ..Summary::new(answer.verdict.name(), answer.cases)
        }
    }

    /// The number of inputs for people.
    pub fn count(&self) -> String {
        match self.bits {
            Some(bits) => power(bits),
            None => grouped(self.cases.unwrap_or(0).into()),
        }
    }

    /// The line after the verdict.
    pub fn said(&self) -> String {
        let count = self.count();
        if self.verdict == Verdict::Proved.name() {
            if self.cases == Some(1) {
                return match self.how {
                    Some("exhaustive") => {
                        format!("for every state: one run, {} cycles", grouped(self.emulated.into()))
                    }
                    _ => "for every state, from formulas".to_string(),
                };
            }
            let paths = format!("{} path{}", self.paths, if self.paths == 1 { "" } else { "s" });
            return match self.how {
                Some("symbolic") => format!(
                    "all {count} inputs: symbolic, {paths}, {} variables, {} clauses",
                    self.variables, self.clauses
                ),
                Some("exhaustive") => {
                    format!("all {count} inputs, {} cycles", grouped(self.emulated.into()))
                }
                _ => format!("all {count} inputs; symbolic, {paths}"),
            };
        }
        if self.verdict == Verdict::Refuted.name() {
            let inputs = self.example.as_ref().map(Pairs::to_string).unwrap_or_default();
            return if inputs.is_empty() { "with any state".to_string() } else { inputs };
        }
        let reason = self.reason.clone().unwrap_or_default();
        let tried = grouped(self.tried.into());
        if self.verdict == SAMPLED {
            let seed = self.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
            return format!("{tried} of {count} inputs{seed}");
        }
        if self.verdict == Verdict::Undecided.name() {
            return format!("{reason}; {tried} inputs tried, none fails");
        }
        reason
    }
}

/// The verdict of a property that was tried, without a request to prove it.
pub const SAMPLED: &str = "sampled";

/// `65 536`, or a power of two.
pub fn grouped(number: u128) -> String {
    if number > 1 << 24 {
        return power((number as f64).log2());
    }
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn power(bits: f64) -> String {
    if bits.fract() == 0.0 { format!("2^{bits}") } else { format!("about 2^{bits:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn large_numbers_are_powers() {
        let all: Vec<String> = [7, 65_536, 1 << 24, 1 << 25, (1 << 25) + 1, 1 << 80].map(grouped).into();
        assert_eq!(all, ["7", "65 536", "16 777 216", "2^25", "about 2^25.0", "2^80"]);
    }
}
