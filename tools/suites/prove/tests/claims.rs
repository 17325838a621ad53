//! The claims beside the routines in `tests/prove`: each has the verdict that its file states, every refutation is one, and
//! bounds of cycles are those stated. `TEMPO_PROVE=all` decides the slow ones, too; `TEMPO_PROVE=NAME` those of one folder.

#![allow(clippy::disallowed_methods)] // a test reads its fixtures

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempo_assembler::{DiskFiles, Options, assemble};
use tempo_prove::{Answered, Asked, AskedClaim, Limits, Program, Question, Verdict, decide};

#[derive(Deserialize)]
struct File {
    claim: Vec<Claim>,
}

#[derive(Deserialize)]
struct Claim {
    id: String,
    kind: String,
    routine: Option<String>,
    pair: Option<Vec<String>>,
    #[serde(default, rename = "in")]
    inputs: Vec<String>,
    #[serde(default)]
    given: Vec<String>,
    #[serde(default, rename = "let")]
    lets: Vec<String>,
    claim: Option<String>,
    #[serde(default)]
    observe: Vec<String>,
    system: Option<String>,
    verdict: String,
    level: String,
    example: Option<BTreeMap<String, u64>>,
    failing: Option<u64>,
    cycles: Option<Bounds>,
}

#[derive(Deserialize)]
struct Bounds {
    min: u64,
    max: u64,
}

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

struct Assembled {
    image: Vec<(u16, Vec<u8>)>,
    symbols: std::collections::HashMap<String, u16>,
}

fn assembled(folder: &Path, file: &str) -> Assembled {
    let output = assemble(&DiskFiles::new(folder), file, &Options::default());
    let errors: Vec<_> = output.diagnostics.iter().filter(|it| it.is_error()).collect();
    assert!(errors.is_empty(), "{file}: {errors:?}");
    let prg = output.prg().expect("a program");
    let start = u16::from_le_bytes([prg[0], prg[1]]);
    let mut text = std::fs::read_to_string(folder.join(file)).expect("the source");
    text.retain(|c| c != '\r');
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let symbols =
        words.filter_map(|word| Some((word.to_string(), u16::try_from(output.symbol(word)?).ok()?)));
    Assembled { image: vec![(start, prg[2..].to_vec())], symbols: symbols.collect() }
}

fn ask(folder: &Path, name: &str, claim: &Claim) -> Result<Answered, String> {
    if claim.system.as_deref().is_some_and(|system| system != "generic_6502") {
        return Err("refused".to_string());
    }
    let routines = claim.pair.clone().unwrap_or_else(|| claim.routine.clone().into_iter().collect());
    let split = |routine: &str| match routine.split_once(':') {
        Some((file, label)) => (file.to_string(), label.to_string()),
        None => (format!("{name}.asm"), routine.to_string()),
    };
    let parts: Vec<(Assembled, String)> = routines
        .iter()
        .map(|routine| {
            let (file, label) = split(routine);
            (assembled(folder, &file), label)
        })
        .collect();
    let lookups: Vec<_> =
        parts.iter().map(|(part, _)| |name: &str| part.symbols.get(name).copied()).collect();
    let programs: Vec<Program<'_>> = parts
        .iter()
        .zip(&lookups)
        .map(|((part, _), label)| Program {
            bytes: part.image.iter().map(|(at, bytes)| (*at, &bytes[..])).collect(),
            label,
        })
        .collect();
    let named: Vec<(&Program<'_>, &str)> =
        programs.iter().zip(&parts).map(|(it, (_, label))| (it, &label[..])).collect();
    let asked = Asked {
        inputs: claim.inputs.clone(),
        given: claim.given.clone(),
        lets: claim.lets.clone(),
        assume: Vec::new(),
        claim: match claim.kind.as_str() {
            "holds" => AskedClaim::Holds(claim.claim.clone().expect("a claim")),
            "ends" => AskedClaim::Ends,
            "equal" => AskedClaim::Equal(claim.observe.clone()),
            _ => AskedClaim::Cycles,
        },
    };
    let question = Question::new(&named, &asked, &Limits::default()).map_err(|err| err.to_string())?;
    Ok(decide(&question))
}

fn check(folder: &Path, name: &str, claim: &Claim) -> Result<(), String> {
    let answer = match ask(folder, name, claim) {
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
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/prove");
    let wanted = std::env::var("TEMPO_PROVE").unwrap_or_default();
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(&root).expect("the fixtures").map(|it| it.expect("an entry").path()).collect();
    folders.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join(format!("{name}.claims"))).expect("claims");
        let file: File = toml::from_str(&text).expect("TOML");
        for claim in &file.claim {
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
            let result = check(folder, &name, claim);
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
