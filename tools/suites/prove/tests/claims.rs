//! The claims beside the routines in `tests/prove`: each has the verdict that its file states, every refutation is one, and
//! bounds of cycles are those stated. `TEMPO_PROVE=all` decides the slow ones, too; `TEMPO_PROVE=NAME` those of one folder.

#![allow(clippy::disallowed_methods)] // a test measures what a claim takes

mod common;

use std::path::Path;

use common::{Claim, folders};
use tempo_prove::{Answered, Limits, Verdict, decide};

/// Folders and claims that take long without optimisation; the others are enough for every day.
const SLOW: [&str; 15] = [
    "checksum/mod255",
    "div16by8/",
    "fixmul/",
    "lfsr32/",
    "memcpy/copied",
    "memset/",
    "mul16/",
    "mul8/",
    "mulsq/",
    "prng/",
    "ring/",
    "rtstab/",
    "satadd/",
    "sort4/same-bytes",
    "sqrt16/",
];

fn ask(folder: &Path, name: &str, claim: &Claim, limits: &Limits) -> Result<Answered, String> {
    if !claim.is_plain() {
        return Err("refused".to_string());
    }
    let parts = claim.programs(folder, name);
    Ok(decide(&claim.question(&parts, limits)?))
}

fn check(folder: &Path, name: &str, claim: &Claim, limits: &Limits) -> Result<(), String> {
    let answer = match ask(folder, name, claim, limits) {
        Ok(answer) => answer,
        Err(text) if text == "refused" && claim.verdict.contains("refused") => return Ok(()),
        Err(text) => return Err(text),
    };
    let expected: Vec<Verdict> = claim
        .verdict
        .split(" or ")
        .map(|word| match word {
            "holds" | "equal" | "exact" => Verdict::Proved,
            "fails" | "different" => Verdict::Refuted,
            _ => Verdict::Refused,
        })
        .collect();
    let is_excused = claim.level == "hard" && answer.verdict == Verdict::Undecided;
    if !expected.contains(&answer.verdict) && !is_excused {
        return Err(format!("{:?} in place of {}: {:?}", answer.verdict, claim.verdict, answer));
    }
    if let Some(bounds) = &claim.cycles {
        let found = answer.cycles.as_ref().map(|found| (found.min, found.max));
        if found != Some((bounds.min, bounds.max)) {
            return Err(format!("{found:?} in place of {}..{} cycles", bounds.min, bounds.max));
        }
    }
    // Where all inputs were tried, the example is the smallest in order.
    if let (Some(example), Some(_), Some(found)) = (&claim.example, claim.failing, &answer.example)
        && claim.level == "small"
    {
        let names: Vec<&str> =
            claim.inputs.iter().filter_map(|it| it.split_once(" =")).map(|it| it.0).collect();
        let expected: Vec<u64> = names.iter().map(|name| example[*name]).collect();
        if expected != found.inputs {
            return Err(format!("{:?} in place of {expected:?}", found.inputs));
        }
    }
    Ok(())
}

#[test]
fn claims_have_their_verdicts() {
    let wanted = std::env::var("TEMPO_PROVE").unwrap_or_default();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (folder, name, claims) in &folders() {
        for claim in claims {
            let id = format!("{name}/{}", claim.id);
            let is_wanted = match wanted.as_str() {
                "" => !SLOW.iter().any(|slow| id.starts_with(slow)),
                "all" => true,
                wanted => id.starts_with(wanted),
            };
            if !is_wanted {
                continue;
            }
            count += 1;
            let started = std::time::Instant::now();
            let result = check(folder, name, claim, &Limits::default());
            if !wanted.is_empty() {
                println!(
                    "{id:30} {:6.2} s {}",
                    started.elapsed().as_secs_f64(),
                    result.as_ref().err().map_or("", |it| it)
                );
            }
            if let Err(reason) = result {
                wrong.push(format!("{id}: {reason}"));
            }
        }
    }
    assert!(count > 0, "no claim is called {wanted}");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Nothing is run but samples: formulas alone follow code that changes itself and jumps through pointers and the stack.
#[test]
fn formulas_alone_decide_tricks() {
    let limits = Limits { exhaust: 0, conflicts: 20_000, ..Limits::default() };
    let all = folders();
    let (folder, name, claims) = all.iter().find(|(_, name, _)| name == "tricks").expect("the folder");
    for claim in claims {
        let result = check(folder, name, claim, &limits);
        assert_eq!(result, Ok(()), "{}", claim.id);
    }
}

/// An assumption that no input meets would make every claim true.
#[test]
fn assumptions_that_no_input_meets_are_refused() {
    let all = folders();
    let (folder, name, claims) = all.iter().find(|(_, name, _)| name == "add16").expect("the folder");
    let claim = claims.iter().find(|claim| claim.id == "sum").expect("the claim");
    let parts = claim.programs(folder, name);
    let mut question = claim.question(&parts, &Limits::default()).expect("a question");
    let number = |value| std::sync::Arc::new(tempo_prove::claim::Expr::Number(value));
    let input = std::sync::Arc::new(tempo_prove::claim::Expr::Input(0));
    for (limit, verdict) in [(65_535, Verdict::Refused), (65_534, Verdict::Proved)] {
        let relation = tempo_prove::claim::Relation::Greater;
        question.assume = vec![tempo_prove::claim::Expr::Compare(relation, input.clone(), number(limit))];
        assert_eq!(decide(&question).verdict, verdict);
    }
}

/// Claims that are soon decided, with one thread and with several: the same answer, examples and counts included.
#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (one, three) = (pool(1), pool(3));
    let mut count = 0;
    for (folder, name, claims) in &folders() {
        for claim in claims.iter().filter(|claim| claim.is_plain()) {
            let id = format!("{name}/{}", claim.id);
            if SLOW.iter().any(|slow| id.starts_with(slow)) {
                continue;
            }
            let answer = |threads: &rayon::ThreadPool| {
                threads.install(|| ask(folder, name, claim, &Limits::default()))
            };
            let (one, three) = (answer(&one), answer(&three));
            assert!(one.is_ok(), "{id}: {one:?}");
            assert_eq!(one, three, "{id}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} claims");
}
