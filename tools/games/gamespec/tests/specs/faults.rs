//! The checker's messages: one fixture for every code, and texts made to break it.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use tempo_diagnostics::{Columns, Source};
use tempo_gamespec::{Code, check};

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("specs/faults"), "json") {
        let name = format!("faults/{}", tempo_testing::stem(&path));
        trials.push(Trial::test(name, move || {
            let bytes = tempo_testing::bytes(&path);
            let source = Source::from_bytes("", &bytes);
            let report = check(&bytes);
            let mut text = String::new();
            for (word, findings) in [("fault", &report.faults), ("warning", &report.warnings)] {
                for fault in findings {
                    let start = fault.span.ok_or("a finding has a place")?.start;
                    let position = source.position(start, Columns::Characters);
                    let (line, column) = (position.line, position.column);
                    text += &format!(
                        "{word} {} at {line}:{column} {}\n  {}\n",
                        fault.code, fault.pointer, fault.message
                    );
                }
            }
            if report.spec.is_some() != report.faults.is_empty() {
                return Err("a game comes of a text exactly if it has no fault".into());
            }
            Ok(tempo_testing::compare(&path.with_extension("expect"), &text)?)
        }));
    }
    trials.push(Trial::test("faults/every-code-has-a-fixture", every_code));
    trials.push(Trial::test("faults/long-lists", long_lists));
    trials
}

fn every_code() -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("specs/faults"), "json") {
        let report = check(&tempo_testing::bytes(&path));
        seen.extend(report.faults.iter().chain(&report.warnings).map(|finding| finding.code.to_string()));
    }
    let missing: Vec<&str> =
        Code::ALL.iter().map(|code| code.as_str()).filter(|name| !seen.contains(*name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no fixture gives {missing:?}").into()) }
}

/// Ten thousand of everything: faults or a game, in bounded time and memory.
fn long_lists() -> Result<(), Failed> {
    let base: serde_json::Value =
        serde_json::from_str(tempo_gamespec::library::find("chess").ok_or("chess")?.text)?;
    let lists = [
        "/board/disabled_positions",
        "/players",
        "/players/0/starting_positions",
        "/players/0/starting_positions/0/positions",
        "/turns/order",
        "/conditions",
        "/conditions/0/check/WHITE",
        "/pieces",
        "/pieces/0/moves",
        "/pieces/0/moves/1/conditions",
        "/pieces/0/moves/1/side_effects",
        "/pieces/0/moves/0/modifiers",
        "/pieces/0/moves/0/modifiers/0/options",
        "/pieces/0/moves/2/actions",
        "/extensions",
    ];
    for pointer in lists {
        let mut spec = base.clone();
        if pointer == "/board/disabled_positions" {
            spec["board"]["disabled_positions"] = serde_json::json!([[3, 3]]);
        }
        let list = spec.pointer_mut(pointer).and_then(|value| value.as_array_mut()).ok_or("a list")?;
        let item = list[0].clone();
        list.resize(10_000, item);
        let report = check(spec.to_string().as_bytes());
        // Names may repeat in the order of turns; anything else 10,000 times over is a fault.
        if report.faults.is_empty() != (pointer == "/turns/order" || pointer == "/extensions") {
            return Err(format!("{pointer}: {} faults", report.faults.len()).into());
        }
    }
    Ok(())
}
