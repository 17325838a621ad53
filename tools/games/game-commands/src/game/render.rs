//! Findings for people and for programs.

use std::io::{self, Write};

use serde_json::{Value, json};
use tempo_diagnostics::{Colour, Columns, Renderer, Source};
use tempo_gamespec::{Finding, Report};

use super::load::SpecText;

/// More than a person reads; the rest is counted.
const MOST: usize = 50;

/// Writes faults, then warnings, then how many there were.
pub fn findings(out: &mut dyn Write, spec: &SpecText, report: &Report, colour: Colour) -> io::Result<()> {
    let source = Source::from_bytes(&spec.name, &spec.bytes);
    let renderer = Renderer::new(&source).colour(colour);
    for findings in [&report.faults, &report.warnings] {
        for finding in findings.iter().take(MOST) {
            writeln!(out, "{}", renderer.human(finding))?;
        }
        if findings.len() > MOST {
            writeln!(out, "… and {} more; --format json lists them all\n", findings.len() - MOST)?;
        }
    }
    if !report.faults.is_empty() {
        let faults = tempo_diagnostics::plural(report.faults.len(), "fault");
        writeln!(out, "{}: {faults}", tempo_diagnostics::escaped(&spec.name))?;
    }
    Ok(())
}

/// Every finding as data.
pub fn json(spec: &SpecText, report: &Report) -> Value {
    let source = Source::from_bytes(&spec.name, &spec.bytes);
    let list = |findings: &[Finding]| -> Value {
        findings
            .iter()
            .map(|finding| {
                let at = source.position(finding.span.unwrap_or_default().start, Columns::Characters);
                json!({
                    "pointer": finding.pointer,
                    "code": finding.code.as_str(),
                    "message": finding.message,
                    "line": at.line,
                    "column": at.column,
                })
            })
            .collect()
    };
    json!({"faults": list(&report.faults), "warnings": list(&report.warnings)})
}
