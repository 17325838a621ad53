//! `prove`: decides a claim about a routine for all inputs, or whether two routines agree.

use serde_json::{Map, Value, json};
use tempo_prove::{Answered, Asked, AskedClaim, Limits, Program, Question, Verdict, decide, told};

use super::{Desk, Effect, Lane, Tool, members, text, texts};
use crate::answer::Answer;
use crate::host::inside;
use crate::sources::assembled;

pub const PROVE: Tool = Tool {
    name: "prove",
    title: "Decide for all inputs",
    description: "Decides a claim about a routine for all inputs, its exact cycles, whether it ends, or whether two routines agree (outs). A refutation has an example. `help prove` shows the language.",
    arguments: || {
        json!({
            "routines": texts("one or two, FILE:LABEL"),
            "inputs": texts("n = byte Num1, m = word Num2 in 1..99, x = X"),
            "claim": text("w(Prod) == n * m; `ends`; or `cycles`"),
            "outs": texts("what two routines must agree in: A, word Result"),
            "given": texts("byte Mode = 1"),
            "assume": texts("n < 40"),
        })
    },
    required: &["routines"],
    answer: || {
        members("verdict string, how string, example object, results array, cycles object, reason string")
    },
    effect: Effect::Reads,
    lane: Lane::Free,
    run: prove,
};

/// Limits that a call can keep: all of them count work.
fn limits() -> Limits {
    Limits { exhaust: 500_000_000, conflicts: 200_000, steps: 300_000, ..Limits::default() }
}

fn prove(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let strings = |name: &str| -> Vec<String> {
        desk.arguments.texts(name).iter().map(|text| text.to_string()).collect()
    };
    let routines = strings("routines");
    if !(1..=2).contains(&routines.len()) {
        return Err("`routines` has one FILE:LABEL, or two to compare".to_owned());
    }
    let mut parts = Vec::new();
    for routine in &routines {
        let split = routine.rsplit_once(':').filter(|(file, label)| !file.is_empty() && !label.is_empty());
        let (file, label) = split.ok_or_else(|| format!("`{routine}`: a routine is FILE:LABEL"))?;
        let output = assembled(desk.host, desk.token, &project, &inside(desk.host.root(), file)?)?;
        use tempo_isa::Cpu::{Mos6502, Mos6502Documented, Mos6510};
        let mut cpus =
            output.analysis.iter().flat_map(|analysis| &analysis.emissions).filter_map(|it| it.cpu);
        if let Some(other) = cpus.find(|cpu| !matches!(cpu, Mos6502 | Mos6502Documented | Mos6510)) {
            return Err(format!(
                "{file} has code for another CPU: there are no proofs about {}",
                other.title()
            ));
        }
        let image = output.image.clone().unwrap_or_default();
        let start = u16::try_from(image.start).map_err(|_| format!("{file} starts above $FFFF"))?;
        parts.push((start, image.bytes, output.symbols(), label));
    }
    let claim = match (desk.arguments.text("claim"), parts.len()) {
        (None, 2) => AskedClaim::Equal(strings("outs")),
        (Some(_), 2) => {
            return Err("two routines are compared by `outs`; a claim is made about one".to_owned());
        }
        (Some("ends"), _) => AskedClaim::Ends,
        (Some("cycles"), _) => AskedClaim::Cycles,
        (Some(claim), _) => AskedClaim::Holds(claim.to_owned()),
        (None, _) => return Err("nothing is asked: give `claim`, or another routine and `outs`".to_owned()),
    };
    let asked = Asked {
        inputs: strings("inputs"),
        given: strings("given"),
        assume: strings("assume"),
        lets: Vec::new(),
        claim,
    };
    let labels: Vec<_> = parts
        .iter()
        .map(|(_, _, symbols, _)| |name: &str| symbols.get(name).and_then(|value| u16::try_from(value).ok()))
        .collect();
    let programs: Vec<Program<'_>> = parts
        .iter()
        .zip(&labels)
        .map(|((start, bytes, ..), label)| Program { bytes: vec![(*start, &bytes[..])], label })
        .collect();
    let named: Vec<(&Program<'_>, &str)> =
        programs.iter().zip(&parts).map(|(program, (.., label))| (program, *label)).collect();
    let question = Question::new(&named, &asked, &limits())
        .map_err(|err| format!("{err}. `help` with \"prove claim\" shows the language"))?;
    let answered = decide(&question);
    desk.token.check()?;
    Ok(tell(&routines, &question, &answered))
}

fn tell(routines: &[String], question: &Question, answered: &Answered) -> Answer {
    let values = |values: &[u64]| -> Value {
        let pairs =
            question.inputs.iter().zip(values).map(|(input, value)| (input.name.clone(), json!(value)));
        Value::Object(pairs.collect::<Map<String, Value>>())
    };
    let mut answer = Answer::new(json!({ "verdict": answered.verdict.name() }));
    answer.line(format!("{}: {}", answered.verdict.name(), routines.join(" and ")));
    if let Some(how) = answered.how {
        answer.set("how", json!(how.name()));
        answer.line(format!("{}, {} inputs", how.name(), answered.cases));
    }
    if let Some(reason) = &answered.reason {
        answer.set("reason", json!(reason));
        answer.line(format!("{reason}; {} inputs tried, none fails", answered.tried));
    }
    if let Some(example) = &answered.example {
        answer.set("example", values(&example.inputs));
        answer.set("results", json!(example.results));
        answer.line(format!("fails with {}", told(&question.inputs, &example.inputs)));
        answer.lines(
            routines
                .iter()
                .zip(&example.results)
                .filter(|(_, result)| !result.is_empty())
                .map(|(routine, result)| format!("{routine}: {result}")),
        );
    }
    if let Some(cycles) = &answered.cycles {
        answer.set(
            "cycles",
            json!({
                "min": cycles.min,
                "max": cycles.max,
                "atMin": values(&cycles.at_min),
                "atMax": values(&cycles.at_max),
            }),
        );
        let seen = if answered.verdict == Verdict::Proved { "" } else { " seen" };
        answer.line(format!("{} to {} cycles{seen}", cycles.min, cycles.max));
    }
    answer
}
