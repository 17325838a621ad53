//! Many inputs at once: the exact least and greatest number of cycles over ranges that are too large to list.

use std::sync::Arc;

use tempo_harness::measure::inputs::{Choice, address, choices, number, registers};
use tempo_host::{Exit, output};
use tempo_prove::claim::{Expr, Operator, Place, Register};
use tempo_prove::{
    Action, Claim, Input, Known, Limits, Pairs, Question, Routine, Script, Summary, Verdict, Width, decide,
    grouped,
};
use tempo_source_commands::project::Project;

use super::args::{Args, FormatArg};
use super::plan::shadowed;
use crate::cmd::prove::{Assembled, assemble};

/// From this number of inputs on none is listed.
const MANY: u128 = 4096;

/// The answer for inputs that are too many to list; `None` if they are few, or not all of them are ranges and lists.
pub fn answer(args: &Args, project: &Project) -> Result<Option<Exit>, Exit> {
    let Some(file) = args.program(project).filter(|file| args.asks_bounds(file)) else { return Ok(None) };
    let Ok(all) = choices(&args.with) else { return Ok(None) };
    let count = |choices: &Vec<Choice>| {
        choices.iter().fold(1u128, |all, choice| all.saturating_mul(choice.values.len() as u128))
    };
    if all.iter().map(count).fold(0u128, u128::saturating_add) <= MANY
        || !all.iter().flatten().all(is_numbers)
    {
        return Ok(None);
    }
    let program = assemble(project, &file.display().to_string())?;
    if let Some(reason) = &program.foreign {
        return Err(output::complain(reason));
    }
    for name in registers(&args.with) {
        if program.symbols.get(&name).is_some() {
            output::warn(&shadowed(&name));
        }
    }
    let mut exit = Exit::Fine;
    for routine in &args.routine {
        for (text, choices) in args.with.iter().zip(&all) {
            let question = question(args, &program, routine, choices).map_err(output::complain)?;
            let answer = decide(&question);
            let summary = shown(Summary::of(&answer, &question.inputs), choices);
            let printed = output::print(|out| {
                match args.format {
                    FormatArg::Json => {
                        let mut event = serde_json::to_value(&summary).unwrap_or_default();
                        event["event"] = "cycles".into();
                        event["routine"] = routine.as_str().into();
                        event["with"] = text.as_str().into();
                        writeln!(out, "{event}")?;
                    }
                    FormatArg::Human => write!(out, "{}", page(routine, &summary))?,
                }
                Ok(Exit::Fine)
            });
            if printed != Exit::Fine {
                return Err(printed);
            }
            match answer.verdict {
                Verdict::Refuted => exit = Exit::Failed,
                Verdict::Refused if exit == Exit::Fine => exit = Exit::CannotRun,
                _ => {}
            }
        }
    }
    Ok(Some(exit))
}

fn page(routine: &str, summary: &Summary) -> String {
    let count = summary.count();
    let Some(cycles) = &summary.cycles else {
        return format!("{routine}  {count} inputs: {}, {}\n", summary.verdict, summary.said());
    };
    let word = match summary.verdict == Verdict::Proved.name() {
        true => "no input takes less or more".to_string(),
        false => format!("seen in {} runs; {}", grouped(summary.tried.into()), summary.said()),
    };
    format!(
        "{routine}  {count} inputs: {} to {} cycles, {word}\n  least with {}\n  most with {}\n",
        cycles.min, cycles.max, cycles.at_min, cycles.at_max
    )
}

/// Numbers only: text that is evaluated elsewhere is left to the suite language.
fn is_numbers(choice: &Choice) -> bool {
    !choice.left.is_empty()
        && !matches!(&*choice.left, "sp" | "p" | "i")
        && choice.values.iter().all(|value| number(value).is_some())
}

/// The values in place of the indices that a question counts.
fn shown(mut summary: Summary, choices: &[Choice]) -> Summary {
    let told = |pairs: &mut Pairs| {
        for ((_, value), choice) in pairs.0.iter_mut().zip(choices) {
            *value =
                usize::try_from(*value).ok().and_then(|at| number(choice.values.get(at)?)).unwrap_or(*value);
        }
    };
    if let Some(cycles) = &mut summary.cycles {
        told(&mut cycles.at_min);
        told(&mut cycles.at_max);
    }
    if let Some(example) = &mut summary.example {
        told(example);
    }
    summary
}

fn question(args: &Args, program: &Assembled, routine: &str, choices: &[Choice]) -> Result<Question, String> {
    let place = |text: &str| -> Result<u16, String> {
        let (name, distance) = match text.find(['+', '-']) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let name = name.trim().trim_start_matches('[').trim_end_matches(']').trim();
        let distance = distance.replace(' ', "");
        let base = program.symbols.get(name).or_else(|| number(name));
        let base = base.ok_or_else(|| format!("{}: there is no label `{name}`", address(routine)))?;
        let more = match distance.split_at_checked(1) {
            None => Some(0),
            Some((sign, rest)) => number(rest).map(|value| if sign == "-" { -value } else { value }),
        };
        let sum = more.map(|more| base + more).and_then(|sum| u16::try_from(sum).ok());
        sum.ok_or_else(|| format!("`{text}` is not an address"))
    };
    let (mut inputs, mut actions) = (Vec::new(), Vec::new());
    for (at, choice) in choices.iter().enumerate() {
        let values: Vec<i128> =
            choice.values.iter().filter_map(|value| number(value)).map(i128::from).collect();
        let hi = values.len() as u64 - 1;
        let name = choice.left.trim_start_matches('[').trim_end_matches(']').to_string();
        let width = (64 - hi.leading_zeros()).max(1);
        inputs.push(Input { name, lo: 0, hi, is_ghost: false, width });
        let index = Arc::new(Expr::Input(at));
        let is_range = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let value = match is_range {
            true => Expr::Binary(Operator::Add, index, Arc::new(Expr::Number(values[0]))),
            false => Expr::Table(index, values.into()),
        };
        actions.push(
            match Register::parse(&choice.left.to_uppercase()).filter(|_| !choice.left.starts_with('[')) {
                Some(register) => Action::Set(register, value),
                None => Action::Store {
                    at: Expr::Number(place(&choice.left)?.into()),
                    value,
                    width: Width::AsNeeded,
                    least: 0,
                    most: 0xffff,
                },
            },
        );
    }
    actions.push(Action::Call(place(routine)?));
    // As at the start of a suite: zeros, the program, and I set.
    let mut known = Known::all(|_| 0);
    for (address, &byte) in (program.start..=0xffff).zip(&program.bytes) {
        known.insert(address, byte);
    }
    let all = [
        Register::A,
        Register::X,
        Register::Y,
        Register::N,
        Register::V,
        Register::D,
        Register::Z,
        Register::C,
    ];
    let script = Script { actions, masks_interrupts: true, cycles: 0 };
    let routine = Routine {
        name: routine.to_string(),
        entry: 0,
        known: Arc::new(known),
        registers: all.map(|register| (register, 0)).to_vec(),
        places: vec![Place::Ghost; inputs.len()],
        stack: 0xfd,
        script: Some(Arc::new(script)),
    };
    let defaults = Limits::default();
    let max_cycles =
        if args.max_cycles == 0 { defaults.max_cycles } else { args.max_cycles.min(defaults.max_cycles) };
    let limits = Limits { max_cycles, ..defaults };
    Ok(Question { routines: vec![routine], inputs, assume: Vec::new(), claim: Claim::Cycles, limits })
}
