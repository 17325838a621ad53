//! Routines with one bit changed: formulas alone never prove what running all inputs refutes, and the other way round.
//! `TEMPO_PROVE=all` changes every bit.

mod common;

use common::{Assembled, folders};
use rayon::prelude::*;
use tempo_prove::{Answered, Limits, Verdict, decide};
use tempo_random::Random;

/// Bits that are changed for each claim.
const BITS: usize = 2;

#[test]
fn mutants_are_proved_only_if_all_inputs_agree() {
    let is_all = std::env::var("TEMPO_PROVE").is_ok_and(|it| it == "all");
    // A mutant may run for ever or become hard, and then nothing is said of it.
    let run = Limits {
        exhaust: 20_000_000,
        max_cycles: 20_000,
        steps: 20_000,
        nodes: 100_000,
        conflicts: 10_000,
        ..Limits::default()
    };
    let formulas = Limits { exhaust: 0, ..run.clone() };
    let mut mutants: Vec<(String, usize)> = Vec::new();
    let mut random = Random::new(0xb17);
    let all = folders();
    let mut claims = Vec::new();
    for (folder, name, list) in &all {
        for claim in list.iter().filter(|claim| claim.is_plain() && claim.level == "small") {
            if !matches!(claim.verdict.as_str(), "holds" | "equal" | "exact") {
                continue;
            }
            let parts = claim.programs(folder, name);
            let cases = claim.question(&parts, &run).expect("a question").cases();
            if cases > 1024 && !is_all {
                continue;
            }
            let bits = parts[0].0.bytes.len() * 8;
            // Tables are longer than code, and their bits are less interesting.
            let picked: Vec<usize> = match is_all {
                true => (0..bits).collect(),
                false => (0..BITS).map(|_| random.index(bits.min(400))).collect(),
            };
            mutants.extend(picked.into_iter().map(|bit| (format!("{name}/{}", claim.id), bit)));
            claims.push((format!("{name}/{}", claim.id), claim, parts));
        }
    }
    let outcomes: Vec<Result<Verdict, String>> = mutants
        .par_iter()
        .map(|(id, bit)| {
            let (_, claim, parts) = claims.iter().find(|(known, ..)| known == id).expect("its claim");
            let mut parts: Vec<(Assembled, String)> = parts.clone();
            parts[0].0.bytes[bit / 8] ^= 1 << (bit % 8);
            let one = decide(&claim.question(&parts, &run).expect("a question"));
            let two = decide(&claim.question(&parts, &formulas).expect("a question"));
            let opposite = |one: Verdict, two: Verdict| one == Verdict::Proved && two == Verdict::Refuted;
            let bounds = |it: &Answered| it.cycles.as_ref().map(|it| (it.min, it.max));
            let are_proved = (one.verdict, two.verdict) == (Verdict::Proved, Verdict::Proved);
            let differ = opposite(one.verdict, two.verdict)
                || opposite(two.verdict, one.verdict)
                || are_proved && bounds(&one) != bounds(&two);
            let internal = [&one, &two]
                .into_iter()
                .find(|it| it.reason.as_ref().is_some_and(|reason| reason.contains("internal error")));
            match (differ, internal) {
                (false, None) => Ok(one.verdict),
                _ => Err(format!("{id}, bit {} of byte {}: {one:?} and {two:?}", bit % 8, bit / 8)),
            }
        })
        .collect();
    let wrong: Vec<&String> = outcomes.iter().filter_map(|it| it.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let refuted = outcomes.iter().filter(|it| matches!(it, Ok(Verdict::Refuted))).count();
    assert!(refuted * 4 > outcomes.len(), "only {refuted} of {} mutants are refuted", outcomes.len());
}
