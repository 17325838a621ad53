//! Runs every line of `tests/vectors` and compares state and bus cycle by cycle. One test a group: an opcode,
//! or a kind of trace. The counts are part of the test, so that vectors cannot quietly disappear.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::BTreeMap;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_emu::vectors::{Bench, OpcodeCase, Stepping, Trace, side_by_side};
use tempo_emu::{Nmos, Unstable, Variant};

fn main() {
    let arguments = Arguments::from_args();
    tempo_testing::keep_published("the vectors");
    let mut trials = opcode_trials();
    trials.extend(trace_trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn lines(file: &str) -> Vec<String> {
    let path = tempo_testing::fixtures().join("vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    text.lines().map(str::to_string).collect()
}

fn count(file: &'static str, found: usize, expected: usize) -> Trial {
    Trial::test(format!("{file}/count"), move || {
        if found == expected { Ok(()) } else { Err(format!("{found} lines, {expected} expected").into()) }
    })
}

fn opcode_trials() -> Vec<Trial> {
    let mut groups: BTreeMap<u8, Vec<OpcodeCase>> = BTreeMap::new();
    let lines = lines("opcodes.txt");
    for (number, line) in lines.iter().enumerate() {
        let case = OpcodeCase::parse(line).unwrap_or_else(|err| panic!("opcodes.txt:{}: {err}", number + 1));
        groups.entry(case.opcode).or_default().push(case);
    }
    let mut trials = vec![count("opcodes", lines.len(), 10_240)];
    for (opcode, cases) in groups {
        trials.push(Trial::test(format!("opcodes/{opcode:02x}"), move || {
            assert_eq!(cases.len(), 40, "cases of this opcode");
            let mut bench = Bench::new();
            cases.iter().try_for_each(|case| check_case::<Nmos>(&mut bench, case))
        }));
    }
    trials
}

fn check_case<V: Variant>(bench: &mut Bench, case: &OpcodeCase) -> Result<(), Failed> {
    let outcome = bench.run::<V>(case);
    if case.state_matches(&outcome) && case.bus_matches(&outcome) {
        return Ok(());
    }
    Err(format!(
        "{}\nbefore   {}\nexpected {}\nfound    {}\nmemory expected {:04x?}\nmemory found    {:04x?}\n{}",
        case.name,
        case.before,
        case.after,
        outcome.registers,
        case.memory_after,
        outcome.memory,
        side_by_side(&case.cycles, &outcome.cycles)
    )
    .into())
}

fn trace_trials() -> Vec<Trial> {
    let mut groups: BTreeMap<String, Vec<Trace>> = BTreeMap::new();
    let lines = lines("interrupts.txt");
    for (number, line) in lines.iter().enumerate() {
        let trace = Trace::parse(line).unwrap_or_else(|err| panic!("interrupts.txt:{}: {err}", number + 1));
        let group = trace.name.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
        groups.entry(group).or_default().push(trace);
    }
    let mut trials = vec![count("interrupts", lines.len(), 12_741)];
    for (group, traces) in groups {
        trials.push(Trial::test(format!("interrupts/{group}"), move || {
            let failures: Vec<String> =
                traces.iter().filter_map(|trace| check_trace::<Nmos>(trace).err()).collect();
            match failures.first() {
                None => Ok(()),
                Some(first) => Err(format!("{} of {} fail\n{first}", failures.len(), traces.len()).into()),
            }
        }));
    }
    trials
}

fn check_trace<V: Variant>(trace: &Trace) -> Result<(), String> {
    for stepping in [Stepping::Instructions, Stepping::Cycles] {
        let found = trace.run::<V>(stepping, Unstable::default());
        let matches = match stepping {
            Stepping::Instructions => trace.matches(&found),
            Stepping::Cycles => trace.matches_without_sync(&found),
        };
        if !matches {
            return Err(format!(
                "{} by {stepping:?}, {}\n{:?}\n{}",
                trace.name,
                trace.before,
                trace.events,
                side_by_side(&trace.cycles, &found)
            ));
        }
    }
    Ok(())
}
